import type { ReplyOf, uploadedSongs } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Sql } from '../platform/db.ts'
import { unknownSongError } from './own-songs.ts'

type SongStats = ReplyOf<typeof uploadedSongs.getSongFigures>
type Counts = SongStats['totals']

const WEEKS = 12
const NO_COUNTS: Counts = { listens: 0, downloads: 0, favourites: 0, crates: 0 }

/**
 * Returns the statistics of the member's own song for the last twelve weeks (from Monday, UTC) and in total. Throws
 * `unknown_song`.
 */
export async function getSongStats(
  { sql, now }: Pick<AppContext, 'sql' | 'now'>,
  customerId: number,
  uploadSongId: number,
): Promise<SongStats> {
  const [song] = await sql<{ entity_id: number | null }[]>`
    select entity_id from upload_song
    where upload_song_id = ${uploadSongId} and customer_id = ${customerId} and deleted_at is null`
  if (!song) throw unknownSongError()
  const weeks = listWeeks(now())
  if (song.entity_id === null) return { weeks: weeks.map((week) => ({ week, ...NO_COUNTS })), totals: NO_COUNTS }
  const [counted, totals] = await Promise.all([
    countByWeek(sql, song.entity_id, weeks, now()),
    countTotals(sql, song.entity_id),
  ])
  return {
    weeks: weeks.map((week) => ({ week, ...(counted.find((each) => each.week === week) ?? NO_COUNTS) })),
    totals,
  }
}

/** Returns the Mondays of the last weeks, the current one last: '2026-11-16'. */
function listWeeks(now: Date): string[] {
  const monday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  return Array.from({ length: WEEKS }, (_, n) => {
    const week = new Date(monday)
    week.setUTCDate(week.getUTCDate() - 7 * (WEEKS - 1 - n))
    return week.toISOString().slice(0, 10)
  })
}

const DAY_MS = 24 * 3600 * 1000

/** Returns the start of each day from a Monday until now, in UTC. */
function daysSince(monday: string, now: Date): string[] {
  const first = Date.parse(monday)
  return Array.from({ length: Math.floor((now.getTime() - first) / DAY_MS) + 1 }, (_, n) =>
    new Date(first + n * DAY_MS).toISOString(),
  )
}

const countByWeek = (sql: Sql, entityId: number, weeks: readonly string[], now: Date) => {
  const since = weeks[0] as string
  // Each day is listed: the counts are indexed by day and then by song, and a range of days would scan every song of
  // each.
  const days = daysSince(since, now)
  return sql<(Counts & { week: string })[]>`
    select to_char(date_trunc('week', at), 'YYYY-MM-DD') as week, sum(listens)::int as listens, sum(downloads)::int as downloads,
      sum(favourites)::int as favourites, sum(crates)::int as crates
    from (
      select day::timestamp as at, n as listens, 0 as downloads, 0 as favourites, 0 as crates from listen_count
        where entity_id = ${entityId} and day >= ${since}::date
      union all select start at time zone 'UTC', 0, n, 0, 0 from chart_count
        where entity_id = ${entityId} and period = 'day' and start = any(${days}::timestamptz[])
      union all select added_at at time zone 'UTC', 0, 0, 1, 0 from favourite
        where entity_id = ${entityId} and added_at >= ${since}::timestamp at time zone 'UTC'
      union all select min(added_at) at time zone 'UTC', 0, 0, 0, 1 from crate_item
        where entity_id = ${entityId} and added_at >= ${since}::timestamp at time zone 'UTC' group by customer_id
    ) what group by 1`
}

async function countTotals(sql: Sql, entityId: number): Promise<Counts> {
  const [totals] = await sql<Counts[]>`
    select coalesce((select listens from song_total where entity_id = ${entityId}), 0) as listens,
      coalesce((select downloads from song_total where entity_id = ${entityId}), 0) as downloads,
      (select count(*)::int from favourite where entity_id = ${entityId}) as favourites,
      (select count(distinct customer_id)::int from crate_item where entity_id = ${entityId}) as crates`
  return totals ?? NO_COUNTS
}
