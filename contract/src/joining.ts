import * as z from 'zod/mini'
import { endpoint, nothing, refineTogether } from './endpoint.ts'
import { emailAddress, passwordInput } from './membership.ts'

export const MIN_PASSWORD_LENGTH = 10
export const MAX_PASSWORD_LENGTH = 256

/** A new password. The server decides whether it is too common or too weak (`weak_password`). */
export const newPassword = (requiredMessage: string) =>
  z
    .string(requiredMessage)
    .check(
      z.minLength(1, requiredMessage),
      z.minLength(MIN_PASSWORD_LENGTH, `Use at least ${MIN_PASSWORD_LENGTH} characters.`),
      z.maxLength(MAX_PASSWORD_LENGTH, `Use at most ${MAX_PASSWORD_LENGTH} characters.`),
    )

export const djName = z
  .string('DJ Name cannot be blank!')
  .check(z.trim(), z.minLength(1, 'DJ Name cannot be blank!'), z.maxLength(80, 'Use at most 80 characters.'))

/** A password and its repetition. */
export const passwordTwice = {
  password: newPassword('password cannot be blank!'),
  confirm_password: passwordInput('confirm password cannot be blank!'),
}

export const passwordsMatch = refineTogether<{ password: string; confirm_password: string }>(
  ({ password, confirm_password }) => password === confirm_password,
  { message: 'password mismatch', path: ['confirm_password'] },
)

export const signUp = endpoint({
  path: 'customer/sign-up.json',
  access: 'public',
  summary:
    'Sign up. Sends a confirmation email. The response is the same if the address already has an account; its owner is notified by email.',
  input: z.object({
    dj_name: djName,
    email: emailAddress('Email cannot be blank!'),
    /** The password as typed, under the name older clients use. */
    password_hash: newPassword('Password cannot be blank!'),
  }),
  reply: z.object({
    /** Only valid for applying. */
    token: z.string(),
  }),
  errors: ['weak_password'],
})

export const passwordStrength = endpoint({
  path: 'customer/password-strength.json',
  access: 'public',
  summary: 'Rate the strength of a password and suggest improvements. Nothing is stored.',
  input: z.object({
    password: z.string().check(z.maxLength(MAX_PASSWORD_LENGTH, `Use at most ${MAX_PASSWORD_LENGTH} characters.`)),
    /** Words a guesser would try first, such as the name and the email address. */
    words: z._default(z.array(z.string().check(z.maxLength(254))).check(z.maxLength(5)), []),
  }),
  reply: z.object({
    /** From 0 (very weak) to 4 (strong). */
    score: z.number(),
    /** Whether it would be accepted. */
    accepted: z.boolean(),
    /** What is wrong with it or how to improve it; '' if nothing is wrong. */
    advice: z.string(),
  }),
})

const optionalText = (name: string) =>
  z._default(z.string().check(z.trim(), z.maxLength(500, `Use at most 500 characters for ${name}.`)), '')

/** A path of this site: no other host can follow (`//host`, `/\\host`), and no character that browsers remove. */
export const SITE_PATH = /^(\/(?![/\\])[!-[\]-~]*)?$/

export const submitApplication = endpoint({
  path: 'customer/submit-dj-application.json',
  access: 'applicant',
  summary: 'Apply as a DJ with a member reference or a social link.',
  input: z
    .object({
      referred_by: optionalText('the member reference'),
      dj_website: optionalText('the social link'),
      comment: z._default(z.string().check(z.trim(), z.maxLength(4000, 'Use at most 4,000 characters.')), ''),
      /** Path of the page to return to once the application is approved, such as `/song/7`. */
      return_to: z._default(
        z.string().check(z.maxLength(500), z.regex(SITE_PATH, 'return_to must be a path of this site.')),
        '',
      ),
    })
    .check(
      refineTogether(({ referred_by, dj_website }) => referred_by !== '' || dj_website !== '', {
        message: 'Please select one option from Member Reference or Social link!',
        path: ['referred_by'],
      }),
    ),
  reply: z.object({
    email: z.string(),
    /** False until the emailed link has been opened; the application is reviewed after that. True if none is needed. */
    address_confirmed: z.boolean(),
  }),
  errors: ['already_applied'],
})

export const sendConfirmation = endpoint({
  path: 'customer/send-confirmation.json',
  access: 'applicant',
  summary: 'Resend the confirmation email.',
  input: nothing,
  reply: z.object({ email: z.string() }),
  errors: ['rate_limited'],
})

const linkToken = z
  .string('This link is incomplete. Copy the whole link and try again.')
  .check(
    z.minLength(1, 'This link is incomplete. Copy the whole link and try again.'),
    z.maxLength(200, 'This link is incomplete. Copy the whole link and try again.'),
  )

export const confirmAddress = endpoint({
  path: 'customer/confirm-address.json',
  access: 'public',
  summary:
    'Confirm an email address with the single-use token from the email: for a sign-up, together with the password chosen there, or for an address change. `password_required` returns data {email}.',
  input: z.object({
    token: linkToken,
    /** The sign-up password; sending it with the link proves that the caller is the person who signed up. */
    password: z.optional(z.string().check(z.maxLength(1024, 'This password is too long.'))),
  }),
  reply: z.object({
    email: z.string(),
    kind: z.enum(['signed_up', 'changed']),
    /** State of the application; null for a changed email address. */
    application: z.nullable(z.enum(['missing', 'pending'])),
    /** Only valid for applying; null if there is no application to send. */
    token: z.nullable(z.string()),
  }),
  errors: ['link_expired', 'password_required', 'incorrect_password', 'email_taken'],
})

export const forgetPassword = endpoint({
  path: 'customer/forget-password.json',
  access: 'public',
  summary: 'Send a password reset link. The response is the same whether or not the address has an account.',
  input: z.object({
    email: emailAddress('Invalid Email'),
    template: z.optional(z.unknown()),
    websiteId: z.optional(z.unknown()),
  }),
  reply: nothing,
})

export const resetPassword = endpoint({
  path: 'customer/reset-password.json',
  access: 'public',
  summary: 'Reset the password with the token from the email (single use, valid for one hour). Ends all sessions.',
  input: z.object({ email: emailAddress('Invalid Email'), token: linkToken, ...passwordTwice }).check(passwordsMatch),
  reply: nothing,
  errors: ['invalid_reset_link', 'weak_password'],
})
