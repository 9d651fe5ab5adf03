import { type InputOf, membership, type ReplyOf } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { startSession } from '../platform/session.ts'
import { clearApplicant } from './applicant.ts'
import { clearTyped } from './draft.ts'

type SignedIn = ReplyOf<typeof membership.signIn>

/** From now on this person is the member: nothing is left of the way here. */
function startSignedInSession({ token, profile }: SignedIn) {
  startSession(token, profile)
  clearApplicant()
  clearTyped()
}

/** Signs in; throws the server's refusal. */
export const signIn = async (input: InputOf<typeof membership.signIn>) =>
  startSignedInSession(await callApi(membership.signIn, input))

/** The second step of a sign-in; throws the server's refusal. */
export const submitSecondStep = async (input: InputOf<typeof membership.secondStep>) =>
  startSignedInSession(await callApi(membership.secondStep, input))

/** Ends a sign-in that went through the operator's own; throws the server's refusal. */
export const signInElsewhere = async (code: string) =>
  startSignedInSession(await callApi(membership.signInElsewhere, { code }))
