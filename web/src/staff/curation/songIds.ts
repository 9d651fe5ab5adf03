/** Result of inserting songs into a list. */
export type Insertion = {
  order: number[]
  added: number[]
  /** Songs that were already in it. */
  duplicates: number[]
  /** Songs beyond the limit. */
  overLimit: number[]
}

/** Inserts songs at a position of a list, counted from 0; each at most once, and no more than `limit` in total. */
export function insertSongs(
  order: readonly number[],
  songIds: readonly number[],
  at: number,
  limit: number,
): Insertion {
  const there = new Set(order)
  const wanted = [...new Set(songIds)]
  const fresh = wanted.filter((id) => !there.has(id))
  const added = fresh.slice(0, Math.max(0, limit - order.length))
  return {
    order: order.toSpliced(at, 0, ...added),
    added,
    duplicates: wanted.filter((id) => there.has(id)),
    overLimit: fresh.slice(added.length),
  }
}

const SONG_ADDRESS = /\/song\/(\d{1,10})\b/g
const IDS_ALONE = /^[\s,;#]*\d{1,10}([\s,;#]+\d{1,10})*[\s,;#]*$/
const LARGEST_ID = 2_147_483_647

/** The songs a text names: by their links anywhere in it, or by ids when it contains nothing else. */
export function songIdsIn(text: string): number[] {
  const named = [...text.matchAll(SONG_ADDRESS)].map(([, id]) => Number(id))
  const ids = named.length > 0 || !IDS_ALONE.test(text) ? named : text.match(/\d+/g)?.map(Number)
  return [...new Set(ids)].filter((id) => id > 0 && id <= LARGEST_ID)
}

/** True when text pasted into the search is meant for the list: links, or several ids. */
export const isForList = (text: string): boolean =>
  /\/song\/\d/.test(text) ? songIdsIn(text).length > 0 : songIdsIn(text).length > 1
