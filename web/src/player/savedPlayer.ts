import { isMemberView } from '../platform/session.ts'
import { EMPTY_QUEUE, type Entry, type Queue } from './queue.ts'

const KEY = 'dubplate.player'
const MAX_ENTRIES = 200

/** Choices made while staff view the site as a member are not saved, not even after the view was left. */
const canSave = !isMemberView()

/** The part of the player's state that survives a reload, as stored in localStorage. */
export type SavedPlayer = Queue & {
  position_seconds: number
  volume: number
  muted: boolean
  shuffle: boolean
  repeat_one: boolean
}

const EMPTY_STATE: SavedPlayer = {
  ...EMPTY_QUEUE,
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

const isEntries = (entries: unknown): entries is Entry[] =>
  Array.isArray(entries) && entries.every((entry) => isEntry(entry ?? {}))

function isSaved(parsed: Partial<SavedPlayer>): parsed is SavedPlayer {
  const { list, index, source, added, position_seconds, volume, muted, shuffle, repeat_one } = parsed
  return (
    isEntries(list) &&
    Number.isInteger(index) &&
    isBetween(index, list.length ? 0 : -1, list.length - 1) &&
    (source === undefined || typeof source === 'string') &&
    isEntries(added) &&
    isBetween(position_seconds, 0, Number.MAX_SAFE_INTEGER) &&
    isBetween(volume, 0, 1) &&
    [muted, shuffle, repeat_one].every((value) => typeof value === 'boolean')
  )
}

/** Older releases saved one `queue`: what was after the current song had been added to it. */
type OlderSavedPlayer = Omit<SavedPlayer, keyof Queue> & { queue: Entry[]; index: number }

const fromOlderRelease = ({ queue, index, ...rest }: OlderSavedPlayer) => ({
  ...rest,
  list: queue.slice(0, index + 1),
  index,
  added: queue.slice(index + 1),
})

/** The stored state of the player; an empty one if it is invalid (changed by hand). */
export const readSaved = (): SavedPlayer => {
  try {
    const stored: Partial<SavedPlayer & OlderSavedPlayer> = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const parsed = Array.isArray(stored.queue) ? fromOlderRelease(stored as OlderSavedPlayer) : stored
    return isSaved(parsed) ? parsed : EMPTY_STATE
  } catch {
    return EMPTY_STATE
  }
}

/** Saves the player; of a very long list, the 200 entries around the current one. */
export const writeSaved = (player: SavedPlayer) => {
  if (!canSave) return
  const from = Math.max(0, Math.min(player.index - MAX_ENTRIES / 2, player.list.length - MAX_ENTRIES))
  const list = player.list.slice(from, from + MAX_ENTRIES)
  const added = player.added.slice(0, MAX_ENTRIES)
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...player, list, index: player.index - from, added }))
  } catch {
    // Storage is full or not allowed: the queue then lasts until the page is reloaded.
  }
}
