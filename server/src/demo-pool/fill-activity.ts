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
  await addSessions(sql, crowd, world.now)
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

const DEVICES = [
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
]
const SESSION_DAYS = 30

/** Adds a session for each of the crowd who was there lately, last seen with their last listen. Nobody has its token. */
async function addSessions(sql: Sql, crowd: readonly number[], now: Date): Promise<void> {
  await sql`
    insert into session (token_hash, customer_id, created_at, seen_at, expires_at, confirmed_at, user_agent, ip)
    select sha256(gen_random_uuid()::text::bytea), customer_id, seen_at - interval '6 days', seen_at,
      seen_at + make_interval(days => ${SESSION_DAYS}), seen_at - interval '6 days',
      (${DEVICES}::text[])[customer_id % ${DEVICES.length} + 1], ('203.0.113.' || customer_id % 250 + 1)::inet
    from (select customer_id, max(at) as seen_at from listen where customer_id = any(${[...crowd]}::bigint[]) group by 1) seen
    where seen_at > ${now}::timestamptz - make_interval(days => ${SESSION_DAYS})`
}
