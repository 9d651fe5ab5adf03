import { type ChildProcess, fork } from 'node:child_process'
import { type FileHandle, open, rm } from 'node:fs/promises'
import os from 'node:os'
import type { Recipe } from '@dubplate/demo/song'
import type { Log } from '../platform/log.ts'
import type { MusicOnDemand } from '../world.ts'
import type { FromMusician, Made, ToMusician } from './music-messages.ts'

/** One version in the making. Its file grows; `moved` wakes those who wait for more of it. */
type Making = {
  songVersionId: number
  recipe: Recipe
  path: Promise<string>
  urgent: boolean
  written: number
  moved: Set<() => void>
  /** Reads it from the store, once it is there. */
  stored: ReadMusic | undefined
  finished: Promise<void>
  settle: { done(): void; failed(error: Error): void }
}

/** The bytes `from` up to but without `to` of music that is stored. */
export type ReadMusic = (from: number, to: number) => AsyncIterable<Uint8Array>

type Musician = { child: ChildProcess; isPolite: boolean; busy: boolean }

export type Musicians = MusicOnDemand & {
  /** Makes this version when nobody waits for anything else. */
  whenIdle(songVersionId: number, recipe: Recipe): void
  stop(): Promise<void>
}

type Options = {
  childPath: string
  /** A place for the file in the making. */
  scratch(): Promise<string>
  /** Stores the finished file and answers with what reads it there; the version has its file row afterwards. */
  store(songVersionId: number, path: string, made: Made): Promise<ReadMusic>
  size: number
  /** Holds music for other pools of this machine; without it all music is made. */
  cacheFolder?: string | undefined
  log: Log
}

const READ_BYTES = 64 * 1024
const POLITE = 15

/** Makes music in child processes: what somebody waits for first, the rest while nobody does. */
export function startMusicians(options: Options): Musicians {
  const queue: Making[] = []
  const known = new Map<number, Making>()
  // The first one is polite and makes what nobody waits for; the others are kept for what somebody does.
  const musicians = Array.from({ length: options.size }, (_, n) => startMusician(options.childPath, n === 0))
  let stopped = false

  const order = (songVersionId: number, recipe: unknown, urgent: boolean): Making => {
    const making = known.get(songVersionId) ?? enqueue(songVersionId, recipe as Recipe)
    if (urgent && !making.urgent) {
      making.urgent = true
      const place = queue.indexOf(making)
      if (place > 0) queue.unshift(...queue.splice(place, 1))
    }
    pump()
    return making
  }

  const enqueue = (songVersionId: number, recipe: Recipe): Making => {
    const settle = { done: () => {}, failed: (_error: Error) => {} }
    const finished = new Promise<void>((done, failed) => Object.assign(settle, { done, failed }))
    finished.catch(() => known.delete(songVersionId))
    const path = options.scratch()
    const making = {
      songVersionId,
      recipe,
      path,
      urgent: false,
      written: 0,
      moved: new Set<() => void>(),
      stored: undefined,
      finished,
      settle,
    }
    known.set(songVersionId, making)
    queue.push(making)
    return making
  }

  /** Prompt musicians first for what somebody waits for; only the polite one for the rest. */
  const freeFor = (making: Making): Musician | undefined => {
    const free = musicians.filter((musician) => !musician.busy)
    return making.urgent
      ? (free.find((musician) => !musician.isPolite) ?? free[0])
      : free.find((musician) => musician.isPolite)
  }

  const pump = (): void => {
    for (let next = queue[0]; next && !stopped; next = queue[0]) {
      const musician = freeFor(next)
      if (!musician) return
      queue.shift()
      musician.busy = true
      perform(next, musician).finally(() => {
        musician.busy = false
        pump()
      })
    }
  }

  const perform = async (making: Making, musician: Musician): Promise<void> => {
    try {
      const path = await making.path
      const made = await play(making, path, musician)
      making.stored = await options.store(making.songVersionId, path, made)
      making.settle.done()
    } catch (error) {
      if (!stopped) options.log.error({ err: error, song_version_id: making.songVersionId }, 'Could not generate music')
      making.settle.failed(error as Error)
    }
    wake(making)
    await making.path
      .then((path) => rm(path, { force: true }))
      .catch((error) => options.log.warn(error, 'Could not delete a temporary file'))
  }

  const play = (making: Making, path: string, musician: Musician): Promise<Made> => {
    if (hasEnded(musician.child)) musician.child = startChild(options.childPath, musician.isPolite)
    const { child } = musician
    return new Promise((resolve, reject) => {
      const leave = () => child.off('message', hear).off('exit', fail).off('error', fail)
      const fail = () => {
        leave()
        reject(new Error('The music generator process exited'))
      }
      const hear = (message: FromMusician) => {
        if (message.kind === 'written') {
          making.written = message.bytes
          wake(making)
          return
        }
        leave()
        if (message.kind === 'done') resolve(message.made)
        else reject(new Error(message.message))
      }
      child.on('message', hear).once('exit', fail).once('error', fail)
      const order = { recipe: making.recipe, path, cacheFolder: options.cacheFolder }
      child.send(order satisfies ToMusician, (error) => error && fail())
    })
  }

  return {
    whenIdle: (songVersionId, recipe) => void order(songVersionId, recipe, false),
    finish: (songVersionId, recipe) => order(songVersionId, recipe, true).finished,
    read: (songVersionId, recipe, from, to) => readWhileMade(order(songVersionId, recipe, true), from, to),
    stop: async () => {
      stopped = true
      for (const making of queue.splice(0)) {
        making.settle.failed(new Error('The server is shutting down.'))
        wake(making)
      }
      for (const { child } of musicians) child.kill()
    },
  }
}

const wake = (making: Making): void => {
  for (const one of making.moved) one()
  making.moved.clear()
}

const startMusician = (childPath: string, isPolite: boolean): Musician => ({
  child: startChild(childPath, isPolite),
  isPolite,
  busy: false,
})

const hasEnded = (child: ChildProcess): boolean =>
  !child.connected || child.killed || child.exitCode !== null || child.signalCode !== null

function startChild(childPath: string, isPolite: boolean): ChildProcess {
  const child = fork(childPath, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {},
  })
  // One that fails to start or to hear is of no use any more; the next making gets a fresh one.
  child.on('error', () => child.kill())
  try {
    if (isPolite && child.pid !== undefined) os.setPriority(child.pid, POLITE)
  } catch {
    // It has gone already, or this machine has no priorities: only politeness is lost.
  }
  return child
}

/** Follows the file as it grows. The handle outlives the file; whoever comes later reads what is stored. */
async function* readWhileMade(making: Making, from: number, to: number): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined
  let ended = false
  making.finished.then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  try {
    for (let at = from; at < to; ) {
      if (making.written <= at) {
        if (!ended) {
          await new Promise<void>((resolve) => making.moved.add(resolve))
          continue
        }
        await making.finished
        throw new Error('Music generation ended early')
      }
      if (!file && making.stored) return yield* making.stored(at, to)
      file ??= await open(await making.path, 'r')
      const block = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, to - at, making.written - at))
      const { bytesRead } = await file.read(block, 0, block.length, at)
      if (bytesRead === 0) throw new Error('The generated file is shorter than announced')
      yield block.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file?.close()
  }
}
