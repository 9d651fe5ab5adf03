import type { PlaylistPage } from './playlists.ts'

/** Takes an item from one place to another, both counted from 0. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}

/**
 * A page of a playlist after one of its songs moved to another place of the whole, counted from 0. A song that leaves the
 * page is gone from it; what comes in its stead is not known here, and is asked for.
 */
export function pageAfterMove(page: PlaylistPage, songId: number, to: number): PlaylistPage {
  const song_ids = moveItem(page.song_ids, page.song_ids.indexOf(songId), to)
  const known = new Map(page.songs.map((song) => [song.entity_id, song]))
  const from = (page.pagination.page - 1) * page.pagination.perPageLimit
  const songs = song_ids.slice(from, from + page.pagination.perPageLimit).flatMap((id) => known.get(id) ?? [])
  return { ...page, song_ids, songs }
}

/** A page of a playlist without some of its songs. */
export function removeFromPage(page: PlaylistPage, songIds: readonly number[]): PlaylistPage {
  const removedIds = new Set(songIds)
  const song_ids = page.song_ids.filter((id) => !removedIds.has(id))
  return {
    ...page,
    song_ids,
    songs: page.songs.filter(({ entity_id }) => !removedIds.has(entity_id)),
    playlist: { ...page.playlist, song_count: song_ids.length },
    pagination: { ...page.pagination, totalCount: song_ids.length },
  }
}

/**
 * Runs of songs that stand beside each other, each with the place of its first, counted from 1. Put back in this order,
 * every song is where it was.
 */
export function contiguousRuns(
  order: readonly number[],
  songIds: readonly number[],
): { position: number; song_ids: number[] }[] {
  const requestedCount = new Set(songIds)
  const sequences: { position: number; song_ids: number[] }[] = []
  order.forEach((id, at) => {
    if (!requestedCount.has(id)) return
    const sequence = sequences.at(-1)
    if (sequence && sequence.position + sequence.song_ids.length === at + 1) sequence.song_ids.push(id)
    else sequences.push({ position: at + 1, song_ids: [id] })
  })
  return sequences
}

/** False while a song that belongs on this page is on its way from another one. */
export function hasAllSongs(page: PlaylistPage | undefined): boolean {
  if (!page) return false
  const { perPageLimit, page: number } = page.pagination
  return page.songs.length === Math.min(perPageLimit, page.song_ids.length - (number - 1) * perPageLimit)
}
