import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { diskSpace } from '../platform/disk-space.ts'
import type { AnalyseOptions } from './analyse.ts'
import type { FromAnalyser, ToAnalyser } from './analyser-messages.ts'
import { type Analysis, MAX_DURATION_SECONDS } from './analysis.ts'
import { type AnalysisFiles, withAnalysisFiles } from './analysis-files.ts'
import { confinedFlags } from './permission-flags.ts'
import { maxPreviewBytes } from './preview.ts'

type FileOptions = Pick<AnalyseOptions, 'tempoRange' | 'previewPath' | 'maxDurationSeconds'>

type AnalysisTask = { path: string; options: FileOptions }

/** How long one file may take: the base, longer by a share of the audio's duration once that is known. */
export type Watchdog = { base_seconds: number; share_of_duration: number }

export type AnalyserOptions = {
  /** Processes at most; by default one less than there are cores. */
  size?: number
  /** The built entry point of the child process. */
  childPath: string
  watchdog?: Watchdog
  /** How often a file is begun before it is given up, 2 by default: for callers that count by themselves, 1. */
  attempts?: number
  /** What is free where previews are written; undefined where the disk does not tell. Replaced in tests. */
  freeBytes?: (folder: string) => Promise<number | undefined>
  /** Node's options for a child process, which confine it. Replaced in tests. */
  flags?: readonly string[]
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
export class AnalyserError extends Error {
  readonly path: string
  readonly reason: string
  readonly kind: FailureKind

  constructor(path: string, kind: FailureKind, reason: string) {
    super(`Could not analyse ${path}: ${reason}`)
    this.name = 'AnalyserFailure'
    this.path = path
    this.kind = kind
    this.reason = reason
  }
}

/** The analysis failed for want of disk space or file handles: no fault of the file. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof AnalyserError && /ENOSPC|EDQUOT|EMFILE/.test(error.reason)

/** Left free for the database and for what arrives at the same time. */
const RESERVED_DISK_BYTES = 256 * 1024 * 1024

const freeOnDisk = async (folder: string): Promise<number | undefined> => (await diskSpace(folder))?.free_bytes

/** Throws {@link AnalyserFailure} unless the longest preview fits: what is in the file is not known yet. */
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
const LOW_PRIORITY = 10
const WATCHDOG: Watchdog = { base_seconds: 60, share_of_duration: 0.2 }

/**
 * The child reads a hostile file, so it inherits none of the server's secrets, can open no file and start no process. Its file and
 * its preview are passed as open file descriptors. A child reads one file only, so one that a file took control of never gets
 * another member's file. What it prints about damaged files is dropped.
 */
function startChild({ childPath, flags }: AnalyserOptions, { source, preview }: AnalysisFiles): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    // In the order of SOURCE_FD and PREVIEW_FD.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', source, preview ?? 'ignore'],
    execArgv: ['--max-old-space-size=512', ...(flags ?? confinedFlags(childPath))],
    env: {},
  })
  // An error after the result was reported must not take the server with it.
  child.on('error', () => {})
  try {
    if (child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child is gone already, or the platform knows no priorities: its exit is reported where it is waited for.
  }
  return child
}

type Attempt = { task: AnalysisTask; watchdog: Watchdog; onProgress: ((share: number) => void) | undefined }

type ChildResult = { analysis: Analysis; hasPreview: boolean }

/** One try in one child. Rejects with {@link AnalyserFailure} when the child fails, exits, or outlasts the watchdog. */
function runInChild(child: ChildProcess, { task, watchdog, onProgress }: Attempt): Promise<ChildResult> {
  const { previewPath, ...options } = task.options
  const message: ToAnalyser = { name: path.basename(task.path), hasPreviewFile: previewPath !== undefined, options }
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
    // A child that a file took control of may claim any duration, and claim it again and again.
    const { maxDurationSeconds = MAX_DURATION_SECONDS } = options
    const onMessage = (message: FromAnalyser) => {
      if (message.kind === 'progress') onProgress?.(message.share)
      else if (message.kind === 'expected') restartTimer(Math.min(message.duration_seconds, maxDurationSeconds))
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

/** Analyses files in child processes, a new one for each file and a limited number at a time. */
export function startAnalyser(settings: AnalyserOptions): Analyser {
  const { watchdog = WATCHDOG, attempts: maxAttempts = DEFAULT_ATTEMPTS, freeBytes = freeOnDisk } = settings
  const maxConcurrent = settings.size ?? Math.max(1, os.availableParallelism() - 1)
  const children = new Set<ChildProcess>()
  const waitQueue: (() => void)[] = []
  let activeCount = 0
  let isStopped = false

  const stoppedError = (path: string) => new AnalyserError(path, 'stopped', 'the analyser was stopped')

  const runAttempt = async (attempt: Attempt, files: AnalysisFiles): Promise<ChildResult> => {
    if (isStopped) throw stoppedError(attempt.task.path)
    const child = startChild(settings, files)
    children.add(child)
    try {
      return await runInChild(child, attempt)
    } finally {
      // Before its preview is used: a process that still ran could change it.
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

  /** Hands a free place to whoever waits longest. */
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
        return await analyseWithRetry({ task: { path, options }, watchdog, onProgress })
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
