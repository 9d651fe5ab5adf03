import { randomUUID } from 'node:crypto'
import { cloud, type ParsedInputOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import { findConnection } from './connections.ts'
import { challengeOf, createPkce } from './pkce.ts'
import { CloudError, type CloudTokens } from './provider.ts'
import { requireProvider } from './providers.ts'
import { sealTokens } from './tokens.ts'

/**
 * Connecting cloud storage. The state that the provider passes back is encrypted for the session that began: the code of
 * another person's account cannot be added to a member's session, nor a member's code to another session. It contains the
 * code verifier, so nothing is stored until the member has allowed access.
 */

const { CLOUD_NAMES, CLOUD_RETURN_PATHS } = cloud

type Provider = cloud.CloudProviderName
type PendingConnection = { provider: Provider; verifier: string; ends_at: number }

const STATE_PURPOSE = 'cloud authorisation'
const MAX_MINUTES = 30

const redirectUri = ({ config }: Pick<AppContext, 'config'>, provider: Provider): string =>
  `${config.publicUrl}${CLOUD_RETURN_PATHS[provider]}`

/** Returns the page of the provider. Throws `cloud_not_configured`. */
export function startConnection(ctx: AppContext, { session_id }: Caller, provider: Provider): string {
  const { verifier } = createPkce()
  const pending: PendingConnection = { provider, verifier, ends_at: ctx.now().getTime() + MAX_MINUTES * 60_000 }
  const sealed = ctx.encryption.seal(STATE_PURPOSE, String(session_id), Buffer.from(JSON.stringify(pending)))
  return requireProvider(ctx, provider).authorizeUrl({
    state: sealed.toString('base64url'),
    challenge: challengeOf(verifier),
    redirectUri: redirectUri(ctx, provider),
  })
}

const expiredError = (provider: Provider) =>
  new ApiError(
    'cloud_connection_expired',
    `This attempt to connect ${CLOUD_NAMES[provider]} has expired. Start again from your account.`,
  )

/** Throws `cloud_connection_expired` for a state of another session or provider, or an old one. */
function openState(ctx: AppContext, { session_id }: Caller, provider: Provider, state: string): PendingConnection {
  const opened = ctx.encryption.open(STATE_PURPOSE, String(session_id), Buffer.from(state, 'base64url'))
  const pending = opened && (JSON.parse(String(opened)) as PendingConnection)
  if (!pending || pending.provider !== provider || pending.ends_at < ctx.now().getTime()) throw expiredError(provider)
  return pending
}

/**
 * Stores the connection; one that the member had is replaced, and its files continue. Throws `cloud_not_configured`,
 * `cloud_connection_expired`, `cloud_access_refused` and `provider_unavailable`.
 */
export async function finishConnection(
  ctx: AppContext,
  member: Caller,
  { provider: name, code, state }: ParsedInputOf<typeof cloud.finishConnection>,
): Promise<cloud.CloudConnection> {
  const provider = requireProvider(ctx, name)
  const { verifier } = openState(ctx, member, name, state)
  let tokens: CloudTokens
  let account_name: string
  try {
    tokens = await provider.exchangeCode({ code, verifier, redirectUri: redirectUri(ctx, name) })
    account_name = (await provider.accountName(tokens.access_token)).slice(0, 200)
  } catch (error) {
    ctx.log.warn({ provider: name, reason: (error as Error).message }, 'Cloud storage could not be connected')
    throw toApiError(name, error)
  }
  const values = {
    ...{ customer_id: member.customer_id, provider: name, account_name },
    ...sealTokens(ctx, tokens, randomUUID()),
  }
  const [row] = await ctx.sql<{ connection_id: number }[]>`
    insert into cloud_connection ${ctx.sql(values)}
    on conflict (customer_id, provider) do update set account_name = excluded.account_name, tokens = excluded.tokens,
      token_owner = excluded.token_owner, state = 'connected', connected_at = now(), attempts = 0, problem = null,
      next_attempt_at = '-infinity'
    returning connection_id`
  if (!row) throw new Error('Insert of a connection returned no row')
  return findConnection(ctx.sql, row.connection_id)
}

function toApiError(name: Provider, error: unknown): unknown {
  if (!(error instanceof CloudError)) return error
  if (error.kind === 'revoked')
    return new ApiError(
      'cloud_access_refused',
      `${CLOUD_NAMES[name]} didn’t allow this pool to store files. Connect again and allow access.`,
    )
  if (error.kind === 'rejected')
    return new ApiError(
      'cloud_access_refused',
      `${CLOUD_NAMES[name]} didn’t accept the connection. Contact support: the pool’s access to ${CLOUD_NAMES[name]} may not be set up correctly.`,
    )
  return new ApiError('provider_unavailable', `${CLOUD_NAMES[name]} isn’t responding. Try again in a few minutes.`)
}
