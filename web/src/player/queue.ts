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

/** What plays, and what plays after it. A version is in it at most once. */
export type Queue = {
  /** The list that playback was started from, with the songs that were played in between. */
  list: Entry[]
  /** The current entry of the list; -1 while the queue is empty. */
  index: number
  /** The name of the list: “Charts”. */
  source?: string | undefined
  /** What was added with “Play next” and “Add to queue”: it plays before the rest of the list. */
  added: Entry[]
}

export const EMPTY_QUEUE: Queue = { list: [], index: -1, source: undefined, added: [] }

export const currentEntry = ({ list, index }: Pick<Queue, 'list' | 'index'>): Entry | undefined => list[index]

/** What plays after the current entry: what was added, then the rest of the list. */
export const upcomingEntries = ({ list, index, added }: Queue): Entry[] => [...added, ...list.slice(index + 1)]

const idOf = ({ version }: Entry) => version.song_version_id

const without = (entries: Entry[], entry: Entry) => entries.filter((each) => idOf(each) !== idOf(entry))

/** Makes an entry the current one. One that is not in the list is inserted after the current one. */
export const withCurrent = (queue: Queue, entry: Entry): Queue => {
  const added = without(queue.added, entry)
  const at = queue.list.findIndex((each) => idOf(each) === idOf(entry))
  if (at >= 0) return { ...queue, list: queue.list.with(at, entry), index: at, added }
  const index = queue.index + 1
  return { ...queue, list: queue.list.toSpliced(index, 0, entry), index, added }
}

/** Plays an entry of a list: the list replaces the previous one, without what can't be played; added entries stay. */
export const withList = (queue: Queue, entry: Entry, songs: Entry[], source: string | undefined): Queue => {
  const added = without(queue.added, entry)
  // Another version of the song may be listed than the one that was chosen.
  const at = songs.findIndex(({ song }) => song.entity_id === entry.song.entity_id)
  const used = new Set([entry, ...added].map(idOf))
  const list = (at < 0 ? [entry, ...songs] : songs.with(at, entry)).filter((each) => {
    if (each === entry) return true
    const isPlayable = each.version.available && !used.has(idOf(each))
    used.add(idOf(each))
    return isPlayable
  })
  return { list, index: list.indexOf(entry), source, added }
}

/** Adds more songs at the end of the list: those of its next pages. */
export const withMore = (queue: Queue, entries: Entry[]): Queue => {
  const used = new Set([...queue.list, ...queue.added].map(idOf))
  return { ...queue, list: [...queue.list, ...entries.filter((entry) => !used.has(idOf(entry)))] }
}

/** Adds an entry after the other added ones, or before them. In an empty queue it becomes the current one. */
export const withAdded = (queue: Queue, entry: Entry, place: 'first' | 'last'): Queue => {
  const current = currentEntry(queue)
  if (!current) return { ...queue, list: [entry], index: 0 }
  if (idOf(current) === idOf(entry)) return queue
  if (place === 'last' && queue.added.some((each) => idOf(each) === idOf(entry))) return queue
  const list = without(queue.list, entry)
  const others = without(queue.added, entry)
  const added = place === 'first' ? [entry, ...others] : [...others, entry]
  return { ...queue, list, index: list.indexOf(current), added }
}

/** The same queue with other upcoming entries, of which the first `addedCount` are the added ones. */
const withUpcoming = (queue: Queue, entries: Entry[], addedCount: number): Queue => ({
  ...queue,
  list: [...queue.list.slice(0, queue.index + 1), ...entries.slice(addedCount)],
  added: entries.slice(0, addedCount),
})

/** Moves an upcoming entry. One that is moved among the added ones becomes one of them, and the other way round. */
export const withMoved = (queue: Queue, from: number, to: number): Queue => {
  const entries = upcomingEntries(queue)
  const entry = entries[from]
  if (!entry || from === to || to < 0 || to >= entries.length) return queue
  const wasAdded = from < queue.added.length
  const others = queue.added.length - (wasAdded ? 1 : 0)
  const isAdded = wasAdded ? to <= others : to < others
  return withUpcoming(queue, entries.toSpliced(from, 1).toSpliced(to, 0, entry), others + (isAdded ? 1 : 0))
}

/** Removes an upcoming entry. */
export const withoutUpcoming = (queue: Queue, at: number): Queue =>
  withUpcoming(queue, upcomingEntries(queue).toSpliced(at, 1), queue.added.length - (at < queue.added.length ? 1 : 0))

/** Continues with what was added, then with the list; after its last song with its first. */
export const withNext = (queue: Queue): Queue => {
  const [first] = queue.added
  if (first) return withCurrent(queue, first)
  return { ...queue, index: queue.list.length ? (queue.index + 1) % queue.list.length : -1 }
}

export const withPrevious = (queue: Queue): Queue => ({
  ...queue,
  index: queue.list.length ? (queue.index - 1 + queue.list.length) % queue.list.length : -1,
})

/** Continues with what was added, in its order, then with a random other entry of the list. */
export const withShuffledNext = (queue: Queue): Queue => {
  const { list, index, added } = queue
  if (added.length > 0 || list.length < 2) return withNext(queue)
  const step = 1 + Math.floor(Math.random() * (list.length - 1))
  return { ...queue, index: (index + step) % list.length }
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
