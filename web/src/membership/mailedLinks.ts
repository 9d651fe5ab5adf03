import type { joining, ReplyOf } from '@dubplate/contract'
import { createTabStorage } from '../platform/tabStorage.ts'

/**
 * The parameters of emailed links. They are removed from the URL at once, because they would stay in the browser's
 * history and be part of every URL that is copied.
 */
type ResetLink = { email: string; token: string }

const reset = createTabStorage<ResetLink>('dubplate.reset-link')

export const saveResetLink = reset.set
export const resetLink = reset.get

export type Confirmation = ReplyOf<typeof joining.confirmAddress>

/** The token of an approval email’s link. */
const signIn = createTabStorage<string>('dubplate.sign-in-link')

export const saveSignInLink = signIn.set
export const signInLink = signIn.get

type ConfirmLink = { token: string; confirmation?: Confirmation }

const confirm = createTabStorage<ConfirmLink>('dubplate.confirm-link')

/** A link that was opened in this tab before keeps its reply. */
export function saveConfirmLink(token: string) {
  if (confirm.get()?.token !== token) confirm.set({ token })
}

export const confirmLink = confirm.get

/** Stores the reply to a link, because each link works only once. */
export const saveConfirmation = (token: string, confirmation: Confirmation) => confirm.set({ token, confirmation })
