import { isMemberView } from '../platform/session.ts'
import type { Entry } from './queue.ts'

const KEY = 'dubplate.player'
const MAX_ENTRIES = 200

/** The part of the player's state that survives a reload, as stored in localStorage. */
export type SavedPlayer = {
  queue: Entry[]
  index: number
  position_seconds: number
  volume: number
  muted: boolean
  shuffle: boolean
  repeat_one: boolean
}

const EMPTY_STATE: SavedPlayer = {
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

/** Whether an entry has everything that lists and the player need to show it. */
function isEntry({ song, version, playlist_id }: Partial<Entry>): boolean {
  const textFields = [
    song?.title,
    song?.artist,
    song?.image,
    song?.wave,
    version?.version_label,
    version?.mp3,
    version?.peaks,
  ]
  return (
    textFields.every((text) => typeof text === 'string') &&
    (playlist_id === undefined || isBetween(playlist_id, 1, Number.MAX_SAFE_INTEGER)) &&
    isBetween(song?.entity_id, 1, Number.MAX_SAFE_INTEGER) &&
    isBetween(version?.song_version_id, 1, Number.MAX_SAFE_INTEGER) &&
    isBetween(version?.duration_seconds, 0, Number.MAX_SAFE_INTEGER) &&
    Array.isArray(song?.genres) &&
    Array.isArray(song?.version) &&
    Array.isArray(version?.download)
  )
}

function isSaved(parsed: unknown): parsed is SavedPlayer {
  const { queue, index, position_seconds, volume, muted, shuffle, repeat_one } = (parsed ?? {}) as Partial<SavedPlayer>
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

/** The stored state of the player; an empty one if it is invalid (an older format, or changed by hand). */
export const readSaved = (): SavedPlayer => {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isSaved(parsed) ? parsed : EMPTY_STATE
  } catch {
    return EMPTY_STATE
  }
}

/** Saves the player; for a very long queue, the 200 entries around the playing one. */
export const writeSaved = (player: SavedPlayer) => {
  if (isMemberView()) return
  const from = Math.max(0, Math.min(player.index - MAX_ENTRIES / 2, player.queue.length - MAX_ENTRIES))
  const queue = player.queue.slice(from, from + MAX_ENTRIES)
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...player, queue, index: player.index - from }))
  } catch {
    // Storage is full or not allowed: the queue then lasts until the page is reloaded.
  }
}
