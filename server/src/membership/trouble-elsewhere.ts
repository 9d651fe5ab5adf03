export type Trouble = 'provider_unavailable' | 'not_finished' | 'refused' | 'email_not_verified' | 'address_in_use'

/** A sign-in elsewhere that did not end well; the code is shown to the browser. */
export class TroubleElsewhere extends Error {
  readonly code: Trouble

  constructor(code: Trouble, cause?: unknown) {
    super(`Single sign-on failed: ${code}`, { cause })
    this.code = code
  }
}
