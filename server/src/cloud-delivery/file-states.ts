import { completeDownloads, refundDownload } from '../downloads/grants.ts'
import type { Sql } from '../platform/db.ts'
import type { RemoteFile } from './provider.ts'

/** How the files of deliveries change their state. A file that is not sent gets its counted download back. */

type Unsent = { state: 'failed' | 'cancelled'; reason: string | null }

/** Ends all files of a connection that are still to be sent. Part of the caller's transaction. */
export const closeOpenFiles = (sql: Sql, connectionId: number, unsent: Unsent) =>
  closeFiles(sql, sql`connection_id = ${connectionId} and state in ('waiting', 'sending')`, unsent)

/** Ends one file that was being sent. */
export const closeFile = (sql: Sql, fileId: number, unsent: Unsent) =>
  closeFiles(sql, sql`delivery_file_id = ${fileId} and state in ('waiting', 'sending')`, unsent)

/** Ends the files of a delivery that no worker can be sending; `requestCancel` the others. */
export const cancelWaiting = (sql: Sql, deliveryId: number) =>
  closeFiles(sql, sql`delivery_id = ${deliveryId} and state = 'waiting'`, { state: 'cancelled', reason: null })

async function closeFiles(sql: Sql, condition: ReturnType<Sql>, { state, reason }: Unsent): Promise<void> {
  // In the order of downloads, which locks grants in one order.
  const closed = await sql<{ download_id: number }[]>`
    with open as (
      select delivery_file_id, download_id, can_refund from cloud_delivery_file
      where ${condition} order by song_version_id, delivery_file_id for update),
    closed as (
      update cloud_delivery_file f set state = ${state}, reason = ${reason}, finished_at = now(), is_cancelled = false,
        download_id = null, can_refund = false
      from open where f.delivery_file_id = open.delivery_file_id)
    select download_id from open where download_id is not null and can_refund`
  for (const { download_id } of closed) await refundDownload(sql, download_id)
}

/** Ends a file that has arrived; its download is complete. */
export async function completeFile(
  sql: Sql,
  {
    delivery_file_id,
    download_id,
    etag,
  }: { delivery_file_id: number; download_id: number | null; etag: string | null },
  { state, file }: { state: 'sent' | 'already_there'; file: RemoteFile },
): Promise<void> {
  await sql`
    update cloud_delivery_file set state = ${state}, reason = null, finished_at = now(), is_cancelled = false, upload = null,
      etag = ${etag}, bytes = coalesce(bytes, ${file.bytes}::bigint), sent_bytes = coalesce(bytes, ${file.bytes}::bigint),
      remote_id = ${file.id}, remote_path = ${file.path}
    where delivery_file_id = ${delivery_file_id}`
  if (download_id !== null) await completeDownloads(sql, [download_id])
}
