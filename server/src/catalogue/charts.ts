import { catalogue, type charts, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { findGenre, genresWithSongs } from './genres.ts'
import { column } from './lists.ts'
import { isPinned } from './showing.ts'
import { songsOf, theseSongs } from './songs.ts'

const { SECTIONS, SONGS_A_PAGE } = catalogue
const TRENDING = 30
const TODAY = 10

type Ranked = { entity_id: number; rank: number; downloads: number }

/** The songs at these places, whole and in this order, each with what its place says of it; withdrawn songs are left out. */
export async function songsAt<Place extends { entity_id: number }>(
  sql: Sql,
  places: readonly Place[],
  downloadLimit: number,
): Promise<(catalogue.Song & Place)[]> {
  if (places.length === 0) return []
  const ids = places.map((place) => place.entity_id)
  const songs = await songsOf(sql, theseSongs(sql, ids), downloadLimit)
  const placeOf = new Map(places.map((place) => [place.entity_id, place]))
  return songs.flatMap((song) => {
    const place = placeOf.get(song.entity_id)
    return place ? [{ ...song, ...place }] : []
  })
}

type ChartWish = ParsedInputOf<typeof charts.getChart>

/**
 * A page of a chart as it was last counted, of one genre or of all. Another order sorts the songs of the chart. A song
 * that was withdrawn since leaves its rank empty. Refuses `unknown_genre`.
 */
export async function chartPage(
  sql: Sql,
  wish: ChartWish,
  downloadLimit: number,
): Promise<ReplyOf<typeof charts.getChart>> {
  const genre = wish.genre_id ? await findGenre(sql, wish.genre_id) : undefined
  const [places, counted_at, genres] = await Promise.all([
    chartPlaces(sql, { ...wish, genre_id: genre?.genre_id }),
    countedAt(sql, wish.chart_type),
    genresWithSongs(sql, wish.song_section_id),
  ])
  const skipped = (wish.page - 1) * SONGS_A_PAGE
  return {
    songs: await songsAt(sql, places.slice(skipped, skipped + SONGS_A_PAGE), downloadLimit),
    genres,
    counted_at,
    pagination: { page: wish.page, perPageLimit: SONGS_A_PAGE, totalCount: places.length },
  }
}

type ChartPlace = Ranked & { rank_before: number | null }

async function chartPlaces(sql: Sql, wish: ChartWish): Promise<ChartPlace[]> {
  const { chart_type, genre_id, song_section_id, order, orderDir } = wish
  const by = order === 'rank' ? sql`c.rank` : order === 'entity_id' ? sql`s.entity_id` : column(sql, order)
  const way = orderDir === 'ASC' ? sql`asc` : sql`desc`
  return sql<ChartPlace[]>`
    select c.entity_id, c.rank, c.n as downloads, c.rank_before from chart_snapshot c join song s using (entity_id)
    where c.chart = ${chart_type} and c.genre_id = ${genre_id ?? 0} and c.song_section_id = ${song_section_id}
      and s.status = 'published'
    order by ${by} ${way} nulls last, c.rank`
}

async function countedAt(sql: Sql, chart: ChartWish['chart_type']): Promise<string | null> {
  const [refresh] = await sql<{ counted_at: Date }[]>`select counted_at from chart_refresh where chart = ${chart}`
  return refresh?.counted_at.toISOString() ?? null
}

/** The songs most downloaded in a month of the calendar (`2026-11`, in UTC). Of two with as many the newer one leads. */
export async function monthChart(
  sql: Sql,
  month: string,
  { places, downloadLimit }: { places: number; downloadLimit: number },
): Promise<charts.RankedSong[]> {
  const begin = sql`${`${month}-01`}::date`
  const rows = await sql<Ranked[]>`
    select entity_id, sum(n)::int as downloads, row_number() over (order by sum(n) desc, entity_id desc)::int as rank
    from chart_count join song s using (entity_id)
    where period = 'day' and start >= ${begin}::timestamp at time zone 'UTC'
      and start < (${begin} + interval '1 month') at time zone 'UTC'
      and s.status = 'published' and s.song_section_id = ${SECTIONS.songs}
    group by entity_id order by rank limit ${places}`
  return songsAt(sql, rows, downloadLimit)
}

/** The songs most downloaded since midnight UTC. */
export async function mostDownloadedToday(sql: Sql, downloadLimit: number): Promise<charts.RankedSong[]> {
  const rows = await sql<Ranked[]>`
    select entity_id, n as downloads, row_number() over ()::int as rank from (
      select c.entity_id, c.n from chart_count c join song s using (entity_id)
      where c.period = 'day' and c.start = date_trunc('day', now(), 'UTC') and s.status = 'published'
      order by c.n desc, c.entity_id desc limit ${TODAY}) top`
  return songsAt(sql, rows, downloadLimit)
}

/**
 * The thirty songs that climb fastest, as they were last counted; a song that is pinned stands at its rank for as long,
 * unless the pins are left out.
 */
export async function trendingTracks(
  sql: Sql,
  downloadLimit: number,
  { withPins }: { withPins: boolean } = { withPins: true },
): Promise<charts.RankedSong[]> {
  const rows = await sql<Ranked[]>`
    with fixed as (
      select t.rank, t.entity_id from trending_override t join song s using (entity_id)
      where s.status = 'published' and ${isPinned(sql)} and ${withPins}::boolean),
    climbing as (
      select c.entity_id, c.n, row_number() over (order by c.rank) as place from chart_snapshot c join song s using (entity_id)
      where c.chart = 'trending' and s.status = 'published' and c.entity_id not in (select entity_id from fixed)),
    free as (select rank, row_number() over (order by rank) as place
      from generate_series(1, ${TRENDING}) rank where rank not in (select rank from fixed))
    select entity_id, rank, 0 as downloads from fixed
    union all select c.entity_id, f.rank, c.n from free f join climbing c using (place) order by rank`
  return songsAt(sql, rows, downloadLimit)
}
