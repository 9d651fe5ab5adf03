import type { joining, ReplyOf } from '@dubplate/contract'
import { tabMemory } from '../platform/tabMemory.ts'

/**
 * What mailed links carry. It is taken out of the address at once: there it would stay in the browser's history, and
 * go along to wherever the address is handed on.
 */
type ResetLink = { email: string; token: string }

const reset = tabMemory<ResetLink>('dubplate.reset-link')

export const keepResetLink = reset.set
export const resetLink = reset.get

export type Confirmation = ReplyOf<typeof joining.confirmAddress>

type ConfirmLink = { token: string; answer?: Confirmation }

const confirm = tabMemory<ConfirmLink>('dubplate.confirm-link')

/** A link that was opened in this tab before keeps its answer. */
export function keepConfirmLink(token: string) {
  if (confirm.get()?.token !== token) confirm.set({ token })
}

export const confirmLink = confirm.get

/** Keeps how a link was answered: it works once. */
export const keepConfirmation = (token: string, answer: Confirmation) => confirm.set({ token, answer })
