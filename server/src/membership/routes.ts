import { membership } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { addressOf } from '../platform/client-network.ts'
import { findCaller, on, type Route } from './caller.ts'
import { signInExternally } from './external-sign-in.ts'
import { getProfile } from './profile.ts'
import { verifySecondFactor } from './second-factor.ts'
import { type ClientInfo, signOut } from './session.ts'
import { signIn } from './sign-in.ts'
import { signInWithLink } from './sign-in-link.ts'

export const clientInfo = (request: FastifyRequest): ClientInfo => ({
  ip: addressOf(request.ip),
  userAgent: request.headers['user-agent'] ?? '',
})

const SIGN_IN_RATE = { perMinute: 30 }

async function signInReply(ctx: AppContext, token: string) {
  return { token, profile: await getProfile(ctx, await findCaller(ctx, token)) }
}

/** Signing in and out. */
export const membershipRoutes: Route[] = [
  on(
    membership.signIn,
    async ({ input, request, ctx }) => signInReply(ctx, await signIn(ctx, input, clientInfo(request))),
    SIGN_IN_RATE,
  ),
  on(
    membership.secondStep,
    async ({ input, request, ctx }) => signInReply(ctx, await verifySecondFactor(ctx, input, clientInfo(request))),
    SIGN_IN_RATE,
  ),
  on(
    membership.signInElsewhere,
    async ({ input, request, ctx }) =>
      signInReply(ctx, await signInExternally(ctx, { ...input, headers: request.headers }, clientInfo(request))),
    SIGN_IN_RATE,
  ),
  on(
    membership.signInWithLink,
    async ({ input, request, ctx }) => {
      const { token, return_to } = await signInWithLink(ctx, input.token, clientInfo(request))
      return { ...(await signInReply(ctx, token)), return_to }
    },
    SIGN_IN_RATE,
  ),
  on(membership.signOut, async ({ member, sql }) => {
    await signOut(sql, member.session_id)
    return {}
  }),
  on(membership.getProfile, async ({ member, ctx }) => ({ profile: await getProfile(ctx, member) })),
]
