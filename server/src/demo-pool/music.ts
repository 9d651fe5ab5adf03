import { type ChildProcess, fork } from 'node:child_process'
import { type FileHandle, open, rm } from 'node:fs/promises'
import os from 'node:os'
import type { Recipe } from '@dubplate/demo/song'
import type { OnDemandMusic } from '../app-context.ts'
import type { Log } from '../platform/log.ts'
import type { RenderedTrack, RenderMessage, RenderRequest } from './music-messages.ts'

/**
 * A version that is being generated. `written` is the current size of its file; `onProgress` wakes readers that wait
 * for more.
 */
type RenderJob = {
  songVersionId: number
  recipe: Recipe
  path: Promise<string>
  urgent: boolean
  written: number
  onProgress: Set<() => void>
  /** Reads the music from storage; undefined until it is stored. */
  stored: ReadMusic | undefined
  finished: Promise<void>
  settle: { resolve(): void; reject(error: Error): void }
  /** While the worker with low priority generates it: ends that, so that another worker can begin again. */
  leaveLowPriority: (() => void) | undefined
}

/** Reads stored music from the byte `from` up to, but not including, `to`. */
export type ReadMusic = (from: number, to: number) => AsyncIterable<Uint8Array>

type RenderWorker = { child: ChildProcess; isLowPriority: boolean; busy: boolean }

export type RenderPool = OnDemandMusic & {
  /** Generates this version when nothing urgent is queued. */
  whenIdle(songVersionId: number, recipe: Recipe): void
  stop(): Promise<void>
}

type RenderPoolOptions = {
  childPath: string
  /** Returns a path for the file that is being generated. */
  scratch(): Promise<string>
  /** Stores the finished file and returns its reader; afterwards the version has a file row. */
  store(songVersionId: number, path: string, rendered: RenderedTrack): Promise<ReadMusic>
  size: number
  /** Where music is cached for other pools on this machine; without it all music is generated. */
  cacheFolder?: string | undefined
  log: Log
}

const READ_BYTES = 64 * 1024
const LOW_PRIORITY = 15
const LEFT_LOW_PRIORITY = new Error('Another worker generates this music')

