import { catalogue } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { generatedImage, storedImage } from './images.ts'
import { songsOf } from './songs.ts'

const SPOTLIGHTS_AT_HOME = 12
const { SONGS_A_PAGE } = catalogue

type ListRow = Omit<catalogue.CuratedList, 'image'> & { artwork: string | null }

/** The newest curated lists, for the slider of the home page. */
export async function newestSpotlights(sql: Sql): Promise<catalogue.CuratedList[]> {
  const rows = await sql<ListRow[]>`
    select l.curated_list_id, l.title, l.created_by, encode(a.sha256, 'hex') as artwork,
      (select count(*)::int from curated_list_song c where c.curated_list_id = l.curated_list_id) as song_count
    from curated_list l left join artwork a using (artwork_id)
    where l.published_at <= now() order by l.published_at desc, l.curated_list_id desc limit ${SPOTLIGHTS_AT_HOME}`
  return rows.map(({ artwork, ...list }) => ({
    ...list,
    image: artwork ? storedImage(artwork) : generatedImage('list', list.curated_list_id, list.title),
  }))
}

/** One curated list's songs in its order. Refuses `unknown_list`. */
export async function spotlightSongs(sql: Sql, listId: number, page: number, downloadLimit: number) {
  const [list] = await sql<{ title: string; songs: number }[]>`
    select title, (select count(*)::int from curated_list_song c join song s using (entity_id)
      where c.curated_list_id = ${listId} and s.status = 'published') as songs
    from curated_list where curated_list_id = ${listId} and published_at <= now()`
  if (!list) throw new Refusal('unknown_list', 'There is no such list. It may have been taken down.')
  const chosen = sql`
    select c.entity_id, c.position as n from curated_list_song c join song s using (entity_id)
    where c.curated_list_id = ${listId} and s.status = 'published'
    order by c.position limit ${SONGS_A_PAGE} offset ${(page - 1) * SONGS_A_PAGE}`
  return {
    title: list.title,
    songs: await songsOf(sql, chosen, downloadLimit),
    pagination: { page, perPageLimit: SONGS_A_PAGE, totalCount: list.songs },
  }
}

/** The top-20 collections, newest first. */
export async function top20Tracks(sql: Sql, page: number, limit: number) {
  const rows = await sql<{ top20_track_id: number; title: string; artwork: string | null; total: number }[]>`
    select t.top20_track_id, t.title, encode(a.sha256, 'hex') as artwork, (select count(*)::int from top20) as total
    from top20 t left join artwork a using (artwork_id) where t.published_at <= now()
    order by t.published_at desc, t.top20_track_id desc limit ${limit} offset ${(page - 1) * limit}`
  const tracks = rows.map(({ top20_track_id, title, artwork }) => ({
    top20_track_id,
    title,
    cover_image: artwork ? storedImage(artwork) : generatedImage('top20', top20_track_id, title),
  }))
  return { tracks, pagination: { page, perPageLimit: limit, totalCount: rows[0]?.total ?? 0 } }
}

/** The ranked songs of one top-20 collection. Refuses `unknown_list`. */
export async function top20Songs(sql: Sql, top20Id: number, page: number, downloadLimit: number) {
  const [collection] = await sql<
    { title: string }[]
  >`select title from top20 where top20_track_id = ${top20Id} and published_at <= now()`
  if (!collection) throw new Refusal('unknown_list', 'There is no such collection. It may have been taken down.')
  const ranks = await sql<{ entity_id: number; rank: number; downloads: number }[]>`
    select t.entity_id, t.rank::int, coalesce((select sum(n)::int from chart_count c where c.period = 'month' and c.entity_id = t.entity_id), 0) as downloads
    from top20_song t join song s using (entity_id) where t.top20_track_id = ${top20Id} and s.status = 'published' order by t.rank`
  const chosen = sql`select entity_id, rank as n from top20_song where top20_track_id = ${top20Id}`
  const songs = page > 1 ? [] : await songsOf(sql, chosen, downloadLimit)
  const place = new Map(ranks.map((row) => [row.entity_id, row]))
  return {
    title: collection.title,
    songs: songs.flatMap((song) => {
      const found = place.get(song.entity_id)
      return found ? [{ ...song, rank: found.rank, downloads: found.downloads }] : []
    }),
    pagination: { page, perPageLimit: SONGS_A_PAGE, totalCount: ranks.length },
  }
}
