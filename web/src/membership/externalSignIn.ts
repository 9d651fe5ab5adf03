import { history } from '../platform/address.ts'
import { createTabStorage } from '../platform/tabStorage.ts'
import * as texts from './texts.ts'

/** Where somebody was who went to the operator's own sign-in: they come back to the start page. */
const place = createTabStorage<string>('dubplate.elsewhere-from')

export function saveReturnPage() {
  const search = new URLSearchParams(history.location.search)
  search.delete('dialog')
  place.set(`${history.location.pathname}${search.size ? `?${search}` : ''}`)
}

/** Goes back to where somebody was before the operator's own sign-in; false where that is not known. */
export function returnToSavedPage(): boolean {
  const href = place.get()
  place.set(undefined)
  if (!href) return false
  history.replace(href)
  return true
}

/** What the operator's own sign-in came back with: a code to be changed into a session, or why there is none. */
export type SignInReturn = { code: string } | { trouble: string }

/** Reads it from the part of an address behind the `#`. */
export function parseReturn(hash: string): SignInReturn | undefined {
  const statusText = new URLSearchParams(hash.replace(/^#/, ''))
  const code = statusText.get('elsewhere')
  const errorMessage = statusText.get('elsewhere-trouble')
  if (code) return { code }
  return errorMessage ? { trouble: errorMessage } : undefined
}

/** Takes it out of the address, once: it neither stays in the history nor is used a second time. */
export function takeSignInReturn(): SignInReturn | undefined {
  const { pathname, search, hash, state } = history.location
  const found = parseReturn(hash)
  if (found) history.replace(`${pathname}${search}`, state)
  return found
}

/** Why the operator's own sign-in let nobody in, by the code it came back with. */
const SIGN_IN_ERRORS: Record<string, string> = {
  provider_unavailable: texts.theSignInProviderIsnt,
  refused: texts.theSignInProviderDeclined,
  email_not_verified: texts.yourEmailIsntVerifiedWith,
  address_in_use: texts.yourEmailIsLinkedTo,
}

export const signInErrorText = (code: string) => SIGN_IN_ERRORS[code] ?? texts.couldntCompleteTheSignIn
