import { catalogue, type curation, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { readRankedSongs, songsOf } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'

const { SONGS_PER_PAGE } = catalogue

/**
 * Songs by id, in this order: complete for published songs, with artist and title for the others, and the ids that do
 * not exist.
 */
export async function songsForComposer(
  sql: Sql,
  entityIds: readonly number[],
  downloadLimit: number,
): Promise<ReplyOf<typeof curation.getSongs>> {
  const requestedIds = [...new Set(entityIds)]
  const songs = await songsOf(sql, requestedIds, downloadLimit)
  const shown = new Set(songs.map(({ entity_id }) => entity_id))
  const rest = requestedIds.filter((id) => !shown.has(id))
  const unpublished = await sql<{ entity_id: number; title: string; artist: string }[]>`
    select entity_id, title, artist from song where entity_id = any(${rest}::bigint[])`
  const known = new Set(unpublished.map(({ entity_id }) => entity_id))
  return { songs, unpublished: [...unpublished], unknown: rest.filter((id) => !known.has(id)) }
}

/** A page of a list of these songs as members see it: without unpublished songs, whose ranks in a top 20 stay empty. */
export async function previewList(
  sql: Sql,
  { kind, entity_ids, page }: ParsedInputOf<typeof curation.previewList>,
  downloadLimit: number,
): Promise<ReplyOf<typeof curation.previewList>> {
  const places = await sql<{ entity_id: number; rank: number; downloads: number }[]>`
    select entity_id, n::int as rank, coalesce(total.downloads, 0) as downloads
    from unnest(${[...entity_ids]}::bigint[]) with ordinality wanted (entity_id, n)
    join song s using (entity_id) left join song_total total using (entity_id)
    where s.status = 'published' order by n`
  const pageSongs = places.slice((page - 1) * SONGS_PER_PAGE, page * SONGS_PER_PAGE)
  const songs = await readRankedSongs(sql, pageSongs, downloadLimit)
  return {
    songs: kind === 'top20' ? songs : songs.map(({ rank: _, downloads: __, ...song }) => song),
    pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: places.length },
  }
}
