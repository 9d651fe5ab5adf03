import { membership } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import { addressOf } from '../platform/place.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Asker, findAsker, on } from './asker.ts'
import { signInElsewhere } from './outside-sign-in.ts'
import { profileOf } from './profile.ts'
import { takeSecondStep } from './second-step.ts'
import { signOut, type Visit } from './session.ts'
import { signIn } from './sign-in.ts'

export const visitOf = (request: FastifyRequest): Visit => ({
  ip: addressOf(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
})

const A_SIGN_IN = { perMinute: 30 }

async function signedIn(world: World, token: string) {
  return { token, profile: await profileOf(world, await findAsker(world, token)) }
}

/** Coming in and going out. */
export const membershipRoutes = (world: World): Call<Asker>[] => [
  on(
    membership.signIn,
    async ({ input, request }) => signedIn(world, await signIn(world.sql, input, visitOf(request))),
    A_SIGN_IN,
  ),
  on(
    membership.secondStep,
    async ({ input, request }) => signedIn(world, await takeSecondStep(world, input, visitOf(request))),
    A_SIGN_IN,
  ),
  on(
    membership.signInElsewhere,
    async ({ input, request }) =>
      signedIn(world, await signInElsewhere(world, { ...input, headers: request.headers }, visitOf(request))),
    A_SIGN_IN,
  ),
  on(membership.signOut, async ({ member }) => {
    await signOut(world.sql, member.session_id)
    return {}
  }),
  on(membership.getProfile, async ({ member }) => ({ profile: await profileOf(world, member) })),
]
