import type { charts } from '@dubplate/contract'
import { readRankedSongs } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'
import { isPinned } from './visibility.ts'

const TRENDING_LENGTH = 30

type TrendingEntry = { entity_id: number; rank: number; downloads: number }

/**
 * The thirty fastest-rising songs, as last counted. A pinned song has its rank while the pin is active, unless pins are
 * left out.
 */
export async function trendingTracks(
  sql: Sql,
  downloadLimit: number,
  { withPins }: { withPins: boolean } = { withPins: true },
): Promise<charts.RankedSong[]> {
  const rows = await sql<TrendingEntry[]>`
    with fixed as (
      select t.rank, t.entity_id from trending_override t join song s using (entity_id)
      where s.status = 'published' and ${isPinned(sql)} and ${withPins}::boolean),
    climbing as (
      select c.entity_id, c.n, row_number() over (order by c.rank) as place from chart_snapshot c join song s using (entity_id)
      where c.chart = 'trending' and s.status = 'published' and c.entity_id not in (select entity_id from fixed)),
    free as (select rank, row_number() over (order by rank) as place
      from generate_series(1, ${TRENDING_LENGTH}) rank where rank not in (select rank from fixed))
    select entity_id, rank, 0 as downloads from fixed
    union all select c.entity_id, f.rank, c.n from free f join climbing c using (place) order by rank`
  return readRankedSongs(sql, rows, downloadLimit)
}
