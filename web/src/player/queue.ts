import type { catalogue } from '@dubplate/contract'

export type Entry = { song: catalogue.Song; version: catalogue.Version }

/** A queue and the place in it; index is -1 while the queue is empty. A version is in a queue at most once. */
export type Place = { queue: Entry[]; index: number }

export const placeOf = (queue: Entry[], { version }: Entry): number =>
  queue.findIndex((entry) => entry.version.song_version_id === version.song_version_id)

/** Puts an entry at the end; one that is there already stays where it is. An empty queue gets its place. */
export const withLast = ({ queue, index }: Place, entry: Entry): Place =>
  placeOf(queue, entry) >= 0 ? { queue, index } : { queue: [...queue, entry], index: Math.max(0, index) }

/** Puts an entry right after the playing one, taking it from where it stood. The playing one itself stays. */
export const withNext = ({ queue, index }: Place, entry: Entry): Place => {
  const stood = placeOf(queue, entry)
  if (stood >= 0 && stood === index) return { queue, index }
  const rest = queue.filter((_, at) => at !== stood)
  const playing = stood >= 0 && stood < index ? index - 1 : index
  return { queue: rest.toSpliced(playing + 1, 0, entry), index: Math.max(0, playing) }
}

/** Takes one entry out. Where it was the playing one, the place is the one that followed it. */
export const without = ({ queue, index }: Place, at: number): Place => {
  const left = queue.filter((_, other) => other !== at)
  const place = at < index ? index - 1 : index
  return { queue: left, index: Math.min(place, left.length - 1) }
}

export const moved = ({ queue, index }: Place, from: number, to: number): Place => {
  const entry = queue[from]
  if (!entry || from === to || to < 0 || to >= queue.length) return { queue, index }
  const reordered = queue.toSpliced(from, 1).toSpliced(to, 0, entry)
  return { queue: reordered, index: reordered.indexOf(queue[index]!) }
}

/** The place after this one: in the queue, then on through the list played from, then round to the start. */
export const following = ({ queue, index }: Place, list: Entry[]): Place => {
  if (index + 1 < queue.length) return { queue, index: index + 1 }
  const more = listGoesOn(queue, list)
  return more ? { queue: [...queue, more], index: queue.length } : { queue, index: queue.length ? 0 : -1 }
}

export const preceding = ({ queue, index }: Place): Place => ({
  queue,
  index: queue.length ? (index - 1 + queue.length) % queue.length : -1,
})

/** Any other entry of the queue. A queue of one has no other, and goes on as if it were not shuffled. */
export const shuffled = (place: Place, list: Entry[]): Place => {
  const { queue, index } = place
  if (queue.length < 2) return following(place, list)
  const step = 1 + Math.floor(Math.random() * (queue.length - 1))
  return { queue, index: (index + step) % queue.length }
}

/** The first song of the list after the last one the queue took from it, whatever version of it was played. */
const listGoesOn = (queue: Entry[], list: Entry[]): Entry | undefined => {
  const queued = new Set(queue.map((entry) => entry.song.entity_id))
  const last = queue.findLast((entry) => list.some((one) => one.song.entity_id === entry.song.entity_id))
  const from = list.findIndex((one) => one.song.entity_id === last?.song.entity_id)
  return list.slice(from + 1).find((one) => !queued.has(one.song.entity_id) && one.version.available)
}
