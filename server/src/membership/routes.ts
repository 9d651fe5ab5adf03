import { membership } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Asker, findAsker, on } from './asker.ts'
import { profileOf } from './profile.ts'
import { signIn, signOut } from './sign-in.ts'

const visitOf = (request: FastifyRequest) => ({ ip: request.ip, userAgent: request.headers['user-agent'] ?? '' })

export const membershipRoutes = ({ sql, signing, now }: World): Call<Asker>[] => [
  on(
    membership.signIn,
    async ({ input, request }) => {
      const token = await signIn(sql, input, visitOf(request))
      return { token, profile: profileOf(await findAsker(sql, token), signing, now()) }
    },
    { perMinute: 30 },
  ),
  on(membership.signOut, async ({ member }) => {
    await signOut(sql, member.session_id)
    return {}
  }),
  on(membership.getProfile, async ({ member }) => ({
    profile: profileOf(member, signing, now()),
  })),
]
