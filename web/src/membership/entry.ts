import { type InputOf, membership, type ReplyOf } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { startSession } from '../platform/session.ts'
import { forgetApplicant } from './applicant.ts'
import { forgetTyped } from './draft.ts'

type SignedIn = ReplyOf<typeof membership.signIn>

/** From now on this person is the member: nothing is left of the way here. */
function enter({ token, profile }: SignedIn) {
  startSession(token, profile)
  forgetApplicant()
  forgetTyped()
}

/** Signs in; throws the server's refusal. */
export const signIn = async (input: InputOf<typeof membership.signIn>) => enter(await ask(membership.signIn, input))

/** The second step of a sign-in; throws the server's refusal. */
export const takeSecondStep = async (input: InputOf<typeof membership.secondStep>) =>
  enter(await ask(membership.secondStep, input))

/** Ends a sign-in that went through the operator's own; throws the server's refusal. */
export const signInElsewhere = async (code: string) => enter(await ask(membership.signInElsewhere, { code }))
