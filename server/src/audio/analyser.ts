import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'
import type { AnalyseOptions } from './analyse.ts'
import type { Analysis } from './analysis.ts'

type FileOptions = Pick<AnalyseOptions, 'tempoRange' | 'previewPath'>

/** Messages to and from the forked process. */
export type ToAnalyser = { path: string; options: FileOptions }
export type FromAnalyser =
  | { kind: 'expected'; duration_seconds: number }
  | { kind: 'done'; analysis: Analysis }
  | { kind: 'failed'; message: string }

/** How long one file may take: the base, longer by a share of the audio's duration once that is known. */
export type Watchdog = { base_seconds: number; share_of_duration: number }

export type AnalyserOptions = {
  /** Processes at most; by default one less than there are cores. */
  size?: number
  /** The built entry point of the child process. */
  childPath: string
  watchdog?: Watchdog
}

export type Analyser = {
  /** Analyses a file in a child process; a crash, a hang or an error is tried once more. Rejects with {@link AnalyserFailure}. */
  analyse(path: string, options?: FileOptions): Promise<Analysis>
  /** Ends all children; whatever is not finished rejects. */
  stop(): Promise<void>
}

/** A file that could not be analysed: `reason` is one clause in English. */
export class AnalyserFailure extends Error {
  readonly path: string
  readonly reason: string

  constructor(path: string, reason: string) {
    super(`${path} could not be analysed: ${reason}`)
    this.name = 'AnalyserFailure'
    this.path = path
    this.reason = reason
  }
}

const TRIES = 2
const LOW_PRIORITY = 10
const WATCHDOG: Watchdog = { base_seconds: 60, share_of_duration: 0.2 }

/** The child reads hostile files, so it inherits none of the server's secrets; its noise about damaged ones is dropped. */
function startChild(childPath: string): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=512'],
    env: {},
  })
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child is gone already, or the platform knows no priorities: its exit is reported where it is waited for.
  }
  return child
}

/** One try in one child. Rejects with the reason when the child fails, exits, or lasts longer than the watchdog allows. */
function runIn(child: ChildProcess, task: ToAnalyser, watchdog: Watchdog): Promise<Analysis> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      finish()
    }
    const fail = (reason: string) => settle(() => reject(new Error(reason)))
    const allow = (durationSeconds: number) => {
      clearTimeout(timer)
      const seconds = watchdog.base_seconds + watchdog.share_of_duration * durationSeconds
      timer = setTimeout(() => fail(`it was not done after ${Math.round(seconds)} seconds`), seconds * 1000)
    }
    const onMessage = (message: FromAnalyser) => {
      if (message.kind === 'expected') allow(message.duration_seconds)
      else if (message.kind === 'failed') fail(message.message)
      else settle(() => resolve(message.analysis))
    }
    const onExit = (code: number | null, signal: string | null) =>
      fail(`its process ended with ${signal ?? `code ${code}`}`)
    const onError = (error: Error) => fail(error.message)
    child.on('message', onMessage).on('exit', onExit).on('error', onError)
    allow(0)
    child.send(task, (error) => {
      if (error) onError(error)
    })
  })
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null
}

async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

/** Starts a pool of analysing processes; each lives on between files, and a process that failed is replaced. */
export function startAnalyser({ childPath, size, watchdog = WATCHDOG }: AnalyserOptions): Analyser {
  const most = size ?? Math.max(1, os.availableParallelism() - 1)
  const children = new Set<ChildProcess>()
  const idle: ChildProcess[] = []
  const waiting: (() => void)[] = []
  let busy = 0
  let isStopped = false

  const takeChild = (): ChildProcess => {
    for (let child = idle.pop(); child; child = idle.pop()) if (!hasEnded(child) && child.connected) return child
    const child = startChild(childPath)
    children.add(child)
    // A child that dies between two files must not take the server with it.
    child.on('error', () => {})
    child.once('exit', () => children.delete(child))
    return child
  }

  const tryOnce = async (task: ToAnalyser): Promise<Analysis> => {
    const child = takeChild()
    try {
      const analysis = await runIn(child, task, watchdog)
      idle.push(child)
      return analysis
    } catch (error) {
      await endChild(child)
      throw error
    }
  }

  const tryTwice = async (task: ToAnalyser): Promise<Analysis> => {
    for (let tries = 1; ; tries++) {
      if (isStopped) throw new AnalyserFailure(task.path, 'the analyser was stopped')
      try {
        return await tryOnce(task)
      } catch (error) {
        if (tries === TRIES) throw new AnalyserFailure(task.path, (error as Error).message)
      }
    }
  }

  /** Hands a free place to whoever waits longest. */
  const takePlace = async () => {
    if (busy < most) busy++
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leavePlace = () => {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }

  return {
    async analyse(path, options = {}) {
      await takePlace()
      try {
        return await tryTwice({ path, options })
      } finally {
        leavePlace()
      }
    },
    async stop() {
      isStopped = true
      await Promise.all([...children].map(endChild))
    },
  }
}
