import { catalogue } from '@dubplate/contract'
import { type ListCover, listImage } from '../catalogue/images.ts'
import { type KeepMatching, keepMatchingRows } from '../catalogue/song-filtering.ts'
import { readRankedSongs } from '../catalogue/songs.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isVisible } from './visibility.ts'

const { SONGS_PER_PAGE } = catalogue

/** The published top 20s, newest first. */
export async function top20Tracks(sql: Sql, page: number, limit: number) {
  const rows = await sql<(ListCover & { top20_track_id: number | null; total: number })[]>`
    with published as (select * from top20 where ${isVisible(sql)})
    select counted.total, shown.* from (select count(*)::int as total from published) counted
    left join lateral (
      select t.top20_track_id, t.title, t.cover_seed, encode(a.sha256, 'hex') as artwork
      from published t left join artwork a using (artwork_id)
      order by t.published_at desc, t.top20_track_id desc limit ${limit} offset ${(page - 1) * limit}) shown on true`
  // A page after the last is one row with only the count.
  const tracks = rows.flatMap(({ top20_track_id, total: _, ...cover }) =>
    top20_track_id === null
      ? []
      : [{ top20_track_id, title: cover.title, cover_image: listImage('top20', top20_track_id, cover) }],
  )
  return { tracks, pagination: { page, perPageLimit: limit, totalCount: rows[0]?.total ?? 0 } }
}

/** The ranked songs of one top 20, each with its total downloads. Throws `unknown_list`. */
export async function top20Songs(sql: Sql, top20Id: number, page: number, downloadLimit: number, keep?: KeepMatching) {
  const [collection] = await sql<
    { title: string }[]
  >`select title from top20 where top20_track_id = ${top20Id} and ${isVisible(sql)}`
  if (!collection) throw new ApiError('unknown_list', 'This collection doesn’t exist or has been unpublished.')
  const rows = await sql<{ entity_id: number; rank: number; downloads: number }[]>`
    select t.entity_id, t.rank, coalesce(total.downloads, 0) as downloads
    from top20_song t join song s using (entity_id) left join song_total total using (entity_id)
    where t.top20_track_id = ${top20Id} and s.status = 'published' order by t.rank`
  const places = await keepMatchingRows(rows, keep)
  return {
    title: collection.title,
    songs: page > 1 ? [] : await readRankedSongs(sql, places, downloadLimit),
    pagination: { page, perPageLimit: SONGS_PER_PAGE, totalCount: places.length },
  }
}
