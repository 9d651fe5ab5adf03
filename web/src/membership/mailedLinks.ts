import type { joining, ReplyOf } from '@dubplate/contract'
import { createTabStorage } from '../platform/tabStorage.ts'

/**
 * What mailed links carry. It is taken out of the address at once: there it would stay in the browser's history, and
 * go along to wherever the address is handed on.
 */
type ResetLink = { email: string; token: string }

const reset = createTabStorage<ResetLink>('dubplate.reset-link')

export const saveResetLink = reset.set
export const resetLink = reset.get

export type Confirmation = ReplyOf<typeof joining.confirmAddress>

type ConfirmLink = { token: string; confirmation?: Confirmation }

const confirm = createTabStorage<ConfirmLink>('dubplate.confirm-link')

/** A link that was opened in this tab before keeps its answer. */
export function saveConfirmLink(token: string) {
  if (confirm.get()?.token !== token) confirm.set({ token })
}

export const confirmLink = confirm.get

/** Keeps how a link was answered: it works once. */
export const saveConfirmation = (token: string, confirmation: Confirmation) => confirm.set({ token, confirmation })
