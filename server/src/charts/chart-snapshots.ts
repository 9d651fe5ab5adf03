import { catalogue, charts } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'

const { CHART_DAYS, CHART_LENGTH, CHART_UPDATE_MINUTES } = charts
const { ALL_SECTIONS } = catalogue

export type ChartName = (typeof charts.CHART_TYPES)[number] | 'trending'

/** The period each chart is counted from and over. */
const WINDOWS = {
  daily: { period: 'hour', length: `${24 * CHART_DAYS.daily} hours` },
  weekly: { period: 'day', length: `${CHART_DAYS.weekly} days` },
  monthly: { period: 'day', length: `${CHART_DAYS.monthly} days` },
} as const

const MINUTES_BETWEEN: Record<ChartName, number> = { ...CHART_UPDATE_MINUTES, trending: 10 }

/** Refreshes the charts that are due, and those that were never counted. */
export async function refreshDueCharts(sql: Sql, now: Date): Promise<ChartName[]> {
  const counted = await sql<{ chart: ChartName; counted_at: Date }[]>`select chart, counted_at from chart_refresh`
  const due = (Object.keys(MINUTES_BETWEEN) as ChartName[]).filter((chart) => {
    const last = counted.find((row) => row.chart === chart)?.counted_at
    // Half a minute less, because the schedule that runs every minute is not exact to the second.
    return !last || now.getTime() - last.getTime() >= (MINUTES_BETWEEN[chart] - 0.5) * 60_000
  })
  for (const chart of due) await refreshChart(sql, chart, now)
  return due
}

/**
 * Recounts one chart for each section and for both, over all songs and for each genre and mood, in one statement, so
 * that readers never see a partial chart. A song that
 * stays in a chart keeps the time at which it entered it.
 */
export async function refreshChart(sql: Sql, chart: ChartName, now: Date): Promise<void> {
  const ranked = chart === 'trending' ? trendingSongs(sql, now) : mostDownloaded(sql, WINDOWS[chart], now)
  // Refreshes of one chart wait for each other in chart_refresh, before either has changed a rank.
  await sql`
    with fresh as materialized (
      select ranked.*, case when old.entity_id is null then ${now}::timestamptz else old.entered_at end as entered_at
      from (${ranked}) ranked left join chart_snapshot old
        on old.chart = ${chart} and (old.genre_id, old.song_section_id, old.entity_id)
          = (ranked.genre_id, ranked.song_section_id, ranked.entity_id)),
    turn as (
      insert into chart_refresh (chart, counted_at) values (${chart}, ${now})
      on conflict (chart) do update set counted_at = excluded.counted_at returning chart),
    gone as (
      delete from chart_snapshot old using turn where old.chart = turn.chart and not exists (
        select 1 from fresh
        where (fresh.genre_id, fresh.song_section_id, fresh.rank) = (old.genre_id, old.song_section_id, old.rank)))
    insert into chart_snapshot as kept (chart, genre_id, song_section_id, rank, entity_id, n, rank_before, entered_at)
    select turn.chart, genre_id, song_section_id, rank, entity_id, n, rank_before, entered_at from turn, fresh
    order by genre_id, song_section_id, rank
    on conflict (chart, genre_id, song_section_id, rank) do update
      set entity_id = excluded.entity_id, n = excluded.n, rank_before = excluded.rank_before, entered_at = excluded.entered_at
      where (kept.entity_id, kept.n, kept.rank_before, kept.entered_at)
        is distinct from (excluded.entity_id, excluded.n, excluded.rank_before, excluded.entered_at)`
}

/**
 * The most downloaded songs in a window that ends with the current hour or day, each with its rank in the previous
 * window of the same length. Of two songs with equal downloads the newer one comes first.
 */
function mostDownloaded(sql: Sql, window: (typeof WINDOWS)[keyof typeof WINDOWS], now: Date): PendingQuery<Row[]> {
  const { period, length } = window
  const windowStart = sql`${now}::timestamptz - ${length}::interval`
  return sql`
    with counted as (
      select entity_id, coalesce(sum(n) filter (where start > ${windowStart}), 0)::int as n,
        coalesce(sum(n) filter (where start <= ${windowStart}), 0)::int as n_before
      from chart_count where period = ${period} and start > ${windowStart} - ${length}::interval and start <= ${now} group by 1),
    published as (
      select c.*, section.song_section_id from counted c join song s using (entity_id)
        cross join lateral (values (s.song_section_id), (${ALL_SECTIONS}::smallint)) section (song_section_id)
      where s.status = 'published'),
    listed as (
      select 0 as genre_id, p.* from published p
      union all select sg.genre_id, p.* from published p join song_genre sg using (entity_id)),
    placed as (
      select genre_id, song_section_id, entity_id, n, n_before,
        row_number() over (partition by genre_id, song_section_id order by n desc, entity_id desc) as rank,
        row_number() over (partition by genre_id, song_section_id order by n_before desc, entity_id desc) as place_before
      from listed)
    select genre_id, song_section_id, rank::smallint, entity_id, n,
      case when n_before > 0 and place_before <= ${CHART_LENGTH} then place_before::smallint end as rank_before
    from placed where n > 0 and rank <= ${CHART_LENGTH}`
}

/**
 * The songs that are rising: the last three days compared with the three weeks before. A listen counts as a quarter of
 * a download, because it uses none of the member's download limit.
 */
function trendingSongs(sql: Sql, now: Date): PendingQuery<Row[]> {
  return sql`
    with today as (select (${now}::timestamptz at time zone 'UTC')::date as day),
    happened as (
      select (c.start at time zone 'UTC')::date as day, c.entity_id, c.n as downloads, 4 * c.n as quarters
      from chart_count c, today where c.period = 'day'
        and c.start > (today.day - 24)::timestamp at time zone 'UTC' and c.start <= today.day::timestamp at time zone 'UTC'
      union all
      select l.day, l.entity_id, 0, l.n from listen_count l, today
      where l.day > today.day - 24 and l.day <= today.day),
    summed as (
      select entity_id, (sum(downloads) filter (where h.day > today.day - 3))::int as n,
        sum(quarters) filter (where h.day > today.day - 3) / 4.0::float as recent,
        coalesce(sum(quarters) filter (where h.day <= today.day - 3), 0) / 4.0::float / 7 as usual
      from happened h, today group by 1),
    placed as (
      select entity_id, n, row_number() over (order by recent / (3 + usual) * ln(1 + recent) desc, entity_id desc) as rank
      from summed join song s using (entity_id) where recent > 0 and s.status = 'published')
    select 0 as genre_id, ${ALL_SECTIONS}::smallint as song_section_id, rank::smallint, entity_id, n, null::smallint as rank_before
    from placed where rank <= ${CHART_LENGTH}`
}

/** Recounts every existing chart, so that two ranks of one song become one. */
export async function refreshCharts(sql: Sql, now: Date): Promise<void> {
  const counted = await sql<{ chart: ChartName }[]>`select chart from chart_refresh order by chart`
  for (const { chart } of counted) await refreshChart(sql, chart, now)
}

/** Removes songs from all charts, before they are deleted. */
export async function removeFromCharts(sql: Sql, entityIds: readonly number[]): Promise<void> {
  await sql`delete from chart_snapshot where entity_id = any(${[...entityIds]}::bigint[])`
}

/** Deletes the charts of a genre. */
export async function deleteGenreCharts(sql: Sql, genreId: number): Promise<void> {
  await sql`delete from chart_snapshot where genre_id = ${genreId}`
}
