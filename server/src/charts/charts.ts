import { catalogue, type charts, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { findGenre, genresWithSongs } from '../catalogue/genres.ts'
import { sortColumn } from '../catalogue/lists.ts'
import { type KeepMatching, keepMatchingRows } from '../catalogue/song-filtering.ts'
import { readRankedSongs } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'

const { SONGS_PER_PAGE } = catalogue
const TODAY_LENGTH = 10

export type RankedEntry = { entity_id: number; rank: number; downloads: number }

type ChartParams = ParsedInputOf<typeof charts.getChart>

/**
 * Returns a page of a chart as last counted, for one genre or all. Another order sorts the songs of the chart. A song
 * that was unpublished since leaves its rank empty. Throws `unknown_genre`.
 */
export async function chartPage(
  sql: Sql,
  params: ChartParams,
  downloadLimit: number,
  keep?: KeepMatching,
): Promise<ReplyOf<typeof charts.getChart>> {
  const genre = params.genre_id ? await findGenre(sql, params.genre_id) : undefined
  const [rankedSongs, counted_at, genres] = await Promise.all([
    chartPlaces(sql, { ...params, genre_id: genre?.genre_id }).then((rows) => keepMatchingRows(rows, keep)),
    countedAt(sql, params.chart_type),
    genresWithSongs(sql, params.song_section_id),
  ])
  const offset = (params.page - 1) * SONGS_PER_PAGE
  return {
    songs: await readRankedSongs(sql, rankedSongs.slice(offset, offset + SONGS_PER_PAGE), downloadLimit),
    genres,
    counted_at,
    pagination: { page: params.page, perPageLimit: SONGS_PER_PAGE, totalCount: rankedSongs.length },
  }
}

type RankedChartSong = RankedEntry & { rank_before: number | null }

export async function chartPlaces(
  sql: Sql,
  params: Pick<ChartParams, 'chart_type' | 'genre_id' | 'song_section_id' | 'order' | 'orderDir'>,
): Promise<RankedChartSong[]> {
  const { chart_type, genre_id, song_section_id, order, orderDir } = params
  const by = order === 'rank' ? sql`c.rank` : order === 'entity_id' ? sql`s.entity_id` : sortColumn(sql, order)
  const sortDirection = orderDir === 'ASC' ? sql`asc` : sql`desc`
  return sql<RankedChartSong[]>`
    select c.entity_id, c.rank, c.n as downloads, c.rank_before from chart_snapshot c join song s using (entity_id)
    where c.chart = ${chart_type} and c.genre_id = ${genre_id ?? 0} and c.song_section_id = ${song_section_id}
      and s.status = 'published'
    order by ${by} ${sortDirection} nulls last, c.rank`
}

async function countedAt(sql: Sql, chart: ChartParams['chart_type']): Promise<string | null> {
  const [refresh] = await sql<{ counted_at: Date }[]>`select counted_at from chart_refresh where chart = ${chart}`
  return refresh?.counted_at.toISOString() ?? null
}

/** The most downloaded songs since midnight UTC. */
export async function mostDownloadedToday(sql: Sql, downloadLimit: number): Promise<charts.RankedSong[]> {
  const rows = await sql<RankedEntry[]>`
    select entity_id, n as downloads, row_number() over ()::int as rank from (
      select c.entity_id, c.n from chart_count c join song s using (entity_id)
      where c.period = 'day' and c.start = date_trunc('day', now(), 'UTC') and s.status = 'published'
      order by c.n desc, c.entity_id desc limit ${TODAY_LENGTH}) top`
  return readRankedSongs(sql, rows, downloadLimit)
}
