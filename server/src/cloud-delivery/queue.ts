import { randomUUID } from 'node:crypto'
import type { cloud } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { DownloadProfile } from '../booth/profiles.ts'
import type { Sql } from '../platform/db.ts'
import { listProviders } from './providers.ts'

/**
 * Which file is sent next. A worker leases a connection for one file: two files of one account at the same time would
 * only be told to wait, and could create the same folder twice. Connections take turns.
 */

/** A worker that was killed is replaced after it; `extendLease` is called more often. */
const LEASE_SECONDS = 60

/** A connection that this worker may send one file to. */
export type Lease = {
  connection_id: number
  lease_id: string
  customer_id: number
  provider: cloud.CloudProviderName
  tokens: Buffer
  token_owner: string
  /** Errors of the provider in a row. */
  attempts: number
}

export type QueuedFile = {
  delivery_file_id: number
  song_version_id: number
  profile: DownloadProfile | null
  is_cancelled: boolean
  etag: string | null
  upload: Buffer | null
  sent_bytes: number
  restarts: number
  download_id: number | null
}

const isOpen = (sql: Sql) => sql`f.state in ('waiting', 'sending') and f.due_at <= now()`

/** Leases the connection that was served longest ago among those with a file to send. */
export async function leaseConnection(ctx: Pick<AppContext, 'config' | 'sql'>): Promise<Lease | undefined> {
  const { sql } = ctx
  const [lease] = await sql<Lease[]>`
    with next as (
      select connection_id from cloud_connection c
      where c.provider = any(${listProviders(ctx)}) and c.state = 'connected' and c.next_attempt_at <= now()
        and c.leased_until < now()
        and exists (select 1 from cloud_delivery_file f where f.connection_id = c.connection_id and ${isOpen(sql)})
      order by c.served_at limit 1 for update skip locked)
    update cloud_connection c set lease_id = ${randomUUID()}, served_at = clock_timestamp(),
      leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from next where c.connection_id = next.connection_id
    returning c.connection_id, c.lease_id::text as lease_id, c.customer_id, c.provider, c.tokens, c.token_owner::text as token_owner,
      c.attempts`
  return lease
}

/** The next file of a leased connection: first one that was begun. */
export async function takeFile(sql: Sql, { connection_id }: Lease): Promise<QueuedFile | undefined> {
  const [file] = await sql<QueuedFile[]>`
    update cloud_delivery_file f set state = 'sending', reason = null
    from cloud_delivery d
    where d.delivery_id = f.delivery_id and f.delivery_file_id = (
      select delivery_file_id from cloud_delivery_file f
      where f.connection_id = ${connection_id} and ${isOpen(sql)}
      order by f.state = 'sending' desc, f.delivery_file_id limit 1)
    returning f.delivery_file_id, f.song_version_id, d.profile, f.is_cancelled, f.etag, f.upload, f.sent_bytes, f.restarts,
      f.download_id`
  return file
}

const isHeld = (sql: Sql, { connection_id, lease_id }: Lease) =>
  sql`connection_id = ${connection_id} and lease_id = ${lease_id}`

export const extendLease = (sql: Sql, lease: Lease) => sql`
  update cloud_connection set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) where ${isHeld(sql, lease)}`

export const releaseLease = (sql: Sql, lease: Lease) => sql`
  update cloud_connection set lease_id = null, leased_until = '-infinity' where ${isHeld(sql, lease)}`

/** Ends the count of errors after a success. */
export const resetAttempts = (sql: Sql, lease: Lease) => sql`
  update cloud_connection set attempts = 0, problem = null where ${isHeld(sql, lease)} and (attempts > 0 or problem is not null)`

/** Sends nothing to the connection until then. */
export const pauseConnection = (
  sql: Sql,
  lease: Lease,
  { delay_ms, problem }: { delay_ms: number; problem: string },
) => sql`
  update cloud_connection set attempts = attempts + 1, problem = ${problem},
    next_attempt_at = now() + make_interval(secs => ${delay_ms / 1000})
  where ${isHeld(sql, lease)}`

/** The provider no longer accepts the tokens; the member has to connect again. */
export const expireConnection = (sql: Sql, lease: Lease) => sql`
  update cloud_connection set state = 'expired', problem = null where ${isHeld(sql, lease)}`

/** Lets other files go first while this one cannot be sent yet. */
export const postponeFile = (
  sql: Sql,
  { delivery_file_id }: QueuedFile,
  delay: { seconds: number; reason: string },
) => sql`
  update cloud_delivery_file set state = 'waiting', reason = ${delay.reason},
    due_at = now() + make_interval(secs => ${delay.seconds})
  where delivery_file_id = ${delivery_file_id}`

type Progress = { etag: string; bytes: number; upload: Buffer; sent_bytes: number }

/**
 * Records how much was sent. Returns `cancelled` if the member cancelled it, and `lost` if another worker has the
 * connection now or it was deleted.
 */
export async function saveProgress(
  sql: Sql,
  lease: Lease,
  { delivery_file_id }: QueuedFile,
  progress: Progress,
): Promise<'continue' | 'cancelled' | 'lost'> {
  const [saved] = await sql<{ is_cancelled: boolean }[]>`
    update cloud_delivery_file f set ${sql(progress)} from cloud_connection c
    where f.delivery_file_id = ${delivery_file_id} and f.state = 'sending' and c.connection_id = f.connection_id
      and c.lease_id = ${lease.lease_id}
    returning f.is_cancelled`
  if (!saved) return 'lost'
  return saved.is_cancelled ? 'cancelled' : 'continue'
}

/** Forgets a begun upload, so that it begins again. */
export const forgetUpload = (sql: Sql, { delivery_file_id }: QueuedFile) => sql`
  update cloud_delivery_file set upload = null, sent_bytes = 0, restarts = restarts + 1
  where delivery_file_id = ${delivery_file_id}`
