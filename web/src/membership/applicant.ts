import { type Endpoint, type InputOf, joining, type ReplyOf } from '@dubplate/contract'
import { ask, RefusalError } from '../platform/api.ts'
import { tabMemory } from '../platform/tabMemory.ts'
import { forgetAllButEmail } from './draft.ts'

export type Applied = ReplyOf<typeof joining.submitApplication>

/** Somebody on the way to being a member: the token is good only for applying, and kept apart from a member's. */
type Applicant = {
  token: string
  /** How the application was answered; missing until it is sent. */
  applied?: Applied
}

const memory = tabMemory<Applicant>('dubplate.applicant')

export const applicant = memory.get

export const becomeApplicant = (token: string) => memory.set({ token })

export const forgetApplicant = () => memory.set(undefined)

/** The token a refusal or a reply carries for the step that comes next. */
export function tokenIn(data: unknown): string | undefined {
  const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined
  return typeof token === 'string' ? token : undefined
}

/** True for a refusal because the token for applying has run out: signing in again brings another. */
export const hasRunOut = (error: unknown) => error instanceof RefusalError && error.code === 'session_expired'

async function askAsApplicant<E extends Endpoint>(call: E, input: InputOf<E>): Promise<ReplyOf<E>> {
  try {
    return await ask(call, input, { token: applicant()?.token })
  } catch (error) {
    if (hasRunOut(error)) forgetApplicant()
    throw error
  }
}

/** Sends the application; throws the server's refusal. */
export async function apply(input: InputOf<typeof joining.submitApplication>): Promise<Applied> {
  const applied = await askAsApplicant(joining.submitApplication, input)
  const { token } = applicant() ?? {}
  if (token) memory.set({ token, applied })
  forgetAllButEmail()
  return applied
}

/** Has the mail that confirms the address sent once more; answers with the address it goes to. */
export const sendConfirmation = async () => (await askAsApplicant(joining.sendConfirmation, {})).email
