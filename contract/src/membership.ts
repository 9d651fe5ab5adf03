import * as z from 'zod/mini'
import { endpoint, id, nothing, type StaffRole } from './endpoint.ts'
import { NOTATIONS } from './keys.ts'

export { NOTATIONS }

export const STAFF_ROLES = ['support', 'curator', 'billing', 'admin'] as const satisfies StaffRole[]
export const SCHEMES = ['dark', 'light'] as const
/** `even` plays all previews at the same loudness; `original` as mastered. */
export const PREVIEW_LOUDNESS = ['even', 'original'] as const

/** Files in zips: as uploaded, or lossless ones as MP3 320 or AIFF where possible. */
export const ZIP_FORMATS = ['original', 'mp3', 'aiff'] as const

/** A member's display, sound and download preferences, in every browser. */
export const display = z.object({
  notation: z.enum(NOTATIONS),
  scheme: z.enum(SCHEMES),
  preview_loudness: z.enum(PREVIEW_LOUDNESS),
  /** `original` by default. */
  zip_format: z.optional(z.enum(ZIP_FORMATS)),
})
export type Display = z.output<typeof display>

/** Codes of versions, the most preferred first. */
const versionList = z
  .array(z.string().check(z.minLength(1, 'Version not found.'), z.maxLength(60, 'Version not found.')))
  .check(z.maxLength(100, 'Choose up to 100 versions.'))

/** The versions of a song that are played, and added to the crate with the song: see `choosePreferredVersions`. */
export const preferredVersions = z.object({
  versions: versionList,
  /** Adds every version of the list that a song has, instead of the first. */
  add_all: z.boolean(),
  /** Lists that replace `versions` for songs of a genre. */
  by_genre: z
    .array(z.object({ genre_id: id('genre_id'), versions: versionList }))
    .check(z.maxLength(100, 'Choose up to 100 genres.')),
})
export type PreferredVersions = z.output<typeof preferredVersions>

export const profile = z.object({
  customer_id: z.number(),
  email: z.string(),
  /** A new email address to confirm: it becomes `email` when the emailed link is opened. */
  pending_email: z.nullable(z.string()),
  /** True while emails to `email` bounce because the mailbox does not exist: the member is asked to check it. */
  email_bounced: z.boolean(),
  dj_name: z.string(),
  firstname: z.string(),
  lastname: z.string(),
  telephone: z.string(),
  street: z.string(),
  city: z.string(),
  postcode: z.string(),
  /** ISO 3166-1 alpha-2 (`US`); '' until chosen. */
  country_id: z.string(),
  /** ISO 3166-2 (`US-CA`); '' until chosen, and if the country has no regions. */
  region_id: z.string(),
  group_id: z.number(),
  payment_profile_status: z.enum(['paid', 'unpaid']),
  /** URL of the picture; null for the initials. */
  profile_picture: z.nullable(z.string()),
  staff_role: z.nullable(z.enum(STAFF_ROLES)),
  /** Null until the member has chosen: the browser's preference applies. */
  display: z.nullable(display),
  /** Null until the member has chosen: the first version of a song is preferred. */
  preferred_versions: z.nullable(preferredVersions),
  /** False for members who have only ever signed in through the operator's single sign-on. */
  has_password: z.boolean(),
  has_two_factor: z.boolean(),
  /**
   * True for staff who must still turn on two-factor authentication because the pool requires it: staff endpoints fail
   * until then.
   */
  two_factor_required: z.boolean(),
  /** DJ name of the staff member viewing the site as this member; null in the member's own session. */
  viewed_by: z.nullable(z.string()),
  /** Opens full-length previews during this session; short-lived, renewed by every get-profile. */
  media_key: z.string(),
})
export type Profile = z.output<typeof profile>

/** Permissive on purpose: the email that has to arrive is the real check. */
const EMAIL_PATTERN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const MAX_EMAIL_LENGTH = 254

/** An email address, at most 254 characters (RFC 5321, 4.5.3.1.3), without surrounding spaces. */
export const emailAddress = (requiredMessage: string) =>
  z
    .string(requiredMessage)
    .check(
      z.trim(),
      z.minLength(1, requiredMessage),
      z.maxLength(MAX_EMAIL_LENGTH, 'Invalid Email'),
      z.regex(EMAIL_PATTERN, 'Invalid Email'),
    )

/** An existing password, which is only compared. */
export const passwordInput = (requiredMessage: string) =>
  z.string(requiredMessage).check(z.minLength(1, requiredMessage), z.maxLength(1024, 'This password is too long.'))

const signedIn = z.object({ token: z.string(), profile })

export const signIn = endpoint({
  path: 'customer/sign-in.json',
  access: 'public',
  summary:
    'Sign in. Errors about the application state return data {token}, valid only for applying; `two_factor_required` returns a token valid only for the second factor.',
  input: z.object({ email: emailAddress('Invalid Email'), password: passwordInput('Password is required field *') }),
  reply: signedIn,
  errors: [
    'invalid_credentials',
    'email_not_verified',
    'dj_application_missing',
    'dj_application_pending',
    'dj_application_declined',
    'account_suspended',
    'two_factor_required',
  ],
})

export const secondStep = endpoint({
  path: 'customer/second-step.json',
  access: 'public',
  summary: 'Complete sign-in with a code from the authenticator app or a recovery code.',
  input: z.object({
    token: z.string('Sign in first.').check(z.minLength(1, 'Sign in first.'), z.maxLength(200, 'Sign in first.')),
    code: z
      .string('Enter the code.')
      .check(z.trim(), z.minLength(1, 'Enter the code.'), z.maxLength(40, 'Enter a valid code.')),
  }),
  reply: signedIn,
  errors: ['two_factor_expired', 'invalid_code', 'account_suspended'],
})

export const signInElsewhere = endpoint({
  path: 'customer/sign-in-elsewhere.json',
  access: 'public',
  summary: 'Complete single sign-on: exchange the authorization code for a session token.',
  input: z.object({
    code: z.string('Sign in again.').check(z.minLength(1, 'Sign in again.'), z.maxLength(200, 'Sign in again.')),
  }),
  reply: signedIn,
  errors: [
    'link_expired',
    'dj_application_missing',
    'dj_application_pending',
    'dj_application_declined',
    'account_suspended',
    'two_factor_required',
  ],
})

export const signInWithLink = endpoint({
  path: 'customer/sign-in-with-link.json',
  access: 'public',
  summary: 'Sign in with the single-use token from the approval email (valid for 24 hours).',
  input: z.object({
    token: z
      .string('This link is incomplete. Copy the whole link and try again.')
      .check(z.minLength(1, 'This link is incomplete. Copy the whole link and try again.'), z.maxLength(200)),
  }),
  reply: z.object({
    token: z.string(),
    profile,
    /** Path of the page the applicant came from; empty if there is none. */
    return_to: z.string(),
  }),
  errors: [
    'link_expired',
    'dj_application_missing',
    'dj_application_pending',
    'dj_application_declined',
    'account_suspended',
    'two_factor_required',
  ],
})

export const signOut = endpoint({
  path: 'customer/sign-out.json',
  access: 'customer',
  summary: 'Sign out. The token stops working immediately.',
  input: nothing,
  reply: nothing,
})

export const getProfile = endpoint({
  path: 'customer/get-profile.json',
  access: 'customer',
  summary: 'Get the current user.',
  input: nothing,
  reply: z.object({ profile }),
})
