import { cloud, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { requireConnection } from './connections.ts'
import { cancelWaiting } from './file-states.ts'

/** The deliveries of a member, as they see them. */

const { DELIVERIES_PER_PAGE, DELIVERY_FILES_PER_PAGE, FILE_STATES } = cloud

type DeliveryKey = { customer_id: number; delivery_id: number }
type Counts = cloud.CloudDelivery['counts']
type DeliveryRow = Omit<cloud.CloudDelivery, 'created_at' | 'counts'> & Counts & { created_at: Date }

const selectDeliveries = (sql: Sql, chosen: ReturnType<Sql>) => sql<DeliveryRow[]>`
  select d.delivery_id, c.provider, d.title, d.created_at, d.is_automatic, f.waiting, f.sending, f.sent, f.already_there, f.failed,
    f.cancelled, f.progress,
    case when f.waiting + f.sending > 0 then c.problem
      when f.failed > 0 then (
        select reason from cloud_delivery_file l where l.delivery_id = d.delivery_id and l.state = 'failed'
        order by finished_at desc limit 1) end as problem
  from (${chosen}) d join cloud_connection c using (connection_id)
  cross join lateral (
    select count(*) filter (where state = 'waiting')::int as waiting, count(*) filter (where state = 'sending')::int as sending,
      count(*) filter (where state = 'sent')::int as sent, count(*) filter (where state = 'already_there')::int as already_there,
      count(*) filter (where state = 'failed')::int as failed, count(*) filter (where state = 'cancelled')::int as cancelled,
      coalesce(avg(case state when 'waiting' then 0 when 'sending' then coalesce(sent_bytes::float8 / nullif(bytes, 0), 0) else 1 end),
        1)::float8 as progress
    from cloud_delivery_file f where f.delivery_id = d.delivery_id) f
  order by d.delivery_id desc`

function toDelivery({ created_at, ...row }: DeliveryRow): cloud.CloudDelivery {
  const counts = Object.fromEntries(FILE_STATES.map((state) => [state, row[state]])) as Counts
  const { delivery_id, provider, title, is_automatic, progress, problem } = row
  return {
    ...{ delivery_id, provider, title, is_automatic, progress, problem, counts },
    created_at: created_at.toISOString(),
  }
}

const unknownDeliveryError = () => new ApiError('unknown_delivery', 'Delivery not found. Reload the page.')

/** Throws `unknown_delivery`. */
export async function findDelivery(sql: Sql, { customer_id, delivery_id }: DeliveryKey): Promise<cloud.CloudDelivery> {
  const [row] = await selectDeliveries(
    sql,
    sql`select d.* from cloud_delivery d join cloud_connection o using (connection_id)
      where o.customer_id = ${customer_id} and d.delivery_id = ${delivery_id}`,
  )
  if (!row) throw unknownDeliveryError()
  return toDelivery(row)
}

export async function listDeliveries(
  sql: Sql,
  customerId: number,
  page: number,
): Promise<ReplyOf<typeof cloud.getDeliveries>> {
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from cloud_delivery join cloud_connection using (connection_id)
    where customer_id = ${customerId}`
  const rows = await selectDeliveries(
    sql,
    sql`select d.* from cloud_delivery d join cloud_connection o using (connection_id)
      where o.customer_id = ${customerId} order by delivery_id desc
      limit ${DELIVERIES_PER_PAGE} offset ${(page - 1) * DELIVERIES_PER_PAGE}`,
  )
  return {
    results: rows.map(toDelivery),
    pagination: { page, perPageLimit: DELIVERIES_PER_PAGE, totalCount: counted?.n ?? 0 },
  }
}

/** Throws `unknown_delivery`. */
export async function listFiles(
  sql: Sql,
  key: DeliveryKey,
  page: number,
): Promise<ReplyOf<typeof cloud.getDeliveryFiles>> {
  const { counts } = await findDelivery(sql, key)
  const results = await sql<cloud.CloudDeliveryFile[]>`
    select f.delivery_file_id, f.song_version_id, s.entity_id, s.title, s.artist, v.version_label, f.state, f.reason, f.bytes,
      f.sent_bytes, f.remote_path as path
    from cloud_delivery_file f join song_version v using (song_version_id) join song s using (entity_id)
    where f.delivery_id = ${key.delivery_id}
    order by array_position(array['failed', 'sending', 'waiting'], f.state) nulls last, f.delivery_file_id
    limit ${DELIVERY_FILES_PER_PAGE} offset ${(page - 1) * DELIVERY_FILES_PER_PAGE}`
  const totalCount = Object.values(counts).reduce((sum, n) => sum + n, 0)
  return { results, pagination: { page, perPageLimit: DELIVERY_FILES_PER_PAGE, totalCount } }
}

/**
 * Queues the failed and cancelled files of a delivery again, and ends a pause after an error. Throws `unknown_delivery` and
 * the errors of `requireConnection`.
 */
export async function retryDelivery(ctx: AppContext, key: DeliveryKey): Promise<cloud.CloudDelivery> {
  const { sql } = ctx
  const { provider } = await findDelivery(sql, key)
  const connectionId = await requireConnection(ctx, sql, { customer_id: key.customer_id, provider })
  await sql.begin(async (sql) => {
    await sql`
      update cloud_delivery_file set state = 'waiting', reason = null, finished_at = null, due_at = '-infinity', restarts = 0
      where delivery_id = ${key.delivery_id} and state in ('failed', 'cancelled')`
    await endPause(sql, connectionId)
  })
  return findDelivery(sql, key)
}

const endPause = (sql: Sql, connectionId: number) => sql`
  update cloud_connection set attempts = 0, problem = null, next_attempt_at = '-infinity'
  where connection_id = ${connectionId}`

/**
 * Cancels what is still to be sent. A file that is being sent is cancelled by its worker, so that one that has just
 * arrived is not refunded. Throws `unknown_delivery`.
 */
export async function cancelDelivery(sql: AppContext['sql'], key: DeliveryKey): Promise<cloud.CloudDelivery> {
  await findDelivery(sql, key)
  await sql.begin(async (sql) => {
    await cancelWaiting(sql, key.delivery_id)
    const sending = await sql<{ connection_id: number }[]>`
      update cloud_delivery_file set is_cancelled = true
      where delivery_id = ${key.delivery_id} and state = 'sending' returning connection_id`
    // Otherwise the worker would only see it after the pause.
    if (sending[0]) await endPause(sql, sending[0].connection_id)
  })
  return findDelivery(sql, key)
}
