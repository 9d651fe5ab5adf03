import { isView } from '../platform/session.ts'
import type { Entry } from './queue.ts'

const KEY = 'dubplate.player'
const MOST_ENTRIES = 200

/** What of the player outlives a reload, as it lies in localStorage. */
export type Saved = {
  queue: Entry[]
  index: number
  position_seconds: number
  volume: number
  muted: boolean
  shuffle: boolean
  repeat_one: boolean
}

export const NOTHING_SAVED: Saved = {
  queue: [],
  index: -1,
  position_seconds: 0,
  volume: 1,
  muted: false,
  shuffle: false,
  repeat_one: false,
}

const isBetween = (value: unknown, from: number, to: number) =>
  typeof value === 'number' && value >= from && value <= to

/** An entry as lists and the player show it, down to what they would stumble over. */
function isEntry({ song, version, playlist_id }: Partial<Entry>): boolean {
  const texts = [
    song?.title,
    song?.artist,
    song?.image,
    song?.wave,
    version?.version_label,
    version?.mp3,
    version?.peaks,
  ]
  return (
    texts.every((text) => typeof text === 'string') &&
    (playlist_id === undefined || isBetween(playlist_id, 1, Number.MAX_SAFE_INTEGER)) &&
    isBetween(song?.entity_id, 1, Number.MAX_SAFE_INTEGER) &&
    isBetween(version?.song_version_id, 1, Number.MAX_SAFE_INTEGER) &&
    isBetween(version?.duration_seconds, 0, Number.MAX_SAFE_INTEGER) &&
    Array.isArray(song?.genres) &&
    Array.isArray(song?.version) &&
    Array.isArray(version?.download)
  )
}

function isWhole(read: unknown): read is Saved {
  const { queue, index, position_seconds, volume, muted, shuffle, repeat_one } = (read ?? {}) as Partial<Saved>
  return (
    Array.isArray(queue) &&
    queue.every((entry) => isEntry(entry ?? {})) &&
    Number.isInteger(index) &&
    isBetween(index, -1, queue.length - 1) &&
    isBetween(position_seconds, 0, Number.MAX_SAFE_INTEGER) &&
    isBetween(volume, 0, 1) &&
    [muted, shuffle, repeat_one].every((value) => typeof value === 'boolean')
  )
}

/** The player as it was left. Anything that is not whole (older shapes, other hands) starts empty. */
export const readSaved = (): Saved => {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isWhole(read) ? read : NOTHING_SAVED
  } catch {
    return NOTHING_SAVED
  }
}

/** Saves the player; of a very long queue the 200 entries around the playing one. */
export const writeSaved = (player: Saved) => {
  if (isView()) return
  const from = Math.max(0, Math.min(player.index - MOST_ENTRIES / 2, player.queue.length - MOST_ENTRIES))
  const queue = player.queue.slice(from, from + MOST_ENTRIES)
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...player, queue, index: player.index - from }))
  } catch {
    // Storage is full or refused: the queue then lasts as long as the page.
  }
}
