const EMAIL_KEY = 'dubplate.sign-in-email'

/** What was typed into the email field, also across a reload; a password is never kept. */
export function typedEmail(): string {
  try {
    return sessionStorage.getItem(EMAIL_KEY) ?? ''
  } catch {
    return ''
  }
}

export function keepEmail(email: string) {
  try {
    sessionStorage.setItem(EMAIL_KEY, email)
  } catch {
    // Without storage it lasts as long as the dialog.
  }
}

export function forgetEmail() {
  try {
    sessionStorage.removeItem(EMAIL_KEY)
  } catch {
    // Nothing was kept.
  }
}
