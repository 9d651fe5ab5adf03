import { account } from '@dubplate/contract'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Asker, CONFIRMED_MINUTES, on } from './asker.ts'
import { changePassword, checkPasswordChange } from './change-password.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { deleteAccount, type Leaving } from './delete-account.ts'
import { saveDisplay } from './display.ts'
import { exportLink } from './export.ts'
import { checkOwnPassword } from './own-password.ts'
import { endSession, listSessions } from './sessions.ts'
import { confirmTwoStep, newRecoveryCodes, startTwoStep, stopTwoStep } from './two-step.ts'

const GUARDED = { perMinute: 20 }

/** What members do with their own account, beside what they say of themselves. */
export const accountRoutes = (world: World, leaving: Leaving): Call<Asker>[] => [
  on(
    account.changePassword,
    async ({ input, member }) => ({
      customerSuccess: 'Password successfully changed.',
      token: await changePassword(world, member, input),
    }),
    {
      ...GUARDED,
      alsoCheck: (given, member) => checkPasswordChange(world, member, given),
    },
  ),
  on(account.getSessions, async ({ member }) => listSessions(world.sql, member)),
  on(account.endSession, async ({ input, member }) => ({
    ended: await endSession(world.sql, member, input.session_id),
  })),
  on(account.saveDisplay, async ({ input, member }) => ({
    display: await saveDisplay(world.sql, member.customer_id, input),
  })),
  on(
    account.confirmIdentity,
    async ({ input, member }) => {
      await confirmIdentity(world, member, input)
      return { minutes: CONFIRMED_MINUTES }
    },
    GUARDED,
  ),
  on(
    account.startTwoStep,
    async ({ input, member }) => {
      await checkOwnPassword(world.sql, member.customer_id, input.password)
      return startTwoStep(world, member)
    },
    GUARDED,
  ),
  on(account.confirmTwoStep, async ({ input, member }) => ({
    recovery_codes: await confirmTwoStep(world, member, input.code),
  })),
  on(
    account.renewRecoveryCodes,
    async ({ input, member }) => {
      await checkOwnPassword(world.sql, member.customer_id, input.password)
      return { recovery_codes: await newRecoveryCodes(world, member.customer_id) }
    },
    GUARDED,
  ),
  on(
    account.stopTwoStep,
    async ({ input, member }) => {
      await checkOwnPassword(world.sql, member.customer_id, input.password)
      await stopTwoStep(world, member)
      return {}
    },
    GUARDED,
  ),
  on(
    account.exportAccount,
    async ({ input, member }) => {
      await checkOwnPassword(world.sql, member.customer_id, input.password)
      return exportLink(world, member)
    },
    GUARDED,
  ),
  on(
    account.deleteAccount,
    async ({ input, member }) => {
      await checkOwnPassword(world.sql, member.customer_id, input.password)
      await deleteAccount(world, member, leaving)
      return {}
    },
    GUARDED,
  ),
]