/** Generates music in child processes: requested versions at normal priority, the others at a low one. */
export function startRenderPool(options: RenderPoolOptions): RenderPool {
  const queue: RenderJob[] = []
  const jobs = new Map<number, RenderJob>()
  // The first worker has low priority, which on a busy machine is hardly any time: only if it is the only one, it also
  // generates music that a listener waits for. A process without privileges cannot raise its priority again.
  const renderWorkers = Array.from({ length: options.size }, (_, n) => startRenderWorker(options.childPath, n === 0))
  let stopped = false

  const requestJob = (songVersionId: number, recipe: unknown, urgent: boolean): RenderJob => {
    const renderJob = jobs.get(songVersionId) ?? enqueueJob(songVersionId, recipe as Recipe)
    if (urgent && !renderJob.urgent) {
      renderJob.urgent = true
      moveAhead(renderJob)
      renderJob.leaveLowPriority?.()
    }
    startQueuedJobs()
    return renderJob
  }

  /** To the front if it is urgent, else behind the urgent ones; nothing if it is being generated. */
  const moveAhead = (renderJob: RenderJob): void => {
    const queueIndex = queue.indexOf(renderJob)
    if (queueIndex < 0) return
    queue.splice(queueIndex, 1)
    queue.splice(renderJob.urgent ? 0 : queue.findLastIndex(({ urgent }) => urgent) + 1, 0, renderJob)
  }

  const enqueueJob = (songVersionId: number, recipe: Recipe): RenderJob => {
    const settle = { resolve: () => {}, reject: (_error: Error) => {} }
    const finished = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }))
    finished.catch(() => jobs.delete(songVersionId))
    const path = options.scratch()
    const renderJob = {
      songVersionId,
      recipe,
      path,
      urgent: false,
      written: 0,
      onProgress: new Set<() => void>(),
      stored: undefined,
      finished,
      settle,
      leaveLowPriority: undefined,
    }
    jobs.set(songVersionId, renderJob)
    queue.push(renderJob)
    return renderJob
  }

  const isSuitable = ({ isLowPriority }: RenderWorker, { urgent }: RenderJob) =>
    options.size === 1 || isLowPriority !== urgent
  const findFreeWorker = (renderJob: RenderJob): RenderWorker | undefined =>
    renderWorkers.find((renderWorker) => !renderWorker.busy && isSuitable(renderWorker, renderJob))

  const startQueuedJobs = (): void => {
    while (!stopped) {
      const queueIndex = queue.findIndex(findFreeWorker)
      const next = queue[queueIndex]
      const renderWorker = next && findFreeWorker(next)
      if (!renderWorker) return
      queue.splice(queueIndex, 1)
      renderWorker.busy = true
      runJob(next, renderWorker).finally(() => {
        renderWorker.busy = false
        startQueuedJobs()
      })
    }
  }

  const runJob = async (renderJob: RenderJob, renderWorker: RenderWorker): Promise<void> => {
    const scratchPath = renderJob.path
    try {
      const path = await scratchPath
      if (!isSuitable(renderWorker, renderJob)) throw LEFT_LOW_PRIORITY
      const rendered = await renderInWorker(renderJob, path, renderWorker)
      renderJob.stored = await options.store(renderJob.songVersionId, path, rendered)
      renderJob.settle.resolve()
    } catch (error) {
      if (error === LEFT_LOW_PRIORITY && !stopped) {
        renderJob.path = options.scratch()
        queue.unshift(renderJob)
      } else {
        if (!stopped)
          options.log.error({ err: error, song_version_id: renderJob.songVersionId }, 'Could not generate music')
        renderJob.settle.reject(error as Error)
      }
    }
    wake(renderJob)
    await scratchPath
      .then((path) => rm(path, { force: true }))
      .catch((error) => options.log.warn(error, 'Could not delete a temporary file'))
  }

  const renderInWorker = (renderJob: RenderJob, path: string, renderWorker: RenderWorker): Promise<RenderedTrack> => {
    if (hasEnded(renderWorker.child)) renderWorker.child = startChild(options.childPath, renderWorker.isLowPriority)
    const { child } = renderWorker
    return new Promise((resolve, reject) => {
      const removeListeners = () => {
        renderJob.leaveLowPriority = undefined
        child.off('message', onMessage).off('exit', fail).off('error', fail)
      }
      if (renderWorker.isLowPriority && options.size > 1)
        renderJob.leaveLowPriority = () => {
          removeListeners()
          child.kill('SIGKILL')
          renderJob.written = 0
          reject(LEFT_LOW_PRIORITY)
        }
      const fail = () => {
        removeListeners()
        reject(new Error('The music generator process exited'))
      }
      const onMessage = (message: RenderMessage) => {
        if (message.kind === 'written') {
          renderJob.written = message.bytes
          wake(renderJob)
          return
        }
        removeListeners()
        if (message.kind === 'done') resolve(message.made)
        else reject(new Error(message.message))
      }
      child.on('message', onMessage).once('exit', fail).once('error', fail)
      const request = { recipe: renderJob.recipe, path, cacheFolder: options.cacheFolder }
      child.send(request satisfies RenderRequest, (error) => error && fail())
    })
  }

  return {
    whenIdle: (songVersionId, recipe) => void requestJob(songVersionId, recipe, false),
    prepare: (songVersionId, recipe) => moveAhead(requestJob(songVersionId, recipe, false)),
    finish: (songVersionId, recipe) => requestJob(songVersionId, recipe, true).finished,
    read: (songVersionId, recipe, from, to) => readWhileRendering(requestJob(songVersionId, recipe, true), from, to),
    stop: async () => {
      stopped = true
      for (const renderJob of queue.splice(0)) {
        renderJob.settle.reject(new Error('The server is shutting down.'))
        wake(renderJob)
      }
      for (const { child } of renderWorkers) child.kill()
    },
  }
}

const wake = (renderJob: RenderJob): void => {
  for (const resume of renderJob.onProgress) resume()
  renderJob.onProgress.clear()
}

const startRenderWorker = (childPath: string, isLowPriority: boolean): RenderWorker => ({
  child: startChild(childPath, isLowPriority),
  isLowPriority,
  busy: false,
})

const hasEnded = (child: ChildProcess): boolean =>
  !child.connected || child.killed || child.exitCode !== null || child.signalCode !== null

function startChild(childPath: string, isLowPriority: boolean): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {},
  })
  // A child that fails to start or to receive a message is ended; the next job starts a new one.
  child.on('error', () => child.kill())
  try {
    if (isLowPriority && child.pid !== undefined) os.setPriority(child.pid, LOW_PRIORITY)
  } catch {
    // The child has exited already, or this system has no priorities; then it runs at normal priority.
  }
  return child
}

/** Reads the file while it is being written. The handle stays valid after its deletion; later readers use storage. */
async function* readWhileRendering(renderJob: RenderJob, from: number, to: number): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined
  let ended = false
  renderJob.finished.then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  try {
    for (let at = from; at < to; ) {
      if (renderJob.written <= at) {
        if (!ended) {
          await new Promise<void>((resolve) => renderJob.onProgress.add(resolve))
          continue
        }
        await renderJob.finished
        throw new Error('Music generation ended early')
      }
      if (!file && renderJob.stored) return yield* renderJob.stored(at, to)
      file ??= await open(await renderJob.path, 'r')
      const block = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, to - at, renderJob.written - at))
      const { bytesRead } = await file.read(block, 0, block.length, at)
      if (bytesRead === 0) throw new Error('The generated file is shorter than announced')
      yield block.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file?.close()
  }
}
