import type { cloud } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { CloudError } from './provider.ts'
import { findProvider } from './providers.ts'
import { openTokens, type SealedTokens } from './tokens.ts'

/** A provider that has not revoked access after so many attempts, about three days, is given up on. */
const MAX_ATTEMPTS = 20
const MAX_DELAY_MINUTES = 240

type Revocation = SealedTokens & { revocation_id: number; provider: cloud.CloudProviderName; attempts: number }

/** Revokes at once what was just disconnected; if that fails, a worker tries again. */
export const revokeSoon = (ctx: AppContext): Promise<void> =>
  revokeDue(ctx).catch((error) => ctx.log.warn(error, 'Could not revoke access to cloud storage; will retry'))

/** Revokes the access of deleted connections at the providers, and deletes their tokens. */
export async function revokeDue(ctx: AppContext): Promise<void> {
  for (;;) {
    const revocation = await claimRevocation(ctx)
    if (!revocation) return
    if (await revoke(ctx, revocation))
      await ctx.sql`delete from cloud_revocation where revocation_id = ${revocation.revocation_id}`
  }
}

/** Takes the next one; if this process is killed, another one takes it later. */
async function claimRevocation({ sql }: AppContext): Promise<Revocation | undefined> {
  const [revocation] = await sql<Revocation[]>`
    update cloud_revocation r set attempts = attempts + 1,
      next_attempt_at = now() + make_interval(mins => least(${MAX_DELAY_MINUTES}, (2 ^ least(attempts, 10))::int))
    where revocation_id = (
      select revocation_id from cloud_revocation where next_attempt_at <= now()
      order by next_attempt_at limit 1 for update skip locked)
    returning revocation_id, provider, tokens, token_owner, attempts`
  return revocation
}

/** Returns whether there is nothing left to do. */
async function revoke(ctx: AppContext, { provider: name, attempts, ...sealed }: Revocation): Promise<boolean> {
  const provider = findProvider(ctx, name)
  try {
    // Without keys it cannot be revoked; the member can still end the access at the provider.
    await provider?.revoke(openTokens(ctx, sealed))
    return true
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    const isPointless = error.kind === 'revoked' || attempts >= MAX_ATTEMPTS
    ctx.log.warn({ provider: name, attempts, reason: error.message }, 'Access to cloud storage could not be revoked')
    return isPointless
  }
}
