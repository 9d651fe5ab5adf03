import { joining } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { type Confirmation, confirmLink, keepConfirmation } from './mailedLinks.ts'
import * as texts from './texts.ts'

let asked: { token: string; answer: Promise<Confirmation> } | undefined

/** Confirms the address of the kept link: the link works once, so the server is asked once, however often this is called. */
export function confirmOnce(): Promise<Confirmation> {
  const link = confirmLink()
  if (!link) return Promise.reject(new Error(texts.openTheLinkInTheEmail))
  if (link.answer) return Promise.resolve(link.answer)
  if (asked?.token !== link.token) asked = { token: link.token, answer: confirmNow(link.token) }
  return asked.answer
}

/** The same with the password of the sign-up, which the server wants to hear before it confirms one. */
export async function confirmWith(password: string): Promise<Confirmation> {
  const link = confirmLink()
  if (!link) throw new Error(texts.openTheLinkInTheEmail)
  return link.answer ?? confirmNow(link.token, password)
}

async function confirmNow(token: string, password?: string): Promise<Confirmation> {
  try {
    const answer = await ask(joining.confirmAddress, { token, password })
    keepConfirmation(token, answer)
    return answer
  } catch (error) {
    asked = undefined
    throw error
  }
}
