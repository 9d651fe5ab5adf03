import { type Endpoint, type InputOf, joining, type ReplyOf } from '@dubplate/contract'
import { ApiError, callApi } from '../platform/api.ts'
import { createTabStorage } from '../platform/tabStorage.ts'
import { keepActionFor, returnPath } from './actionAfterSignIn.ts'
import { clearTypedExceptEmail } from './draft.ts'

export type AppliedReply = ReplyOf<typeof joining.submitApplication>

/** Someone who is applying: the token is valid only for the application, and stored separately from a member's. */
type Applicant = {
  token: string
  /** The reply to the application; missing until it is sent. */
  applied?: AppliedReply
}

const memory = createTabStorage<Applicant>('dubplate.applicant')

export const applicant = memory.get

export const saveApplicant = (token: string) => memory.set({ token })

export const clearApplicant = () => memory.set(undefined)

/** The token for the next step, from an error or a reply. */
export function applicantTokenOf(data: unknown): string | undefined {
  const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined
  return typeof token === 'string' ? token : undefined
}

/** True if the token for applying has expired: signing in again issues another. */
export const isApplicantTokenExpired = (error: unknown) => error instanceof ApiError && error.code === 'session_expired'

async function callApiAsApplicant<E extends Endpoint>(call: E, input: InputOf<E>): Promise<ReplyOf<E>> {
  try {
    return await callApi(call, input, { token: applicant()?.token })
  } catch (error) {
    if (isApplicantTokenExpired(error)) clearApplicant()
    throw error
  }
}

/** Sends the application; throws the server's `ApiError`. */
export async function apply(input: InputOf<typeof joining.submitApplication>): Promise<AppliedReply> {
  const applied = await callApiAsApplicant(joining.submitApplication, { ...input, return_to: returnPath() })
  const { token } = applicant() ?? {}
  if (token) memory.set({ token, applied })
  clearTypedExceptEmail()
  keepActionFor(applied.email)
  return applied
}

/** Sends the confirmation email again; resolves with the address it is sent to. */
export const sendConfirmation = async () => (await callApiAsApplicant(joining.sendConfirmation, {})).email
