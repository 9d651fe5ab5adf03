import { cloud, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { findPlanLimits, requireCrateBundles } from '../downloads/plan-limits.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { closeOpenFiles } from './file-states.ts'
import { listProviders, requireProvider } from './providers.ts'
import { revokeSoon } from './revocations.ts'

/** A member's connections to cloud storage. */

const { CLOUD_NAMES } = cloud

type Provider = cloud.CloudProviderName

type ConnectionRow = Omit<cloud.CloudConnection, 'connected_at'> & { connected_at: Date }

const toConnection = ({ connected_at, ...row }: ConnectionRow): cloud.CloudConnection => ({
  ...row,
  connected_at: connected_at.toISOString(),
})

const selectConnections = (sql: Sql, condition: ReturnType<Sql>) => sql<ConnectionRow[]>`
  select c.provider, c.account_name, c.state, c.connected_at, c.crate_since is not null as always_send_crate,
    (select count(*)::int from cloud_delivery_file f
      where f.connection_id = c.connection_id and f.state in ('waiting', 'sending')) as open_files
  from cloud_connection c where ${condition} order by c.provider`

export async function listConnections(
  ctx: Pick<AppContext, 'config'>,
  sql: Sql,
  customerId: number,
): Promise<ReplyOf<typeof cloud.getConnections>> {
  const rows = await selectConnections(sql, sql`c.customer_id = ${customerId}`)
  return { providers: listProviders(ctx), connections: rows.map(toConnection) }
}

export async function findConnection(sql: Sql, connectionId: number): Promise<cloud.CloudConnection> {
  const [row] = await selectConnections(sql, sql`c.connection_id = ${connectionId}`)
  if (!row) throw unknownConnectionError()
  return toConnection(row)
}

const unknownConnectionError = () =>
  new ApiError('unknown_connection', 'This cloud storage isn’t connected. Connect it in your account first.')

/**
 * Returns the id of a connection that files can be sent to. Throws `cloud_not_configured`, `unknown_connection` and
 * `cloud_connection_expired`.
 */
export async function requireConnection(
  ctx: Pick<AppContext, 'config'>,
  sql: Sql,
  { customer_id, provider }: { customer_id: number; provider: Provider },
): Promise<number> {
  requireProvider(ctx, provider)
  const [row] = await sql<{ connection_id: number; state: 'connected' | 'expired' }[]>`
    select connection_id, state from cloud_connection where customer_id = ${customer_id} and provider = ${provider}`
  if (!row) throw unknownConnectionError()
  if (row.state === 'expired')
    throw new ApiError(
      'cloud_connection_expired',
      `${CLOUD_NAMES[provider]} no longer accepts this connection. Connect it again in your account.`,
    )
  return row.connection_id
}

/** Throws the errors of `requireConnection`, and `plan_feature_required`. */
export async function setAlwaysSendCrate(
  ctx: AppContext,
  member: Caller,
  { provider, is_on }: { provider: Provider; is_on: boolean },
): Promise<cloud.CloudConnection> {
  const { sql } = ctx
  const connectionId = await requireConnection(ctx, sql, { customer_id: member.customer_id, provider })
  if (is_on) requireCrateBundles(await findPlanLimits(ctx, member))
  await sql`
    update cloud_connection set crate_since = ${is_on ? sql`coalesce(crate_since, now())` : null}
    where connection_id = ${connectionId}`
  return findConnection(sql, connectionId)
}

/**
 * Deletes a connection and everything that was sent through it, refunds what was counted and not delivered, and revokes
 * the access. Throws `unknown_connection`.
 */
export async function disconnect(ctx: AppContext, customerId: number, provider: Provider): Promise<void> {
  await ctx.sql.begin(async (sql) => {
    const [locked] = await sql<{ connection_id: number }[]>`
      select connection_id from cloud_connection
      where customer_id = ${customerId} and provider = ${provider} for update`
    if (!locked) throw unknownConnectionError()
    await closeOpenFiles(sql, locked.connection_id, { state: 'cancelled', reason: null })
    await deleteConnections(sql, sql`connection_id = ${locked.connection_id}`)
  })
  await revokeSoon(ctx)
}

/** Deletes connections; their tokens are kept until they are revoked at the provider. */
export async function deleteConnections(sql: Sql, condition: ReturnType<Sql>): Promise<void> {
  await sql`
    with deleted as (
      delete from cloud_connection where ${condition} returning provider, tokens, token_owner)
    insert into cloud_revocation (provider, tokens, token_owner) select provider, tokens, token_owner from deleted`
}
