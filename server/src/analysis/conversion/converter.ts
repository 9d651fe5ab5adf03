import type { ChildProcess } from 'node:child_process'
import { open } from 'node:fs/promises'
import type { FromConverter, ToConverter } from '../analyser-messages.ts'
import { type ConfinedChildOptions, endChild, startConfinedChild } from '../confined-child.ts'
import type { ConversionFormat } from './formats.ts'

export type ConverterOptions = ConfinedChildOptions & {
  /** A conversion that takes longer has hung. */
  timeLimitSeconds?: number
}

type Conversion = {
  source: string
  /** Written from its beginning; incomplete when the conversion fails. */
  target: string
  format: ConversionFormat
  maxDurationSeconds: number
  /** Receives the share that is done, 0..1, at most four times a second. */
  onProgress?: (share: number) => void
}

export type Converter = {
  /** Converts a file in a process of its own. Rejects with {@link ConversionError}. */
  convert(conversion: Conversion): Promise<void>
  /** Ends all processes and rejects every unfinished conversion. */
  stop(): Promise<void>
}

/** A failed conversion: `stopped` when the converter was stopped. */
export class ConversionError extends Error {
  readonly kind: 'failed' | 'stopped'

  constructor(kind: ConversionError['kind'], reason: string) {
    super(reason)
    this.kind = kind
  }
}

/** The slowest conversion takes a tenth of the playing time, on one busy core. */
const TIME_LIMIT_SECONDS = 30 * 60

function runInChild(
  child: ChildProcess,
  message: ToConverter,
  { onProgress, timeLimitSeconds }: Pick<Conversion, 'onProgress'> & { timeLimitSeconds: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new ConversionError('failed', reason))
    const timer = setTimeout(() => fail(`timed out after ${timeLimitSeconds} seconds`), timeLimitSeconds * 1000)
    child.on('message', (reply: FromConverter) => {
      if (reply.kind === 'progress') onProgress?.(Math.min(1, Math.max(0, Number(reply.share))))
      else if (reply.kind === 'failed') fail(String(reply.message))
      else resolve()
    })
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      fail(`the process exited with ${signal ?? `code ${code}`}`)
    })
    child.on('error', (error) => fail(error.message))
    child.send(message, (error) => {
      if (error) fail(error.message)
    })
  })
}

/** Converts files in confined child processes: see `startConfinedChild`. */
export function startConverter({ timeLimitSeconds = TIME_LIMIT_SECONDS, ...settings }: ConverterOptions): Converter {
  const children = new Set<ChildProcess>()
  let isStopped = false

  const convert = async ({ source, target, onProgress, ...options }: Conversion) => {
    const [from, to] = [await open(source, 'r'), await open(target, 'w')]
    try {
      if (isStopped) throw new ConversionError('stopped', 'the converter was stopped')
      const child = startConfinedChild(settings, { source: from.fd, target: to.fd })
      children.add(child)
      try {
        await runInChild(
          child,
          { task: 'convert', ...options },
          { ...(onProgress && { onProgress }), timeLimitSeconds },
        )
      } catch (error) {
        throw isStopped ? new ConversionError('stopped', 'the converter was stopped') : error
      } finally {
        // Must end before its target is used, because a running process could still change it.
        await endChild(child)
        children.delete(child)
      }
    } finally {
      await Promise.all([from.close(), to.close()])
    }
  }

  return {
    convert,
    stop: async () => {
      isStopped = true
      await Promise.all([...children].map(endChild))
    },
  }
}
