import type { catalogue } from '@dubplate/contract'
import type { PlaylistPage } from './playlists.ts'

/** Moves an item from one index to another. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const item = items[from]
  return item === undefined ? [...items] : items.toSpliced(from, 1).toSpliced(to, 0, item)
}

type OrderedSongs = Pick<PlaylistPage, 'songs' | 'song_ids' | 'pagination'>

/**
 * A page of a list after one of its songs moved to another index of the whole list. A song that leaves the page
 * is removed from it; the song that takes its place is not known here and has to be requested.
 */
export function pageAfterMove<Page extends OrderedSongs>(page: Page, songId: number, to: number): Page {
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
 * Groups songs into runs of neighbours, each with the position of its first song, counted from 1. Adding the runs back
 * in this order restores every song to its position.
 */
export function contiguousRuns(
  order: readonly number[],
  songIds: readonly number[],
): { position: number; song_ids: number[] }[] {
  const selectedIds = new Set(songIds)
  const sequences: { position: number; song_ids: number[] }[] = []
  order.forEach((id, at) => {
    if (!selectedIds.has(id)) return
    const sequence = sequences.at(-1)
    if (sequence && sequence.position + sequence.song_ids.length === at + 1) sequence.song_ids.push(id)
    else sequences.push({ position: at + 1, song_ids: [id] })
  })
  return sequences
}

/** A page of an ordered list of songs. */
export type SongPage = { songs: catalogue.Song[]; pagination: { page: number; perPageLimit: number } }

/** The index of the first song of a page in the whole list. */
export const firstIndexOf = (page: SongPage | undefined) =>
  page ? (page.pagination.page - 1) * page.pagination.perPageLimit : 0

/** False while a song that belongs on this page has not been loaded from another one. */
export function hasAllSongs(page: SongPage | undefined, order: readonly number[]): boolean {
  if (!page) return false
  return page.songs.length === Math.min(page.pagination.perPageLimit, order.length - firstIndexOf(page))
}
