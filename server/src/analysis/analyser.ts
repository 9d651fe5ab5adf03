import type { ChildProcess } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { diskSpace } from '../platform/disk-space.ts'
import type { AnalyseOptions } from './analyse.ts'
import type { FromAnalyser, ToAnalyser } from './analyser-messages.ts'
import type { Analysis } from './analysis.ts'
import { type AnalysisFiles, withAnalysisFiles } from './analysis-files.ts'
import { endChild, startConfinedChild } from './confined-child.ts'
import { FALLBACK_PARTS, type FallbackHandler, type FallbackPart } from './fallback.ts'
import { maxPreviewBytes } from './preview.ts'

type FileOptions = Pick<AnalyseOptions, 'tempoRange' | 'previewPath' | 'maxDurationSeconds'>

type AnalysisTask = { path: string; options: FileOptions }

/** Time limit for one file: the base, extended by a share of the audio's duration once that is known. */
type Watchdog = { base_seconds: number; share_of_duration: number }

export type AnalyserOptions = {
  /** Maximum number of processes; one less than the number of cores by default. */
  size?: number
  /** The built entry point of the child process. */
  childPath: string
  watchdog?: Watchdog
  /** Maximum number of attempts per file, 2 by default. Callers that count attempts themselves pass 1. */
  attempts?: number
  /** Free bytes where previews are written; undefined when the file system does not report it. Replaced in tests. */
  freeBytes?: (folder: string) => Promise<number | undefined>
  /** Called once for each part that a child process replaced, with the reason it gave. */
  onFallback?: FallbackHandler
  /** Node options that confine a child process. Replaced in tests. */
  flags?: readonly string[]
}

export type Analyser = {
  /**
   * Analyses a file in a child process and retries after a crash, a hang or an error. `onProgress` receives the share
   * done, 0..1, at most four times a second; it starts again with each attempt. Rejects with {@link AnalyserError}.
   */
  analyse(path: string, options?: FileOptions & Pick<AnalyseOptions, 'onProgress'>): Promise<Analysis>
  /** Ends all child processes and rejects every unfinished analysis. */
  stop(): Promise<void>
}

/**
 * How it failed: the process exited or was killed, did not finish in time, or reported an error (a file or folder that
 * cannot be used); or the analyser was stopped.
 */
export type FailureKind = 'crashed' | 'hung' | 'reported' | 'stopped'

/** A file that could not be analysed: `reason` is one clause in English. */
export class AnalyserError extends Error {
  readonly path: string
  readonly reason: string
  readonly kind: FailureKind

  constructor(path: string, kind: FailureKind, reason: string) {
    super(`Could not analyse ${path}: ${reason}`)
    this.name = 'AnalyserError'
    this.path = path
    this.kind = kind
    this.reason = reason
  }
}

/** Whether the analysis failed because disk space or file handles ran out, which is not the file's fault. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof AnalyserError && /ENOSPC|EDQUOT|EMFILE/.test(error.reason)

/** Left free for the database and for uploads that arrive at the same time. */
const RESERVED_DISK_BYTES = 256 * 1024 * 1024

const freeOnDisk = async (folder: string): Promise<number | undefined> => (await diskSpace(folder))?.free_bytes

/** Throws {@link AnalyserError} unless the longest possible preview fits, because the duration is not known yet. */
async function throwIfDiskIsFull(
  { path: file, options }: AnalysisTask,
  freeBytes: (folder: string) => Promise<number | undefined>,
): Promise<void> {
  if (options.previewPath === undefined) return
  const free = await freeBytes(path.dirname(options.previewPath))
  const needed = maxPreviewBytes(options.maxDurationSeconds ?? MAX_DURATION_SECONDS) + RESERVED_DISK_BYTES
  if (free === undefined || free >= needed) return
  throw new AnalyserError(file, 'reported', `ENOSPC: ${free} bytes are free, ${needed} are needed for a preview`)
}

const DEFAULT_ATTEMPTS = 2
const WATCHDOG: Watchdog = { base_seconds: 60, share_of_duration: 0.2 }

type Attempt = {
  task: AnalysisTask
  watchdog: Watchdog
  onProgress: ((share: number) => void) | undefined
  onFallback: FallbackHandler
}

type ChildResult = { analysis: Analysis; hasPreview: boolean }

/**
 * Runs one attempt in one child. Rejects with {@link AnalyserError} when the child fails, exits or exceeds the time
 * limit.
 */
