import { type Activity, activity, type DemoWorld, OPENED_DAYS_AGO } from '@dubplate/demo/world'
import type { Sql } from '../platform/db.ts'
import type { AddedSong } from './fill.ts'
import type { PaidAccess } from './fill-billing.ts'

const DOWNLOADS_PER_DAY = 120
const BATCH_SIZE = 5000
/** Downloads of the demo's own DJ: enough to see which songs are downloaded, few enough to leave most of the pool. */
const DJ_DOWNLOADS = 30

type ActivityRow = { customer_id: number; song_version_id: number; entity_id: number; at: Date }

type ActivityMembers = { crowd: readonly number[]; dj: number; access: PaidAccess }

/**
 * Adds the downloads and listens since the pool opened, and counts the grants and charts that follow from them. Members
 * listen once they are approved, and download while they have access.
 */
export async function fillActivity(
  sql: Sql,
  world: DemoWorld,
  addedSongs: Map<number, AddedSong>,
  { crowd, dj, access }: ActivityMembers,
): Promise<void> {
  const isActive = activityCheck(world, { crowd, access })
  const options = { days: OPENED_DAYS_AGO, downloadsPerDay: DOWNLOADS_PER_DAY, members: crowd.length }
  const pendingRows = { download: [] as ActivityRow[], listen: [] as ActivityRow[] }
  const insert = { download: insertDownloads, listen: insertListens }
  for (const event of activity(world, options)) {
    if (!isActive(event)) continue
    const song = addedSongs.get(world.songs[event.song]?.song_id ?? 0)
    const song_version_id = song?.versionIds[event.version]
    const customer_id = crowd[event.member]
    if (!song || song_version_id === undefined || customer_id === undefined) continue
    const rows = pendingRows[event.kind]
    rows.push({ customer_id, song_version_id, entity_id: song.entity_id, at: event.at })
    if (rows.length === BATCH_SIZE) await insert[event.kind](sql, rows.splice(0))
  }
  await insertDownloads(sql, pendingRows.download)
  await insertListens(sql, pendingRows.listen)
  await copyHistory(sql, crowd[0] ?? 0, dj)
  await countActivity(sql, world.now)
}

/** Returns whether a member was there for an event: approved, not gone again, and for a download with access. */
function activityCheck(
  { memberships, now }: DemoWorld,
  { crowd, access }: Pick<ActivityMembers, 'crowd' | 'access'>,
): (event: Activity) => boolean {
  const spans = memberships.map(({ approved_at }, n) => {
    const paid = access.get(crowd[n] ?? 0)
    return { listens: { from: approved_at, until: paid?.until ?? now }, download: paid }
  })
  const isWithin = (at: Date, span: { from: Date; until: Date } | undefined) =>
    span !== undefined && at >= span.from && at < span.until
  return ({ kind, member, at }) => isWithin(at, kind === 'download' ? spans[member]?.download : spans[member]?.listens)
}

const columns = (rows: readonly ActivityRow[]) => ({
  customers: rows.map((row) => row.customer_id),
  versions: rows.map((row) => row.song_version_id),
  songs: rows.map((row) => row.entity_id),
  timestamps: rows.map((row) => row.at.toISOString()),
})

async function insertDownloads(sql: Sql, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length === 0) return
  const { customers, versions, songs, timestamps } = columns(rows)
  await sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    select nextval('download_id'), c, v, s, t, t
    from unnest(${customers}::bigint[], ${versions}::bigint[], ${songs}::bigint[], ${timestamps}::timestamptz[]) as rows (c, v, s, t)`
}

async function insertListens(sql: Sql, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length === 0) return
  const { customers, versions, songs, timestamps } = columns(rows)
  await sql`
    insert into listen (listen_key, customer_id, song_version_id, entity_id, at)
    select gen_random_uuid()::text, c, v, s, t
    from unnest(${customers}::bigint[], ${versions}::bigint[], ${songs}::bigint[], ${timestamps}::timestamptz[]) as rows (c, v, s, t)`
}

/** Copies the last downloads of one member to another, one of each version. */
async function copyHistory(sql: Sql, from: number, to: number): Promise<void> {
  await sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    select nextval('download_id'), ${to}, song_version_id, entity_id, at, at from (
      select song_version_id, entity_id, max(at) as at from download where customer_id = ${from}
      group by 1, 2 order by 3 desc limit ${DJ_DOWNLOADS}) last`
}

/** Counts the grants, roll-ups and totals, so that every count agrees with the downloads and listens. */
async function countActivity(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into download_grant (customer_id, song_version_id, used, allowed, opened_at)
    select customer_id, song_version_id, count(*), greatest(count(*), 2), max(at) from download group by 1, 2`
  await sql`
    insert into chart_count (period, start, entity_id, n)
    select p, date_trunc(p, at, 'UTC'), entity_id, count(*) from download, unnest(array['hour', 'day']) p
    where p = 'day' or at >= date_trunc('hour', ${now}::timestamptz - interval '48 hours', 'UTC') group by 1, 2, 3 order by 1, 2, 3`
  await sql`
    insert into listen_count (day, entity_id, n)
    select (at at time zone 'UTC')::date, entity_id, count(*) from listen group by 1, 2 order by 1, 2`
  await sql`
    insert into song_total (entity_id, downloads, listens)
    select entity_id, sum(downloads), sum(listens) from (
      select entity_id, n as downloads, 0 as listens from chart_count where period = 'day'
      union all select entity_id, 0, n from listen_count) counted group by 1`
}
