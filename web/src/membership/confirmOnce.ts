import { joining } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { type Confirmation, confirmLink, saveConfirmation } from './mailedLinks.ts'
import * as texts from './texts.ts'

let pendingConfirmation: { token: string; confirmation: Promise<Confirmation> } | undefined

/**
 * Confirms the address of the stored link. A link works once, so the server is called once, however often this function
 * is called.
 */
export function confirmOnce(): Promise<Confirmation> {
  const link = confirmLink()
  if (!link) return Promise.reject(new Error(texts.openTheLinkInTheEmail))
  if (link.confirmation) return Promise.resolve(link.confirmation)
  if (pendingConfirmation?.token !== link.token)
    pendingConfirmation = { token: link.token, confirmation: confirmNow(link.token) }
  return pendingConfirmation.confirmation
}

/** Confirms with the password of the sign-up, which the server requires for some links. */
export async function confirmWith(password: string): Promise<Confirmation> {
  const link = confirmLink()
  if (!link) throw new Error(texts.openTheLinkInTheEmail)
  return link.confirmation ?? confirmNow(link.token, password)
}

async function confirmNow(token: string, password?: string): Promise<Confirmation> {
  try {
    const confirmation = await callApi(joining.confirmAddress, { token, password })
    saveConfirmation(token, confirmation)
    return confirmation
  } catch (error) {
    pendingConfirmation = undefined
    throw error
  }
}