function runInChild(child: ChildProcess, { task, watchdog, onProgress, onFallback }: Attempt): Promise<ChildResult> {
  const { previewPath, ...options } = task.options
  const message: ToAnalyser = {
    task: 'analyse',
    name: path.basename(task.path),
    hasPreviewFile: previewPath !== undefined,
    options,
  }
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const finishOnce = (callback: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      callback()
    }
    const fail = (kind: FailureKind, reason: string) =>
      finishOnce(() => reject(new AnalyserError(task.path, kind, reason)))
    const startedAt = performance.now()
    const restartTimer = (durationSeconds: number) => {
      clearTimeout(timer)
      const seconds = watchdog.base_seconds + watchdog.share_of_duration * durationSeconds
      const expire = () => fail('hung', `timed out after ${Math.round(seconds)} seconds`)
      timer = setTimeout(expire, startedAt + seconds * 1000 - performance.now())
    }
    // A child that a malicious file took over may claim any duration, repeatedly.
    const { maxDurationSeconds = MAX_DURATION_SECONDS } = options
    const onMessage = (message: FromAnalyser) => {
      if (message.kind === 'progress') onProgress?.(message.share)
      else if (message.kind === 'expected') restartTimer(Math.min(message.duration_seconds, maxDurationSeconds))
      else if (message.kind === 'fallback') onFallback(message.part, message.reason)
      else if (message.kind === 'failed') fail('reported', message.message)
      else finishOnce(() => resolve({ analysis: message.analysis, hasPreview: message.hasPreview }))
    }
    const onExit = (code: number | null, signal: string | null) =>
      fail('crashed', `the process exited with ${signal ?? `code ${code}`}`)
    const onError = (error: Error) => fail('crashed', error.message)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
    restartTimer(0)
    child.send(message, (error) => {
      if (error) onError(error)
    })
  })
}

const MAX_REASON_LENGTH = 200

/** Reports each part once, because a child that a malicious file took over may send any number of messages. */
function reportOnce(handler: FallbackHandler | undefined): FallbackHandler {
  const reported = new Set<FallbackPart>()
  return (part, reason) => {
    if (!FALLBACK_PARTS.includes(part) || reported.has(part)) return
    reported.add(part)
    handler?.(part, String(reason).slice(0, MAX_REASON_LENGTH))
  }
}

/** Analyses files in child processes, a new one for each file and a limited number at a time. */
export function startAnalyser(settings: AnalyserOptions): Analyser {
  const { watchdog = WATCHDOG, attempts: maxAttempts = DEFAULT_ATTEMPTS, freeBytes = freeOnDisk } = settings
  const maxConcurrent = settings.size ?? Math.max(1, os.availableParallelism() - 1)
  const children = new Set<ChildProcess>()
  const waitQueue: (() => void)[] = []
  let activeCount = 0
  let isStopped = false
  const onFallback = reportOnce(settings.onFallback)

  const stoppedError = (path: string) => new AnalyserError(path, 'stopped', 'the analyser was stopped')

  const runAttempt = async (attempt: Attempt, files: AnalysisFiles): Promise<ChildResult> => {
    if (isStopped) throw stoppedError(attempt.task.path)
    const child = startConfinedChild(settings, { source: files.source, target: files.preview })
    children.add(child)
    try {
      return await runInChild(child, attempt)
    } finally {
      // Must end before its preview is used, because a running process could still change it.
      await endChild(child)
      children.delete(child)
    }
  }

  const analyseOnce = async (attempt: Attempt): Promise<Analysis> => {
    const { path, options } = attempt.task
    try {
      const files = { path, previewPath: options.previewPath }
      return (await withAnalysisFiles(files, (opened) => runAttempt(attempt, opened))).analysis
    } catch (error) {
      if (error instanceof AnalyserError) throw error
      throw new AnalyserError(path, 'reported', error instanceof Error ? error.message : String(error))
    }
  }

  const analyseWithRetry = async (attempt: Attempt): Promise<Analysis> => {
    const { path } = attempt.task
    for (let attempts = 1; ; attempts++) {
      if (isStopped) throw stoppedError(path)
      try {
        await throwIfDiskIsFull(attempt.task, freeBytes)
        return await analyseOnce(attempt)
      } catch (error) {
        if (isStopped) throw stoppedError(path)
        if (attempts >= maxAttempts || isOutOfSpace(error)) throw error
      }
    }
  }

  /** Passes a free slot to the task that has waited longest. */
  const acquireSlot = async () => {
    if (activeCount < maxConcurrent) activeCount++
    else await new Promise<void>((resolve) => waitQueue.push(resolve))
  }
  const releaseSlot = () => {
    const next = waitQueue.shift()
    if (next) next()
    else activeCount--
  }

  return {
    async analyse(path, { onProgress, ...options } = {}) {
      await acquireSlot()
      try {
        return await analyseWithRetry({ task: { path, options }, watchdog, onProgress, onFallback })
      } finally {
        releaseSlot()
      }
    },
    async stop() {
      isStopped = true
      await Promise.all([...children].map(endChild))
    },
  }
}
