import { catalogue } from '@dubplate/contract'
import * as z from 'zod/mini'

const KEY = 'dubplate.player'
const MOST_ENTRIES = 200

const entry = z.object({ song: catalogue.song, version: catalogue.version })

const saved = z.object({
  queue: z.array(entry),
  index: z.number().check(z.int(), z.gte(-1)),
  position_seconds: z.number().check(z.gte(0)),
  volume: z.number().check(z.gte(0), z.lte(1)),
  muted: z.boolean(),
  shuffle: z.boolean(),
  repeat_one: z.boolean(),
})

/** What of the player outlives a reload, as it lies in localStorage. */
export type Saved = z.output<typeof saved>

export const NOTHING_SAVED: Saved = {
  queue: [],
  index: -1,
  position_seconds: 0,
  volume: 1,
  muted: false,
  shuffle: false,
  repeat_one: false,
}

/** The player as it was left. Anything that is not whole (older shapes, other hands) starts empty. */
export const readSaved = (): Saved => {
  try {
    const read = saved.safeParse(JSON.parse(localStorage.getItem(KEY) ?? 'null'))
    return read.success && read.data.index < read.data.queue.length ? read.data : NOTHING_SAVED
  } catch {
    return NOTHING_SAVED
  }
}

/** Saves the player; of a very long queue the 200 entries around the playing one. */
export const writeSaved = (player: Saved) => {
  const from = Math.max(0, Math.min(player.index - MOST_ENTRIES / 2, player.queue.length - MOST_ENTRIES))
  const queue = player.queue.slice(from, from + MOST_ENTRIES)
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...player, queue, index: player.index - from }))
  } catch {
    // Storage is full or refused: the queue then lasts as long as the page.
  }
}
