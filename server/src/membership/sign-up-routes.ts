import { joining } from '@dubplate/contract'
import { sendConfirmation, submitApplication } from './applications.ts'
import { on, type Route } from './caller.ts'
import { confirmAddress } from './confirmation.ts'
import type { OwnData } from './own-data.ts'
import { estimateStrength, rejectWeakText } from './password-strength.ts'
import { requestPasswordReset, resetPassword } from './recovery.ts'
import { clientInfo } from './routes.ts'
import { signUp } from './sign-up.ts'

/** Endpoints for people who are not members yet or have forgotten their password. */
export const signUpRoutes = (ownData: readonly OwnData[]): Route[] => [
  on(
    joining.signUp,
    async ({ input, request, ctx }) => ({
      token: await signUp(ctx, { ...input, password: input.password_hash }, clientInfo(request)),
    }),
    {
      perMinute: 10,
      alsoCheck: ({ dj_name, email, password_hash }) =>
        rejectWeakText(password_hash, [dj_name, email], 'password_hash'),
    },
  ),
  on(joining.passwordStrength, async ({ input }) => estimateStrength(input.password, input.words), { perMinute: 30 }),
  on(joining.submitApplication, async ({ input, member, ctx }) => submitApplication(ctx, member, input), {
    perMinute: 30,
  }),
  on(joining.sendConfirmation, async ({ member, request, sql }) => sendConfirmation(sql, member, clientInfo(request)), {
    perMinute: 10,
  }),
  on(
    joining.confirmAddress,
    async ({ input, caller, request, ctx }) =>
      confirmAddress({ ...ctx, ownData }, { ...input, session_id: caller?.session_id }, clientInfo(request)),
    { perMinute: 30 },
  ),
  on(
    joining.forgetPassword,
    async ({ input, request, sql }) => {
      await requestPasswordReset(sql, input.email, clientInfo(request))
      return {}
    },
    { perMinute: 10 },
  ),
  on(
    joining.resetPassword,
    async ({ input, ctx }) => {
      await resetPassword(ctx, input)
      return {}
    },
    { perMinute: 10, alsoCheck: ({ email, password }) => rejectWeakText(password, [email], 'password') },
  ),
]
