import { catalogue } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { songsAt } from './charts.ts'
import { generatedImage, storedImage } from './images.ts'

const { SONGS_A_PAGE } = catalogue

/** The top-20 collections, newest first. */
export async function top20Tracks(sql: Sql, page: number, limit: number) {
  const rows = await sql<{ top20_track_id: number | null; title: string; artwork: string | null; total: number }[]>`
    with published as (select * from top20 where published_at <= now())
    select counted.total, shown.* from (select count(*)::int as total from published) counted
    left join lateral (
      select t.top20_track_id, t.title, encode(a.sha256, 'hex') as artwork from published t left join artwork a using (artwork_id)
      order by t.published_at desc, t.top20_track_id desc limit ${limit} offset ${(page - 1) * limit}) shown on true`
  // A page beyond the end is one row that has the count alone.
  const tracks = rows.flatMap(({ top20_track_id, title, artwork }) => {
    if (top20_track_id === null) return []
    const cover_image = artwork ? storedImage(artwork) : generatedImage('top20', top20_track_id, title)
    return [{ top20_track_id, title, cover_image }]
  })
  return { tracks, pagination: { page, perPageLimit: limit, totalCount: rows[0]?.total ?? 0 } }
}

/** The ranked songs of one top-20 collection, each with all of its downloads. Refuses `unknown_list`. */
export async function top20Songs(sql: Sql, top20Id: number, page: number, downloadLimit: number) {
  const [collection] = await sql<
    { title: string }[]
  >`select title from top20 where top20_track_id = ${top20Id} and published_at <= now()`
  if (!collection) throw new Refusal('unknown_list', 'There is no such collection. It may have been taken down.')
  const places = await sql<{ entity_id: number; rank: number; downloads: number }[]>`
    select t.entity_id, t.rank, coalesce(total.downloads, 0) as downloads
    from top20_song t join song s using (entity_id) left join song_total total using (entity_id)
    where t.top20_track_id = ${top20Id} and s.status = 'published' order by t.rank`
  return {
    title: collection.title,
    songs: page > 1 ? [] : await songsAt(sql, places, downloadLimit),
    pagination: { page, perPageLimit: SONGS_A_PAGE, totalCount: places.length },
  }
}
