import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { isDatabaseUnavailable, type Sql } from '../platform/db.ts'
import type { TransferEnd } from '../platform/send-bytes.ts'
import { completeDownloads } from './grants.ts'
import { type Link, networkOf, otherNetworkError, outdatedError } from './links.ts'

/** How many times the length of a file may be sent for one download, over all its links; of the longest format. */
const MAX_LENGTHS_SENT = 2
/** Bytes are reserved in slices before they are sent: few statements per file, and never more bytes than allowed. */
const MIN_SLICE_BYTES = 8 * 1024 * 1024
const SLICES_PER_FILE = 4

export type TransferLayout = { etag: string; length: number }

export type TransferMeter = {
  /**
   * Passes chunks on after reserving their bytes. Throws `link_used_up`, `link_expired`, `link_other_network` and
   * `link_outdated`.
   */
  count(from: number, to: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Reserves the whole file at once, for bytes that the storage sends. */
  countFull(): Promise<void>
  /** Releases what was reserved and not sent. Returns whether this link has now sent every byte. */
  finish(end: Pick<TransferEnd, 'from' | 'sent'>): Promise<boolean>
}

/** Counts what one request sends through a link, and binds the link to its network and exact bytes. */
export function meterTransfer(
  ctx: AppContext,
  link: Link,
  request: FastifyRequest,
  { etag, length }: TransferLayout,
): TransferMeter {
  const slice = Math.max(MIN_SLICE_BYTES, Math.ceil(length / SLICES_PER_FILE))
  let reserved = 0
  const reserve = async (bytes: number) => {
    const isFirst = reserved === 0
    const isReserved = await reserveBytes(ctx.sql, { link, request, etag, length, bytes }).catch((error) => {
      // A transfer that has begun continues while the database is unavailable.
      if (isFirst || !isDatabaseUnavailable(error)) throw error
      return true
    })
    if (!isReserved) throw await limitErrorFor(ctx, link, request, { etag, length })
    reserved += bytes
  }
  return {
    count: async function* (from, to, chunks) {
      let sent = 0
      for await (const chunk of chunks) {
        const unreserved = sent + chunk.length - reserved
        if (unreserved > 0) await reserve(Math.max(unreserved, Math.min(slice, to - from - reserved)))
        yield chunk
        sent += chunk.length
      }
    },
    countFull: () => reserve(length),
    finish: ({ from, sent }) =>
      finishBytes(ctx.sql, link, { from, sent, length, unsent: Math.max(0, reserved - sent) }),
  }
}

export type BytesToReserve = TransferLayout & { link: Pick<Link, 'link_id'>; request: FastifyRequest; bytes: number }

async function reserveBytes(sql: Sql, toReserve: BytesToReserve): Promise<boolean> {
  const reserved = await sql`with ${reservedBytes(sql, toReserve)} select 1 from reserved`
  return reserved.length > 0
}

/**
 * The parts of a statement that reserve bytes: `reserved` has a row if the link allows them. The first request decides
 * the link's network and bytes. One statement, so that of two simultaneous requests one is refused. `condition` is an
 * additional condition on transfer `t`.
 */
export function reservedBytes(
  sql: Sql,
  { link, request, etag, length, bytes }: BytesToReserve,
  condition: ReturnType<Sql> = sql``,
) {
  const { column, network } = networkOf(sql, request)
  return sql`
    bound as (
      update download_link set ${column} = ${network}, etag = ${etag}, sent_at = now()
      where link_id = ${link.link_id} and coalesce(${column}, ${network}) = ${network} and coalesce(etag, ${etag}) = ${etag}
      returning transfer_id),
    reserved as (
      update download_transfer t set sent_bytes = t.sent_bytes + ${bytes}, bytes = greatest(t.bytes, ${length}::bigint), sent_at = now()
      from bound
      where t.transfer_id = bound.transfer_id
        and t.sent_bytes + ${bytes} <= ${MAX_LENGTHS_SENT} * greatest(t.bytes, ${length}::bigint) ${condition}
      returning 1)`
}

/** Returns why nothing was reserved. A link that is used up ends its download, so that it is no longer in progress. */
async function limitErrorFor(
  ctx: AppContext,
  link: Link,
  request: FastifyRequest,
  { etag }: TransferLayout,
): Promise<ApiError> {
  const { column, network } = networkOf(ctx.sql, request)
  const [current] = await ctx.sql<{ is_other_network: boolean; etag: string | null }[]>`
    select coalesce(${column} <> ${network}, false) as is_other_network, etag from download_link
    where link_id = ${link.link_id}`
  if (!current) return new ApiError('link_expired', 'This link has expired.')
  if (current.is_other_network) return otherNetworkError()
  if (current.etag !== null && current.etag !== etag) return outdatedError()
  await completeTransfer(ctx.sql, link)
  return new ApiError('link_used_up', 'This file has already been sent twice, so the link was closed.')
}

async function finishBytes(
  sql: Sql,
  { link_id }: Link,
  { from, sent, length, unsent }: { from: number; sent: number; length: number; unsent: number },
): Promise<boolean> {
  const [finished] = await sql<{ is_whole: boolean }[]>`
    with link as (
      update download_link set sent = sent + int8multirange(int8range(${from}, ${from + sent})), sent_at = now()
      where link_id = ${link_id} returning transfer_id, sent)
    update download_transfer t set sent_bytes = greatest(0, t.sent_bytes - ${unsent}), sent_at = now() from link
    where t.transfer_id = link.transfer_id returning link.sent @> int8range(0, ${length}) as is_whole`
  return finished?.is_whole ?? false
}

/** Completes what a link is for: its next download is counted again. */
export async function completeTransfer(
  sql: Sql,
  { download_id, bundle_id }: Pick<Link, 'download_id' | 'bundle_id'>,
): Promise<void> {
  if (download_id !== null) await completeDownloads(sql, [download_id])
  if (bundle_id === null) return
  const [bundle] = await sql<{ downloads: { download_id: number | null }[] }[]>`
    update bundle set completed_at = coalesce(completed_at, now()) where bundle_id = ${bundle_id} returning downloads`
  const ids = bundle?.downloads.flatMap((one) => one.download_id ?? []) ?? []
  await completeDownloads(sql, ids)
}

/**
 * Starts the transfer of a new zip with the bytes that earlier zips sent of the same downloads. Otherwise requesting a
 * slightly different zip each time would send the same files for one count again and again. The length of the longest
 * of them counts: a zip of MP3s is a fraction of one of WAVs that was cancelled near its end.
 */
export async function inheritSentBytes(sql: Sql, { bundle_id, customer_id, downloads }: ZipDownloads): Promise<void> {
  const ids = downloads.flatMap((one) => one.download_id ?? [])
  await sql`
    insert into download_transfer (customer_id, bundle_id, sent_bytes, bytes)
    select ${customer_id}, ${bundle_id}, coalesce(sum(t.sent_bytes * shared.n / jsonb_array_length(b.downloads)), 0)::bigint,
      max(t.bytes * shared.n / jsonb_array_length(b.downloads))::bigint
    from download_transfer t join bundle b using (bundle_id)
      cross join lateral (
        select count(*) as n from jsonb_array_elements(b.downloads) d
        where (d->>'download_id')::bigint = any(${ids}::bigint[])) shared
    where t.customer_id = ${customer_id} and b.completed_at is null and shared.n > 0`
}

type ZipDownloads = { bundle_id: number; customer_id: number; downloads: { download_id: number | null }[] }

/** A download whose whole length was sent in parts stays in progress for this long after the last of them. */
const CLOSE_AFTER_HOURS = 1

/** Whether the front server still sends bytes of transfer `t`. */
const isReportPending = (sql: Sql) => sql`exists (
  select 1 from transfer_report r join download_link l using (link_id) where l.transfer_id = t.transfer_id)`

/**
 * Completes downloads that were sent in full, but never to the end by one link, for example to a program that leaves
 * out the last bytes.
 */
export async function closeSentTransfers({ sql, now }: Pick<AppContext, 'sql' | 'now'>): Promise<void> {
  const sent = await sql<Pick<Link, 'download_id' | 'bundle_id'>[]>`
    select t.download_id, t.bundle_id from download_transfer t
      left join download d using (download_id) left join bundle b using (bundle_id)
    where not ${isReportPending(sql)} and t.sent_bytes >= t.bytes * 0.99 and t.sent_at < ${now()}::timestamptz - make_interval(hours => ${CLOSE_AFTER_HOURS})
      and (d.download_id is not null and d.completed_at is null and d.refunded_at is null
        or b.bundle_id is not null and b.completed_at is null)`
  for (const transfer of sent) await completeTransfer(sql, transfer)
}

/** Deletes links and transfers that can no longer be used. */
export async function sweepTransfers(sql: Sql): Promise<void> {
  await sql`delete from download_transfer where created_at < now() - interval '2 days'`
}
