import { type ParsedInputOf, trending } from '@dubplate/contract'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import { parseDate } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { isPinned } from './visibility.ts'

/** Songs that curators pin to a rank of the trending 30. */

/** The active pins, by rank. */
export async function listPins(sql: Sql): Promise<trending.Pin[]> {
  const rows = await sql<(Omit<trending.Pin, 'until'> & { until: Date | null })[]>`
    select t.rank, t.entity_id, t.until, s.title, s.artist, s.status <> 'published' as unpublished
    from trending_override t join song s using (entity_id) where ${isPinned(sql)} order by t.rank`
  return rows.map((row) => ({ ...row, until: row.until?.toISOString() ?? null }))
}

const pinOf = async (sql: Sql, entityId: number) =>
  (await listPins(sql)).find(({ entity_id }) => entity_id === entityId)

/** A pin before and after a change; undefined on a side where there is none. */
export type PinChange = { before: trending.Pin | undefined; after: trending.Pin | undefined }

/**
 * Pins a song to a rank, in the caller's transaction. Throws `unknown_song`, `rank_taken`, `invalid_date_range`, and
 * `conflict` if the pin is not as the curator saw it.
 */
export async function pinSong(
  sql: Sql,
  { entity_id, rank, until, previous_rank }: ParsedInputOf<typeof trending.pinSong>,
): Promise<PinChange> {
  // Simultaneous changes run one after the other; members can still read.
  await sql`lock table trending_override in share row exclusive mode`
  await sql`delete from trending_override where not ${isPinned(sql)}`
  const before = await pinOf(sql, entity_id)
  rejectChanged(before, previous_rank)
  await throwAllErrors([
    () => rejectUnknownSong(sql, entity_id),
    () => rejectTaken(sql, rank, entity_id),
    () => pinEnd(sql, until),
  ])
  await sql`
    insert into trending_override (entity_id, rank, until) values (${entity_id}, ${rank}, ${await pinEnd(sql, until)})
    on conflict (entity_id) do update set rank = excluded.rank, until = excluded.until`
  return { before, after: await pinOf(sql, entity_id) }
}

async function rejectUnknownSong(sql: Sql, entityId: number): Promise<void> {
  const [song] = await sql`select 1 from song where entity_id = ${entityId} and status = 'published'`
  if (!song) throw fieldError('unknown_song', 'entity_id', 'Song not found. It may have been unpublished.')
}

/** Checks a pin while other fields are missing or invalid. Throws the errors of `pinSong`. */
export function checkPin(sql: Sql, given: { entity_id?: unknown; rank?: unknown; until?: unknown }): Promise<void> {
  const shape = trending.pinSong.input.shape
  const entityId = parsed(shape.entity_id, given.entity_id)
  const rank = parsed(shape.rank, given.rank)
  const until = parsed(shape.until, given.until)
  return throwAllErrors([
    () => entityId !== undefined && rejectUnknownSong(sql, entityId),
    () => entityId !== undefined && rank !== undefined && rejectTaken(sql, rank, entityId),
    () => until !== undefined && pinEnd(sql, until),
  ])
}

function rejectChanged(before: trending.Pin | undefined, previousRank: number | null): void {
  if ((before?.rank ?? null) === previousRank) return
  throw new ApiError(
    'conflict',
    before ? `“${before.title}” is already pinned at rank ${before.rank}.` : 'This pin no longer exists.',
  )
}

async function rejectTaken(sql: Sql, rank: number, entityId: number): Promise<void> {
  const [other] = await sql<{ title: string }[]>`
    select s.title from trending_override t join song s using (entity_id)
    where t.rank = ${rank} and t.entity_id <> ${entityId}`
  if (other)
    throw fieldError('rank_taken', 'rank', `“${other.title}” is already pinned at rank ${rank}. Choose another rank.`)
}

/** Uses the database's clock, which also decides whether a pin is active. */
async function pinEnd(sql: Sql, until: string | null): Promise<Date | null> {
  if (until === null) return null
  const [clock] = await sql<[{ now: Date }]>`select now() as now`
  const end = parseDate(until)
  if (end > clock.now) return end
  throw fieldError('invalid_date_range', 'until', 'The end is in the past. Choose a later end.')
}

/** Removes a pin, in the caller's transaction. Throws `unknown_pin`, and `conflict` if it is at another rank. */
export async function unpinSong(sql: Sql, entityId: number, rank: number): Promise<PinChange> {
  await sql`lock table trending_override in share row exclusive mode`
  const before = await pinOf(sql, entityId)
  if (!before) throw new ApiError('unknown_pin', 'This song is no longer pinned.')
  rejectChanged(before, rank)
  await sql`delete from trending_override where entity_id = ${entityId}`
  return { before, after: undefined }
}
