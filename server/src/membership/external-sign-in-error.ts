export type SignInErrorCode =
  | 'provider_unavailable'
  | 'not_finished'
  | 'refused'
  | 'email_not_verified'
  | 'address_in_use'

/** A failed sign-in at the identity provider; the code is shown in the browser. */
export class ExternalSignInError extends Error {
  readonly code: SignInErrorCode

  constructor(code: SignInErrorCode, cause?: unknown) {
    super(`Single sign-on failed: ${code}`, { cause })
    this.code = code
  }
}
