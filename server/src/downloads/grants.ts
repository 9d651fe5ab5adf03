import type { Sql } from '../platform/db.ts'

export type Grant = { download_id: number; used: number; counted: boolean }

/** Whether the download of grant `g` is neither complete nor a day old: it is delivered again without being counted. */
export const isInProgress = (sql: Sql) =>
  sql`(g.open_download_id is not null and g.opened_at > now() - interval '24 hours')`

/**
 * Whether the tags of song `s` were corrected since the download of grant `g` began: it can be downloaded again for
 * free.
 */
export const isCorrected = (sql: Sql) => sql`(g.used > 0 and coalesce(s.tags_changed_at > g.opened_at, false))`

/** Whether the download of grant `g` of song `s` would not be counted again. */
export const isFree = (sql: Sql) => sql`(${isInProgress(sql)} or ${isCorrected(sql)})`

/** Whether grant `g` allows one more download: a free one, or one within the limit. */
const hasMore = (sql: Sql, { free, limit }: { free: ReturnType<typeof isInProgress>; limit: number }) =>
  sql`(${free} or g.used < ${limit})`

export type GrantState = {
  used: number
  /** Whether the version can be downloaded now. */
  has_more: boolean
  /** Whether it would not count towards the limit: it is in progress, or its tags were corrected since. */
  is_free: boolean
  /** When the last download began; null before the first. */
  opened_at: Date | null
}

/** Returns whether this member could download the version now. Read-only. */
export async function readGrant(
  sql: Sql,
  params: { customer_id: number; song_version_id: number; limit: number },
): Promise<GrantState> {
  const free = isFree(sql)
  const [grant] = await sql<GrantState[]>`
    select g.used, ${hasMore(sql, { free, limit: params.limit })} as has_more, ${free} as is_free, g.opened_at
    from download_grant g join song_version v using (song_version_id) join song s on s.entity_id = v.entity_id
    where g.customer_id = ${params.customer_id} and g.song_version_id = ${params.song_version_id}`
  return grant ?? { used: 0, has_more: true, is_free: false, opened_at: null }
}

export type GrantParams = { customer_id: number; song_version_id: number; limit: number }

/**
 * Counts a download of a version, or returns the one still in progress. Returns undefined when the limit is used up. A
 * download is in progress for 24 hours, or until its last byte is sent. After its tags were corrected, a version can be
 * downloaded once more without being counted.
 */
export async function grantDownload(sql: Sql, params: GrantParams): Promise<Grant | undefined> {
  const [grant] = await sql<Grant[]>`with ${grantedDownload(sql, params)} select ${grantColumns(sql)} from granted`
  return grant
}

/** The columns of a `Grant`, from `granted`. */
export const grantColumns = (sql: Sql) =>
  sql`open_download_id as download_id, used, exists (select 1 from counted) as counted`

/**
 * The parts of a statement that count a download: `granted` has a row if the limit allows it. It is one statement, so
 * that two simultaneous requests cannot both pass the limit. The grant is locked before its count is read, so that a
 * concurrent change cannot make a counted download free.
 */
export function grantedDownload(sql: Sql, { customer_id, song_version_id, limit }: GrantParams) {
  const inProgress = isInProgress(sql)
  // The insert cannot refer to the song's columns, so the condition selects them from `version`.
  const free = sql`(${inProgress} or exists (select 1 from version s where ${isCorrected(sql)}))`
  return sql`
    version as (
      select entity_id, tags_changed_at from song_version join song using (entity_id)
      where song_version_id = ${song_version_id}),
    before as (
      select used from download_grant
      where customer_id = ${customer_id} and song_version_id = ${song_version_id} for update),
    granted as (
      insert into download_grant as g (customer_id, song_version_id, used, allowed, open_download_id)
      select ${customer_id}, ${song_version_id}, 1, ${limit}, nextval('download_id') from version left join before on true
      on conflict (customer_id, song_version_id) do update set
        used = case when ${free} then g.used else g.used + 1 end,
        open_download_id = case when ${inProgress} then g.open_download_id else excluded.open_download_id end,
        opened_at = case when ${inProgress} then g.opened_at else now() end,
        allowed = greatest(excluded.allowed, g.used)
      where ${hasMore(sql, { free, limit })}
      returning used, open_download_id),
    recorded as (
      insert into download (download_id, customer_id, song_version_id, entity_id, free)
      select open_download_id, ${customer_id}, ${song_version_id}, entity_id,
        granted.used = coalesce((select used from before), 0) from granted, version
      on conflict (download_id) do nothing returning entity_id, at, free),
    counted as (
      select entity_id, at from recorded where not free),
    queued as (
      insert into download_outbox (entity_id, at) select entity_id, at from counted)`
}

/**
 * Marks downloads whose last byte was sent as complete: the next download of these versions is counted again. Grants
 * are locked before downloads and in the order of their versions, as everywhere, to avoid deadlocks.
 */
export async function completeDownloads(sql: Sql, downloadIds: readonly number[]): Promise<void> {
  await sql`
    with done as (
      select d.download_id, g.customer_id, g.song_version_id
      from download d join download_grant g using (customer_id, song_version_id)
      where d.download_id = any(${[...downloadIds]}::bigint[]) order by g.song_version_id for update of g),
    closed as (
      update download_grant g set open_download_id = null from done
      where g.customer_id = done.customer_id and g.song_version_id = done.song_version_id and g.open_download_id = done.download_id)
    update download set completed_at = now()
    where download_id in (select download_id from done) and completed_at is null`
}

/**
 * Refunds a download that could not be delivered. A second call for the same download has no effect, and a later
 * download of the same version that is in progress does not change. A download that was free because of corrected tags
 * stays free.
 */
export async function refundDownload(sql: Sql, downloadId: number): Promise<void> {
  await sql`
    with undelivered as (
      select d.download_id, g.customer_id, g.song_version_id
      from download d join download_grant g using (customer_id, song_version_id)
      where d.download_id = ${downloadId} for update of g),
    refunded as (
      update download set refunded_at = now()
      where download_id in (select download_id from undelivered) and refunded_at is null and completed_at is null
      returning customer_id, song_version_id, free)
    update download_grant g set used = g.used - case when refunded.free then 0 else 1 end,
      opened_at = case when refunded.free then to_timestamp(0) else g.opened_at end,
      open_download_id = nullif(g.open_download_id, ${downloadId}::bigint)
    from refunded
    where g.customer_id = refunded.customer_id and g.song_version_id = refunded.song_version_id and g.used > 0`
}

/** Returns how many downloads of each version a member has used. */
export async function downloadsUsed(sql: Sql, customerId: number): Promise<Record<string, number>> {
  const rows = await sql<{ song_version_id: number; used: number }[]>`
    select song_version_id, used from download_grant where customer_id = ${customerId} and used > 0`
  return Object.fromEntries(rows.map((row) => [String(row.song_version_id), row.used]))
}
