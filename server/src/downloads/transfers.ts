import type { FastifyRequest } from 'fastify'
import { databaseIsAway, type Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { TransferEnd } from '../platform/send-bytes.ts'
import type { World } from '../world.ts'
import { completeDownloads } from './grants.ts'
import { type Link, networkOf, otherNetwork, outdated } from './links.ts'

/** How often the length of a file may be sent for one download, over all its links. */
const MOST_LENGTHS = 2
/** Bytes are reserved in slices before they are sent: few statements for a file, and never more bytes than allowed. */
const LEAST_SLICE_BYTES = 8 * 1024 * 1024
const SLICES_A_FILE = 4

export type Layout = { etag: string; length: number }

export type Meter = {
  /** Passes pieces on and reserves their bytes first. Throws Refusal `link_used_up` and what `openLink` refuses. */
  count(from: number, to: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  /** Reserves the whole file at once, for bytes that others send. */
  countWhole(): Promise<void>
  /** Gives back what was reserved and not sent. Answers whether every byte has now been sent by this link. */
  settle(end: Pick<TransferEnd, 'from' | 'sent'>): Promise<boolean>
}

/** Counts what one request sends by a link, and binds the link to its network and exact bytes. */
export function meterTransfer(world: World, link: Link, request: FastifyRequest, { etag, length }: Layout): Meter {
  const slice = Math.max(LEAST_SLICE_BYTES, Math.ceil(length / SLICES_A_FILE))
  let reserved = 0
  const reserve = async (bytes: number) => {
    const isFirst = reserved === 0
    const isReserved = await reserveBytes(world.sql, link, request, { etag, length, bytes }).catch((error) => {
      // A transfer that has begun goes on while the database is away.
      if (isFirst || !databaseIsAway(error)) throw error
      return true
    })
    if (!isReserved) throw await refusalFor(world, link, request, { etag, length })
    reserved += bytes
  }
  return {
    count: async function* (from, to, pieces) {
      let sent = 0
      for await (const piece of pieces) {
        const wanted = sent + piece.length - reserved
        if (wanted > 0) await reserve(Math.max(wanted, Math.min(slice, to - from - reserved)))
        yield piece
        sent += piece.length
      }
    },
    countWhole: () => reserve(length),
    settle: ({ from, sent }) =>
      settleBytes(world.sql, link, { from, sent, length, unsent: Math.max(0, reserved - sent) }),
  }
}

/** The first request decides the link's network and bytes: one statement, so that of two at once one is refused. */
async function reserveBytes(
  sql: Sql,
  { link_id }: Link,
  request: FastifyRequest,
  { etag, length, bytes }: Layout & { bytes: number },
): Promise<boolean> {
  const { column, network } = networkOf(sql, request)
  const reserved = await sql`
    with bound as (
      update download_link set ${column} = ${network}, etag = ${etag}, sent_at = now()
      where link_id = ${link_id} and coalesce(${column}, ${network}) = ${network} and coalesce(etag, ${etag}) = ${etag}
      returning transfer_id)
    update download_transfer t set sent_bytes = t.sent_bytes + ${bytes}, bytes = ${length}, sent_at = now() from bound
    where t.transfer_id = bound.transfer_id and t.sent_bytes + ${bytes} <= ${MOST_LENGTHS * length}
    returning 1`
  return reserved.length > 0
}

/** Why nothing was reserved. A link that is used up ends its download, so that it is no longer in progress. */
async function refusalFor(world: World, link: Link, request: FastifyRequest, { etag }: Layout): Promise<Refusal> {
  const { column, network } = networkOf(world.sql, request)
  const [now] = await world.sql<{ is_other_network: boolean; etag: string | null }[]>`
    select coalesce(${column} <> ${network}, false) as is_other_network, etag from download_link
    where link_id = ${link.link_id}`
  if (!now) return new Refusal('link_expired', 'This link has expired.')
  if (now.is_other_network) return otherNetwork()
  if (now.etag !== null && now.etag !== etag) return outdated()
  await completeTransfer(world.sql, link)
  return new Refusal('link_used_up', 'This download has been sent twice already, so its link was closed.')
}

async function settleBytes(
  sql: Sql,
  { link_id }: Link,
  { from, sent, length, unsent }: { from: number; sent: number; length: number; unsent: number },
): Promise<boolean> {
  const [settled] = await sql<{ is_whole: boolean }[]>`
    with link as (
      update download_link set sent = sent + int8multirange(int8range(${from}, ${from + sent})), sent_at = now()
      where link_id = ${link_id} returning transfer_id, sent)
    update download_transfer t set sent_bytes = greatest(0, t.sent_bytes - ${unsent}), sent_at = now() from link
    where t.transfer_id = link.transfer_id returning link.sent @> int8range(0, ${length}) as is_whole`
  return settled?.is_whole ?? false
}

/** Completes what a link leads to: the next download of it counts again. */
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
 * Begins the transfer of a new zip with what was sent of the same downloads in zips before it: asking for a slightly
 * different zip each time does not send the same files for one count again and again.
 */
export async function inheritSentBytes(sql: Sql, { bundle_id, customer_id, downloads }: NewZip): Promise<void> {
  const ids = downloads.flatMap((one) => one.download_id ?? [])
  await sql`
    insert into download_transfer (customer_id, bundle_id, sent_bytes)
    select ${customer_id}, ${bundle_id}, coalesce(sum(t.sent_bytes * shared.n / jsonb_array_length(b.downloads)), 0)::bigint
    from download_transfer t join bundle b using (bundle_id)
      cross join lateral (
        select count(*) as n from jsonb_array_elements(b.downloads) d
        where (d->>'download_id')::bigint = any(${ids}::bigint[])) shared
    where t.customer_id = ${customer_id} and b.completed_at is null and shared.n > 0`
}

type NewZip = { bundle_id: number; customer_id: number; downloads: { download_id: number | null }[] }

/** A download of which a whole length was sent in parts is not in progress for longer after the last of them. */
const CLOSED_AFTER_HOURS = 1

/**
 * Completes downloads that were sent whole, but never to the end by one link: such as by a program that leaves the last
 * bytes out.
 */
export async function closeSentTransfers({ sql, now }: Pick<World, 'sql' | 'now'>): Promise<void> {
  const sent = await sql<Pick<Link, 'download_id' | 'bundle_id'>[]>`
    select t.download_id, t.bundle_id from download_transfer t
      left join download d using (download_id) left join bundle b using (bundle_id)
    where t.sent_bytes >= t.bytes * 0.99 and t.sent_at < ${now()}::timestamptz - make_interval(hours => ${CLOSED_AFTER_HOURS})
      and (d.download_id is not null and d.completed_at is null and d.refunded_at is null
        or b.bundle_id is not null and b.completed_at is null)`
  for (const transfer of sent) await completeTransfer(sql, transfer)
}

/** Deletes links and transfers that can no longer be used. */
export async function sweepTransfers(sql: Sql): Promise<void> {
  await sql`delete from download_transfer where made_at < now() - interval '2 days'`
}
