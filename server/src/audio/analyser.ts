import { type ChildProcess, fork } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { diskSpace } from '../platform/disk-space.ts'
import type { AnalyseOptions } from './analyse.ts'
import { type Analysis, LONGEST_SECONDS, unfinished } from './analysis.ts'
import { confinedFlags } from './confinement.ts'
import { largestPreview } from './preview.ts'

type FileOptions = Pick<AnalyseOptions, 'tempoRange' | 'previewPath' | 'longestSeconds'>

/** Messages to and from the forked process. */
export type ToAnalyser = { path: string; options: FileOptions }
export type FromAnalyser =
  | { kind: 'progress'; share: number }
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
  /** The folder previews are written to, of which `previewPath` must be a part: without it the processes may write nothing. */
  writable?: string
  /** How often a file is begun before it is given up, 2 by default: for callers that count by themselves, 1. */
  tries?: number
  /** What is free where previews are written; undefined where the disk does not tell. Replaced in tests. */
  freeBytes?: (folder: string) => Promise<number | undefined>
}

export type Analyser = {
  /**
   * Analyses a file in a child process; a crash, a hang or an error is tried again. `onProgress` receives the share done, 0..1, at
   * most four times a second; it starts again with each try. Rejects with {@link AnalyserFailure}.
   */
  analyse(path: string, options?: FileOptions & Pick<AnalyseOptions, 'onProgress'>): Promise<Analysis>
  /** Ends all children; whatever is not finished rejects. */
  stop(): Promise<void>
}

/**
 * How it failed: the process ended by itself or by a signal, did not come to an end, or lives and reported an error (a file or a
 * folder that cannot be used); or the analyser was stopped.
 */
export type FailureKind = 'crashed' | 'hung' | 'reported' | 'stopped'

/** A file that could not be analysed: `reason` is one clause in English. */
export class AnalyserFailure extends Error {
  readonly path: string
  readonly reason: string
  readonly kind: FailureKind

  constructor(path: string, kind: FailureKind, reason: string) {
    super(`${path} could not be analysed: ${reason}`)
    this.name = 'AnalyserFailure'
    this.path = path
    this.kind = kind
    this.reason = reason
  }
}

/** The analysis failed for want of disk space or file handles: no fault of the file. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof AnalyserFailure && /ENOSPC|EDQUOT|EMFILE/.test(error.reason)

/** Left free for the database and for what arrives at the same time. */
const SPARE_BYTES = 256 * 1024 * 1024

const freeOnDisk = async (folder: string): Promise<number | undefined> => (await diskSpace(folder))?.free_bytes

/** Throws {@link AnalyserFailure} unless the longest preview fits: what is in the file is not known yet. */
async function throwIfDiskIsFull(
  { path: file, options }: ToAnalyser,
  freeBytes: (folder: string) => Promise<number | undefined>,
): Promise<void> {
  if (options.previewPath === undefined) return
  const free = await freeBytes(path.dirname(options.previewPath))
  const needed = largestPreview(options.longestSeconds ?? LONGEST_SECONDS) + SPARE_BYTES
  if (free === undefined || free >= needed) return
  throw new AnalyserFailure(file, 'reported', `ENOSPC: ${free} bytes are free, ${needed} are needed for a preview`)
}

const TRIES = 2
const LOW_PRIORITY = 10
const WATCHDOG: Watchdog = { base_seconds: 60, share_of_duration: 0.2 }

/**
 * The child reads hostile files, so it inherits none of the server's secrets, may write to one folder only and start nothing;
 * its noise about damaged ones is dropped.
 */
function startChild({ childPath, writable }: AnalyserOptions): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--max-old-space-size=512', ...confinedFlags(writable)],
    env: {},
  })
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child is gone already, or the platform knows no priorities: its exit is reported where it is waited for.
  }
  return child
}

type Try = { task: ToAnalyser; watchdog: Watchdog; onProgress: ((share: number) => void) | undefined }

/** One try in one child. Rejects with {@link AnalyserFailure} when the child fails, exits, or outlasts the watchdog. */
function runIn(child: ChildProcess, { task, watchdog, onProgress }: Try): Promise<Analysis> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const settle = (finish: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      finish()
    }
    const fail = (kind: FailureKind, reason: string) =>
      settle(() => reject(new AnalyserFailure(task.path, kind, reason)))
    const allow = (durationSeconds: number) => {
      clearTimeout(timer)
      const seconds = watchdog.base_seconds + watchdog.share_of_duration * durationSeconds
      timer = setTimeout(() => fail('hung', `it was not done after ${Math.round(seconds)} seconds`), seconds * 1000)
    }
    const onMessage = (message: FromAnalyser) => {
      if (message.kind === 'progress') onProgress?.(message.share)
      else if (message.kind === 'expected') allow(message.duration_seconds)
      else if (message.kind === 'failed') fail('reported', message.message)
      else settle(() => resolve(message.analysis))
    }
    const onExit = (code: number | null, signal: string | null) =>
      fail('crashed', `its process ended with ${signal ?? `code ${code}`}`)
    const onError = (error: Error) => fail('crashed', error.message)
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
export function startAnalyser(settings: AnalyserOptions): Analyser {
  const { watchdog = WATCHDOG, tries: mostTries = TRIES, freeBytes = freeOnDisk } = settings
  const most = settings.size ?? Math.max(1, os.availableParallelism() - 1)
  const children = new Set<ChildProcess>()
  const idle: ChildProcess[] = []
  const waiting: (() => void)[] = []
  let busy = 0
  let isStopped = false

  const takeChild = (): ChildProcess => {
    for (let child = idle.pop(); child; child = idle.pop()) if (!hasEnded(child) && child.connected) return child
    const child = startChild(settings)
    children.add(child)
    // A child that dies between two files must not take the server with it.
    child.on('error', () => {})
    child.once('exit', () => children.delete(child))
    return child
  }

  const tryOnce = async (once: Try): Promise<Analysis> => {
    const child = takeChild()
    try {
      const analysis = await runIn(child, once)
      idle.push(child)
      return analysis
    } catch (error) {
      await endChild(child)
      // A process that was killed cannot clear up.
      const { previewPath } = once.task.options
      if (previewPath !== undefined) fs.rmSync(unfinished(previewPath), { force: true })
      throw error
    }
  }

  const tryAgain = async (once: Try): Promise<Analysis> => {
    const { path } = once.task
    for (let tries = 1; ; tries++) {
      if (isStopped) throw new AnalyserFailure(path, 'stopped', 'the analyser was stopped')
      try {
        await throwIfDiskIsFull(once.task, freeBytes)
        return await tryOnce(once)
      } catch (error) {
        if (isStopped) throw new AnalyserFailure(path, 'stopped', 'the analyser was stopped')
        if (tries >= mostTries || isOutOfSpace(error)) throw error
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
    async analyse(path, { onProgress, ...options } = {}) {
      await takePlace()
      try {
        return await tryAgain({ task: { path, options }, watchdog, onProgress })
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
