import type { catalogue } from '@dubplate/contract'
import { preferredVersion } from '../library/preferredVersion.ts'

export type Entry = {
  song: catalogue.Song
  version: catalogue.Version
  /** The playlist it is played from. */
  playlist_id?: number | undefined
}

/** Queue entries for songs: each with its preferred version. Songs without a playable one are skipped. */
export const toQueueEntries = (songs: catalogue.Song[], playlist_id?: number): Entry[] =>
  songs.flatMap((song) => {
    const version = preferredVersion(song)
    return version ? [{ song, version, playlist_id }] : []
  })

/** A queue and the current index; -1 while the queue is empty. A version is in a queue at most once. */
export type QueuePosition = { queue: Entry[]; index: number }

export const indexInQueue = (queue: Entry[], { version }: Entry): number =>
  queue.findIndex((entry) => entry.version.song_version_id === version.song_version_id)

/** Appends an entry unless it is already in the queue. In an empty queue it becomes the current one. */
export const withLast = ({ queue, index }: QueuePosition, entry: Entry): QueuePosition =>
  indexInQueue(queue, entry) >= 0 ? { queue, index } : { queue: [...queue, entry], index: Math.max(0, index) }

/** Appends entries in order, each as `withLast` does. */
export const withAll = (position: QueuePosition, entries: Entry[]): QueuePosition => entries.reduce(withLast, position)

/** The queue with a new source: an entry that was already in it now belongs to the given playlist. */
export const queueFrom = (queue: Entry[], at: number, { playlist_id }: Entry): Entry[] => {
  const entry = queue[at]
  return entry && entry.playlist_id !== playlist_id ? queue.with(at, { ...entry, playlist_id }) : queue
}

/** The same entries in random order (Fisher–Yates). */
export const shuffleEntries = (entries: Entry[], random = Math.random): Entry[] => {
  const cards = [...entries]
  for (let left = cards.length - 1; left > 0; left--) {
    const at = Math.floor(random() * (left + 1))
    ;[cards[left], cards[at]] = [cards[at]!, cards[left]!]
  }
  return cards
}

/** Adds an entry right after the playing one, or moves it there. The playing entry itself stays. */
export const withNext = ({ queue, index }: QueuePosition, entry: Entry): QueuePosition => {
  const previousIndex = indexInQueue(queue, entry)
  if (previousIndex >= 0 && previousIndex === index) return { queue, index }
  const rest = queue.filter((_, at) => at !== previousIndex)
  const playing = previousIndex >= 0 && previousIndex < index ? index - 1 : index
  return { queue: rest.toSpliced(playing + 1, 0, entry), index: Math.max(0, playing) }
}

/** Removes one entry. If it was the playing one, the index points to the entry after it. */
export const withoutEntry = ({ queue, index }: QueuePosition, at: number): QueuePosition => {
  const remaining = queue.filter((_, other) => other !== at)
  const position = at < index ? index - 1 : index
  return { queue: remaining, index: Math.min(position, remaining.length - 1) }
}

export const withMoved = ({ queue, index }: QueuePosition, from: number, to: number): QueuePosition => {
  const entry = queue[from]
  if (!entry || from === to || to < 0 || to >= queue.length) return { queue, index }
  const reordered = queue.toSpliced(from, 1).toSpliced(to, 0, entry)
  return { queue: reordered, index: reordered.indexOf(queue[index]!) }
}

/** The position after this one: in the queue, then on through the list it was played from, then back to the start. */
export const nextPlace = ({ queue, index }: QueuePosition, list: Entry[]): QueuePosition => {
  if (index + 1 < queue.length) return { queue, index: index + 1 }
  const more = nextFromList(queue, list)
  return more ? { queue: [...queue, more], index: queue.length } : { queue, index: queue.length ? 0 : -1 }
}

export const previousPlace = ({ queue, index }: QueuePosition): QueuePosition => ({
  queue,
  index: queue.length ? (index - 1 + queue.length) % queue.length : -1,
})

/** A random other entry of the queue. With a single entry it continues as if not shuffled. */
export const shuffledPlace = (position: QueuePosition, list: Entry[]): QueuePosition => {
  const { queue, index } = position
  if (queue.length < 2) return nextPlace(position, list)
  const step = 1 + Math.floor(Math.random() * (queue.length - 1))
  return { queue, index: (index + step) % queue.length }
}

/** The song of the list after the last one in the queue, whichever version of it was played. */
const nextFromList = (queue: Entry[], list: Entry[]): Entry | undefined => {
  const queued = new Set(queue.map((entry) => entry.song.entity_id))
  const last = queue.findLast((entry) => list.some((one) => one.song.entity_id === entry.song.entity_id))
  const from = list.findIndex((one) => one.song.entity_id === last?.song.entity_id)
  return list.slice(from + 1).find((one) => !queued.has(one.song.entity_id) && one.version.available)
}
