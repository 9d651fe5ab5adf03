import { type Endpoint, type InputOf, joining, type ReplyOf } from '@dubplate/contract'
import { ApiError, callApi } from '../platform/api.ts'
import { createTabStorage } from '../platform/tabStorage.ts'
import { clearTypedExceptEmail } from './draft.ts'

export type AppliedReply = ReplyOf<typeof joining.submitApplication>

/** Somebody on the way to being a member: the token is good only for applying, and kept apart from a member's. */
type Applicant = {
  token: string
  /** How the application was answered; missing until it is sent. */
  applied?: AppliedReply
}

const memory = createTabStorage<Applicant>('dubplate.applicant')

export const applicant = memory.get

export const saveApplicant = (token: string) => memory.set({ token })

export const clearApplicant = () => memory.set(undefined)

/** The token a refusal or a reply carries for the step that comes next. */
export function applicantTokenOf(data: unknown): string | undefined {
  const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined
  return typeof token === 'string' ? token : undefined
}

/** True for a refusal because the token for applying has run out: signing in again brings another. */
export const isApplicantTokenExpired = (error: unknown) => error instanceof ApiError && error.code === 'session_expired'

async function callApiAsApplicant<E extends Endpoint>(call: E, input: InputOf<E>): Promise<ReplyOf<E>> {
  try {
    return await callApi(call, input, { token: applicant()?.token })
  } catch (error) {
    if (isApplicantTokenExpired(error)) clearApplicant()
    throw error
  }
}

/** Sends the application; throws the server's refusal. */
export async function apply(input: InputOf<typeof joining.submitApplication>): Promise<AppliedReply> {
  const applied = await callApiAsApplicant(joining.submitApplication, input)
  const { token } = applicant() ?? {}
  if (token) memory.set({ token, applied })
  clearTypedExceptEmail()
  return applied
}

/** Has the mail that confirms the address sent once more; answers with the address it goes to. */
export const sendConfirmation = async () => (await callApiAsApplicant(joining.sendConfirmation, {})).email
