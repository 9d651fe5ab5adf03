import { joining } from '@dubplate/contract'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { sendConfirmation, submitApplication } from './applications.ts'
import { type Asker, on } from './asker.ts'
import { confirmAddress } from './confirmation.ts'
import type { OwnData } from './own-data.ts'
import { refuseWeakText, strengthOf } from './password-strength.ts'
import { forgetPassword, resetPassword } from './recovery.ts'
import { visitOf } from './routes.ts'
import { signUp } from './sign-up.ts'

/** The calls of whoever is not a member yet, or has lost the password. */
export const joiningRoutes = (world: World, parts: readonly OwnData[]): Call<Asker>[] => [
  on(
    joining.signUp,
    async ({ input, request }) => ({
      token: await signUp(world.sql, { ...input, password: input.password_hash }, visitOf(request)),
    }),
    {
      perMinute: 10,
      alsoCheck: ({ dj_name, email, password_hash }) =>
        refuseWeakText(password_hash, [dj_name, email], 'password_hash'),
    },
  ),
  on(joining.passwordStrength, async ({ input }) => strengthOf(input.password, input.words), { perMinute: 30 }),
  on(joining.submitApplication, async ({ input, member }) => submitApplication(world, member, input), {
    perMinute: 30,
  }),
  on(joining.sendConfirmation, async ({ member, request }) => sendConfirmation(world.sql, member, visitOf(request)), {
    perMinute: 10,
  }),
  on(
    joining.confirmAddress,
    async ({ input, asker, request }) =>
      confirmAddress({ ...world, parts }, { ...input, session_id: asker?.session_id }, visitOf(request)),
    { perMinute: 30 },
  ),
  on(
    joining.forgetPassword,
    async ({ input, request }) => {
      await forgetPassword(world.sql, input.email, visitOf(request))
      return {}
    },
    { perMinute: 10 },
  ),
  on(
    joining.resetPassword,
    async ({ input }) => {
      await resetPassword(world, input)
      return {}
    },
    { perMinute: 10, alsoCheck: ({ email, password }) => refuseWeakText(password, [email], 'password') },
  ),
]
