import { catalogue, type charts } from '@dubplate/contract'
import { readRankedSongs } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'
import type { RankedEntry } from './charts.ts'

/** How many of the most downloaded songs of each day are read at first. */
export const TOP_OF_DAY = 100

type Places = { places: number }

/**
 * The most downloaded songs of a calendar month (`2026-11`, in UTC). Of two with equal downloads the newer one comes
 * first.
 */
export async function monthChart(
  sql: Sql,
  month: string,
  { places, downloadLimit }: Places & { downloadLimit: number },
): Promise<charts.RankedSong[]> {
  const entries = (await rankTopsOfDays(sql, month, { places })) ?? (await rankAll(sql, month, { places }))
  return readRankedSongs(sql, entries, downloadLimit)
}

const beginOf = (sql: Sql, month: string) => sql`${`${month}-01`}::timestamptz`
const endOf = (sql: Sql, month: string) => sql`${beginOf(sql, month)} + interval '1 month'`

/** Midnight of each day of the month, as `day`. */
const daysOf = (sql: Sql, month: string) =>
  sql`generate_series(${beginOf(sql, month)}, ${endOf(sql, month)} - interval '1 day', '1 day') day`

/** Whether a `counted` song can be listed. OFFSET 0 prevents a join: most songs of a month are never looked up. */
const canBeListed = (sql: Sql) => sql`
  exists (select 1 from song s where s.entity_id = counted.entity_id and s.status = 'published'
    and s.song_section_id = ${catalogue.SECTIONS.songs} offset 0)`

/**
 * Ranks the songs at the top of any day, or returns undefined if there are none or others could be among them. A song
 * that is not at the top of a day has at most as many downloads that day as the last song there, so most songs cannot
 * reach the last place (the threshold algorithm: Fagin, Lotem and Naor, Optimal Aggregation Algorithms for Middleware,
 * 2003).
 */
export async function rankTopsOfDays(sql: Sql, month: string, { places }: Places): Promise<RankedEntry[] | undefined> {
  const rows = await sql<RankedEntry[]>`
    with top as materialized (
      select day, listed.entity_id, listed.n from ${daysOf(sql, month)} cross join lateral (
        select entity_id, n from chart_count where period = 'day' and start = day
        order by n desc, entity_id desc limit ${TOP_OF_DAY}) listed),
    below as materialized (select day, min(n) as at_most from top group by day having count(*) = ${TOP_OF_DAY}),
    unknown as materialized (select coalesce(sum(at_most), 0) as at_most from below),
    known as materialized (
      select entity_id, sum(n) as at_least,
        sum(n) - coalesce(sum(below.at_most), 0) + (select at_most from unknown) as at_most
      from top left join below using (day) group by entity_id),
    last_place as materialized (
      select at_least from known counted where ${canBeListed(sql)}
      order by at_least desc limit 1 offset ${places - 1}),
    possible as (
      select entity_id, (
        select sum(n)::int from chart_count c where c.period = 'day' and c.entity_id = counted.entity_id
          and c.start = any(array(select day from ${daysOf(sql, month)}))) as downloads
      from known counted
      where at_most >= coalesce((select at_least from last_place), 0) and ${canBeListed(sql)}
        and (select at_most from unknown) < coalesce((select at_least from last_place), 1))
    select entity_id, downloads, row_number() over (order by downloads desc, entity_id desc)::int as rank
    from possible order by rank limit ${places}`
  return rows.length > 0 ? rows : undefined
}

/** Ranks all songs of the month, which reads every count of every day. */
const rankAll = (sql: Sql, month: string, { places }: Places) => sql<RankedEntry[]>`
  select entity_id, downloads, row_number() over (order by downloads desc, entity_id desc)::int as rank from (
    select entity_id, downloads from (
      select entity_id, sum(n)::int as downloads from chart_count
      where period = 'day' and start >= ${beginOf(sql, month)} and start < ${endOf(sql, month)}
      group by entity_id order by downloads desc, entity_id desc offset 0) counted
    where ${canBeListed(sql)}
    limit ${places}) placed
  order by rank`
