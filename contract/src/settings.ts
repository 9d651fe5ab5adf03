import * as z from 'zod/mini'
import { conversionFormats } from './conversion-formats.ts'
import { endpoint, integerBetween, nothing } from './endpoint.ts'

/**
 * Settings that admins can change at run time, one group at a time. A value that is null or missing comes from the
 * environment.
 */

/** Parts of the site an admin can hide, in display order. */
export const SECTIONS = [
  'charts',
  'new_releases',
  'spotlights',
  'top20',
  'moods',
  'kuts',
  'merchandise',
  'newsletter',
  'careers',
  'uploads',
] as const
export type Section = (typeof SECTIONS)[number]

export const GROUPS = [
  'name',
  'logo',
  'accent',
  'store',
  'sender',
  'limits',
  'conversions',
  'visitors',
  'sections',
] as const
export type Group = (typeof GROUPS)[number]

export const LIMITS = {
  download_limit: { least: 1, most: 20 },
  upload_days: { least: 1, most: 3650 },
  rescue_days: { least: 0, most: 3650 },
} as const

const optionalSetting = <S extends z.ZodMiniType>(schema: S) => z.optional(z.nullable(schema))

const singleLineText = (empty: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, empty),
      z.maxLength(60, 'Use at most 60 characters.'),
      z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}<>"]*$/u, 'Remove line breaks, angle brackets and double quotes.'),
    )

export const name = z.object({ pool_name: optionalSetting(singleLineText('Enter a name.')) })

export const colour = z.string().check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'Enter a colour such as #c8f135.'))
const accentColours = z.object({ night: colour, day: colour })
export type AccentColours = z.output<typeof accentColours>

export const accent = z.object({ accent: optionalSetting(accentColours) })

/** '' for a pool without a store. */
export const store = z.object({
  store_url: optionalSetting(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(500, 'Use at most 500 characters.'),
        z.regex(/^(|https?:\/\/[a-z0-9[][^\s<>"]*)$/i, 'Enter a full URL, such as https://store.example/.'),
      ),
  ),
})

const mailFrom = z.object({
  name: singleLineText('Enter a sender name.'),
  address: z
    .string()
    .check(
      z.trim(),
      z.maxLength(254, 'Use at most 254 characters.'),
      z.regex(/^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/, 'Enter an email address, such as pool@pool.example.'),
    ),
})

export const sender = z.object({ mail_from: optionalSetting(mailFrom) })

const limit = (field: keyof typeof LIMITS, what: string) => {
  const { least, most } = LIMITS[field]
  return optionalSetting(integerBetween(least, most, `${what} must be a whole number from ${least} to ${most}.`))
}

export const limits = z.object({
  download_limit: limit('download_limit', 'The number of downloads'),
  upload_days: limit('upload_days', 'The number of days'),
  rescue_days: limit('rescue_days', 'The number of days'),
})

export const conversions = z.object({ conversions: optionalSetting(conversionFormats) })

export const visitors = z.object({ public_browsing: optionalSetting(z.boolean()) })

export const sections = z.object({ hidden: optionalSetting(z.array(z.enum(SECTIONS, 'Unknown section.'))) })

const settingsState = z.object({
  /** 0 if it was never changed. */
  version: z.number(),
  changed_at: z.nullable(z.string()),
  /** DJ name; '' if unknown. */
  changed_by: z.string(),
})

/** The effective value (`value`), and the one that applies if nothing is set here (`first`). */
const setting = <S extends z.ZodMiniType>(value: S) => z.object({ value, first: value, is_overridden: z.boolean() })

const everything = z.object({
  settings: z.object({
    pool_name: setting(z.string()),
    /** URL of the pool's logo; null for the default one. */
    logo: setting(z.nullable(z.string())),
    /** Null for the default colours. */
    accent: setting(z.nullable(accentColours)),
    store_url: setting(z.string()),
    mail_from: setting(z.object({ name: z.string(), address: z.string() })),
    download_limit: setting(z.number()),
    upload_days: setting(z.number()),
    rescue_days: setting(z.number()),
    /** What lossless files can be converted to for downloads. */
    conversions: setting(conversionFormats),
    public_browsing: setting(z.boolean()),
    hidden: setting(z.array(z.enum(SECTIONS))),
  }),
  groups: z.object({
    name: settingsState,
    logo: settingsState,
    accent: settingsState,
    store: settingsState,
    sender: settingsState,
    limits: settingsState,
    conversions: settingsState,
    visitors: settingsState,
    sections: settingsState,
  }),
  /** False while emails are on hold because no mail server is set. */
  can_send_email: z.boolean(),
  pages: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      /** `sample`: the unchanged text that Dubplate comes with. */
      state: z.enum(['not_written', 'sample', 'written']),
      /** Number of [bracketed] placeholders that are still to be filled in. */
      gaps: z.number(),
    }),
  ),
  /** Values that only the environment can set, without secrets. */
  environment: z.array(
    z.object({ part: z.string(), facts: z.array(z.object({ name: z.string(), what: z.string(), value: z.string() })) }),
  ),
})
export type Everything = z.output<typeof everything>

export const getSettings = endpoint({
  path: 'staff/settings.json',
  access: 'staff',
  roles: [],
  summary: 'Get all settings, saved and set by environment variables.',
  input: nothing,
  reply: everything,
})

const version = integerBetween(0, 2_147_483_647, 'version must be an integer.')

export const saveSettings = endpoint({
  path: 'staff/save-settings.json',
  access: 'staff',
  roles: [],
  summary:
    'Save a group of settings. Omitted values fall back to the environment. Takes effect immediately in this process and within two seconds in all others.',
  input: z.discriminatedUnion('group', [
    z.object({ group: z.literal('name'), version, values: name }),
    z.object({ group: z.literal('accent'), version, values: accent }),
    z.object({ group: z.literal('store'), version, values: store }),
    z.object({ group: z.literal('sender'), version, values: sender }),
    z.object({ group: z.literal('limits'), version, values: limits }),
    z.object({ group: z.literal('conversions'), version, values: conversions }),
    z.object({ group: z.literal('visitors'), version, values: visitors }),
    z.object({ group: z.literal('sections'), version, values: sections }),
  ]),
  reply: everything,
  errors: ['conflict', 'insufficient_contrast'],
})

export const uploadLogo = endpoint({
  path: 'staff/upload-logo.json',
  access: 'staff',
  roles: [],
  body: 'multipart',
  summary:
    'Upload the logo: the field `version`, then the field `picture` (JPEG, PNG, WebP, AVIF or GIF, up to 5 MB, at least 64 × 64 pixels).',
  input: nothing,
  reply: everything,
  errors: ['conflict', 'file_required', 'too_large', 'invalid_image', 'image_too_small'],
})

export const removeLogo = endpoint({
  path: 'staff/remove-logo.json',
  access: 'staff',
  roles: [],
  summary: 'Restore the default logo.',
  input: z.object({ version }),
  reply: everything,
  errors: ['conflict'],
})

export const sendTestMail = endpoint({
  path: 'staff/test-mail.json',
  access: 'staff',
  roles: [],
  summary: 'Send a test email to yourself from the given sender, saved or not, and return the result.',
  input: z.object({ mail_from: mailFrom }),
  reply: z.object({
    to: z.string(),
    sent: z.boolean(),
    /** The mail server's response. */
    said: z.string(),
  }),
  errors: ['mail_not_configured'],
})
