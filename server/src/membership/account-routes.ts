import { account } from '@dubplate/contract'
import { IDENTITY_CONFIRMED_MINUTES, on, type Route } from './caller.ts'
import { changePassword, checkPasswordChange } from './change-password.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { type AccountDeletionHooks, deleteAccount } from './delete-account.ts'
import { saveDisplay, savePreferredVersions } from './display.ts'
import { exportLink } from './export.ts'
import { checkOwnPassword } from './own-password.ts'
import { endSession, listSessions } from './sessions.ts'
import { confirmTwoFactor, createRecoveryCodes, disableOwnTwoFactor, startTwoFactorSetup } from './two-factor.ts'

const GUARDED_RATE = { perMinute: 20 }

/** What members do with their own account, besides their profile. */
export const accountRoutes = (deletionHooks: AccountDeletionHooks): Route[] => [
  on(
    account.changePassword,
    async ({ input, member, ctx }) => ({
      customerSuccess: 'Password successfully changed.',
      token: await changePassword(ctx, member, input),
    }),
    {
      ...GUARDED_RATE,
      alsoCheck: (submitted, { member, ctx }) => checkPasswordChange(ctx, member, submitted),
    },
  ),
  on(account.getSessions, async ({ member, sql }) => listSessions(sql, member)),
  on(account.endSession, async ({ input, member, sql }) => ({
    ended: await endSession(sql, member, input.session_id),
  })),
  on(account.saveDisplay, async ({ input, member, sql }) => ({
    display: await saveDisplay(sql, member.customer_id, input),
  })),
  on(account.savePreferredVersions, async ({ input, member, sql }) => ({
    preferred_versions: await savePreferredVersions(sql, member.customer_id, input),
  })),
  on(
    account.confirmIdentity,
    async ({ input, member, ctx }) => {
      await confirmIdentity(ctx, member, input)
      return { minutes: IDENTITY_CONFIRMED_MINUTES }
    },
    { ...GUARDED_RATE, audit: { unrecorded: 'confirms only the identity of the caller, in their own session' } },
  ),
  on(
    account.startTwoStep,
    async ({ input, member, ctx, sql }) => {
      await checkOwnPassword(sql, member.customer_id, input.password)
      return startTwoFactorSetup(ctx, member)
    },
    GUARDED_RATE,
  ),
  on(account.confirmTwoStep, async ({ input, member, ctx }) => ({
    recovery_codes: await confirmTwoFactor(ctx, member, input.code),
  })),
  on(
    account.renewRecoveryCodes,
    async ({ input, member, ctx, sql }) => {
      await checkOwnPassword(sql, member.customer_id, input.password)
      return { recovery_codes: await createRecoveryCodes(ctx, member.customer_id) }
    },
    GUARDED_RATE,
  ),
  on(
    account.stopTwoStep,
    async ({ input, member, ctx, sql }) => {
      await checkOwnPassword(sql, member.customer_id, input.password)
      await disableOwnTwoFactor(ctx, member)
      return {}
    },
    GUARDED_RATE,
  ),
  on(
    account.exportAccount,
    async ({ input, member, ctx, sql }) => {
      await checkOwnPassword(sql, member.customer_id, input.password)
      return exportLink(ctx, member)
    },
    GUARDED_RATE,
  ),
  on(
    account.deleteAccount,
    async ({ input, member, ctx, sql }) => {
      await checkOwnPassword(sql, member.customer_id, input.password)
      await deleteAccount(ctx, member, deletionHooks)
      return {}
    },
    GUARDED_RATE,
  ),
]
