import { history } from '../platform/address.ts'
import { createTabStorage } from '../platform/tabStorage.ts'
import * as texts from './texts.ts'

/** The page that was open before the operator's own sign-in, which returns to the start page. */
const place = createTabStorage<string>('dubplate.elsewhere-from')

export function saveReturnPage() {
  const search = new URLSearchParams(history.location.search)
  search.delete('dialog')
  place.set(`${history.location.pathname}${search.size ? `?${search}` : ''}`)
}

/** Returns to the page that was open before the operator's own sign-in; false if that is not known. */
export function returnToSavedPage(): boolean {
  const href = place.get()
  place.set(undefined)
  if (!href) return false
  history.replace(href)
  return true
}

/** The result of the operator's own sign-in: a code to exchange for a session, or the reason for its failure. */
export type SignInReturn = { code: string } | { errorMessage: string }

/** Reads the result from the hash of a URL. */
export function parseReturn(hash: string): SignInReturn | undefined {
  const fragmentParams = new URLSearchParams(hash.replace(/^#/, ''))
  const code = fragmentParams.get('elsewhere')
  const errorMessage = fragmentParams.get('sign-in-error')
  if (code) return { code }
  return errorMessage ? { errorMessage } : undefined
}

/** Reads the result once and removes it from the URL, so that it neither stays in the history nor is used twice. */
export function takeSignInReturn(): SignInReturn | undefined {
  const { pathname, search, hash, state } = history.location
  const found = parseReturn(hash)
  if (found) history.replace(`${pathname}${search}`, state)
  return found
}

/** The error messages of the operator's own sign-in, by its error code. */
const SIGN_IN_ERRORS: Record<string, string> = {
  provider_unavailable: texts.theSignInProviderIsnt,
  refused: texts.theSignInProviderDeclined,
  email_not_verified: texts.emailNotVerifiedAtProvider,
  address_in_use: texts.emailLinkedToOtherAccount,
}

export const signInErrorText = (code: string) => SIGN_IN_ERRORS[code] ?? texts.couldntCompleteSignIn
