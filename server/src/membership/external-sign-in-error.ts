export type SignInErrorCode =
  | 'provider_unavailable'
  | 'not_finished'
  | 'refused'
  | 'email_not_verified'
  | 'address_in_use'

/** A sign-in elsewhere that did not end well; the code is shown to the browser. */
export class ExternalSignInError extends Error {
  readonly code: SignInErrorCode

  constructor(code: SignInErrorCode, cause?: unknown) {
    super(`Single sign-on failed: ${code}`, { cause })
    this.code = code
  }
}
