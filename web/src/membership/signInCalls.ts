import { type InputOf, membership, type ReplyOf } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { startSession } from '../platform/session.ts'
import { resumeActionOf } from './actionAfterSignIn.ts'
import { clearApplicant } from './applicant.ts'
import { clearTyped } from './draft.ts'

type SignedIn = ReplyOf<typeof membership.signIn>

/** Starts the member's session and clears all sign-up data. */
function startSignedInSession({ token, profile }: SignedIn) {
  startSession(token, profile)
  clearApplicant()
  clearTyped()
  resumeActionOf(profile.email)
}

/** Signs in; throws the server's `ApiError`. */
export const signIn = async (input: InputOf<typeof membership.signIn>) =>
  startSignedInSession(await callApi(membership.signIn, input))

/** The second step of a sign-in; throws the server's `ApiError`. */
export const submitSecondStep = async (input: InputOf<typeof membership.secondStep>) =>
  startSignedInSession(await callApi(membership.secondStep, input))

/** Signs in with the link of an approval email, and resolves with the page to return to. */
export async function signInByLink(token: string): Promise<string> {
  const { return_to, ...signedIn } = await callApi(membership.signInWithLink, { token })
  startSignedInSession(signedIn)
  return return_to || '/'
}

/** Completes a sign-in through the operator's own sign-in; throws the server's `ApiError`. */
export const signInElsewhere = async (code: string) =>
  startSignedInSession(await callApi(membership.signInElsewhere, { code }))
