import * as z from 'zod/mini'
import { endpoint, fileAddress, id, nothing } from './endpoint.ts'
import { djName, passwordsMatch, passwordTwice } from './joining.ts'
import { display, passwordInput, preferredVersions, profile } from './membership.ts'

export const getCountries = endpoint({
  path: 'common/get-country-list.json',
  method: 'GET',
  access: 'public',
  shared: true,
  constant: true,
  summary: 'List all countries (ISO 3166-1), sorted by name, with their regions (ISO 3166-2).',
  input: nothing,
  reply: z.object({
    countries: z.array(
      z.object({ id: z.string(), name: z.string(), region: z.array(z.object({ id: z.string(), name: z.string() })) }),
    ),
  }),
})

const requiredText = (requiredMessage: string, maxLength = 120) =>
  z
    .string(requiredMessage)
    .check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(maxLength, `Use at most ${maxLength} characters.`))

export const updateProfile = endpoint({
  path: 'customer/update-profile.json',
  access: 'customer',
  summary:
    'Update the profile. Changing the email address requires the password and takes effect once the link sent to the new address is opened. Sending the current address cancels a pending change.',
  input: z.object({
    firstname: requiredText('First Name cannot be blank!'),
    lastname: requiredText('Last Name cannot be blank!'),
    email: requiredText('Email cannot be blank!', 254),
    telephone: z._default(z.string().check(z.trim(), z.maxLength(40, 'Use at most 40 characters.')), ''),
    street: requiredText('Address cannot be blank!', 200),
    city: requiredText('City cannot be blank!'),
    postcode: requiredText('Zip Code cannot be blank!', 20),
    country_id: requiredText('Country cannot be blank!', 2),
    /** Empty only if the country has no regions; the server checks this. */
    region_id: z._default(z.string().check(z.trim(), z.maxLength(8, 'State cannot be blank!')), ''),
    dj_name: z.optional(djName),
    /** Only required if the address changes and the member has a password. */
    password: z.optional(z.string().check(z.maxLength(1024, 'This password is too long.'))),
  }),
  reply: z.object({ profile }),
  errors: ['unknown_country', 'unknown_region', 'invalid_email', 'incorrect_password'],
})

export const confirmEmail = endpoint({
  path: 'customer/confirm-email.json',
  access: 'customer',
  summary: 'Confirm that the email address is correct although emails to it bounced. Sending is resumed.',
  input: nothing,
  reply: z.object({ profile }),
})

export const cancelEmailChange = endpoint({
  path: 'customer/withdraw-address.json',
  access: 'customer',
  summary: 'Cancel a pending email address change. Its link stops working.',
  input: nothing,
  reply: z.object({ profile }),
})

/** Files in one picture upload; only the first is used. */
export const MAX_PICTURES = 2
export const MAX_PICTURE_BYTES = 10 * 1024 * 1024
/** Width and height of a stored picture, in pixels. */
export const PICTURE_PIXELS = 512

export const uploadPicture = endpoint({
  path: 'customer/upload-profile-image.json',
  access: 'customer',
  body: 'multipart',
  summary: `Upload a profile picture: multipart field UploadFilesForm[files], up to ${MAX_PICTURES} files, JPEG, PNG, WebP, AVIF or GIF.`,
  input: nothing,
  reply: z.object({ profile_picture: z.string() }),
  errors: ['too_large', 'too_many_files', 'file_required', 'invalid_image'],
})

export const removePicture = endpoint({
  path: 'customer/remove-profile-image.json',
  access: 'customer',
  summary: 'Remove the profile picture and show initials instead.',
  input: nothing,
  reply: nothing,
})

export const changePassword = endpoint({
  path: 'customer/change-password.json',
  access: 'customer',
  summary: 'Change the password. Ends all other sessions and returns a new token for this one.',
  input: z
    .object({ current_password: passwordInput('current password cannot be blank!'), ...passwordTwice })
    .check(passwordsMatch),
  reply: z.object({ customerSuccess: z.string(), token: z.string() }),
  errors: ['incorrect_password', 'weak_password'],
})

export const getSessions = endpoint({
  path: 'customer/sessions.json',
  access: 'customer',
  summary: 'List active sessions, most recently used first.',
  input: nothing,
  reply: z.object({
    sessions: z.array(
      z.object({
        session_id: z.number(),
        /** True for the session of this request. */
        here: z.boolean(),
        /** Browser and operating system, such as `Firefox on Windows`. */
        device: z.string(),
        ip: z.string(),
        created_at: z.string(),
        seen_at: z.string(),
      }),
    ),
  }),
})

export const endSession = endpoint({
  path: 'customer/end-session.json',
  access: 'customer',
  summary: 'End one session or, with session_id null, all other sessions.',
  input: z.object({ session_id: z.nullable(id('session_id')) }),
  reply: z.object({ ended: z.number() }),
  errors: ['unknown_session'],
})

export const saveDisplay = endpoint({
  path: 'customer/save-display.json',
  access: 'customer',
  summary: 'Update display and playback preferences, on all devices.',
  input: display,
  reply: z.object({ display }),
})

export const savePreferredVersions = endpoint({
  path: 'customer/save-preferred-versions.json',
  access: 'customer',
  summary: 'Update the preferred versions, on all devices.',
  input: preferredVersions,
  reply: z.object({ preferred_versions: preferredVersions }),
})

const ownPassword = z.object({
  /** Empty only if the member has no password. */
  password: z._default(z.string().check(z.maxLength(1024, 'This password is too long.')), ''),
})

export const confirmIdentity = endpoint({
  path: 'staff/confirm-identity.json',
  access: 'staff',
  summary:
    'Confirm the password or, with two-factor authentication, a code. For 10 minutes, this session can use endpoints that require it (`confirm_identity`).',
  input: z.object({
    password: z.optional(z.string().check(z.maxLength(1024, 'This password is too long.'))),
    code: z.optional(z.string().check(z.maxLength(40))),
  }),
  reply: z.object({ minutes: z.number() }),
  errors: ['incorrect_password', 'invalid_code', 'sign_in_again', 'rate_limited'],
})

export const startTwoStep = endpoint({
  path: 'customer/two-step-start.json',
  access: 'customer',
  summary: 'Start setting up two-factor authentication (TOTP, RFC 6238). Nothing changes until a code is confirmed.',
  input: ownPassword,
  reply: z.object({
    /** For typing into an authenticator app: base32 in groups of four characters. */
    secret: z.string(),
    /** An `otpauth://` URL; `qr_svg` is the same URL as a QR code in SVG. */
    address: z.string(),
    qr_svg: z.string(),
  }),
  errors: ['incorrect_password', 'two_factor_already_enabled'],
})

export const confirmTwoStep = endpoint({
  path: 'customer/two-step-confirm.json',
  access: 'customer',
  summary: 'Turn on two-factor authentication with a first code from the app. Ends all other sessions.',
  input: z.object({ code: requiredText('Enter the code.', 20) }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['invalid_code', 'two_factor_setup_expired'],
})

export const renewRecoveryCodes = endpoint({
  path: 'customer/two-step-codes.json',
  access: 'customer',
  summary: 'Generate new recovery codes. The old ones stop working.',
  input: ownPassword,
  reply: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['incorrect_password', 'two_factor_not_enabled'],
})

export const stopTwoStep = endpoint({
  path: 'customer/two-step-off.json',
  access: 'customer',
  summary: 'Turn off two-factor authentication.',
  input: ownPassword,
  reply: nothing,
  errors: ['incorrect_password', 'two_factor_mandatory'],
})

export const exportAccount = endpoint({
  path: 'customer/export.json',
  access: 'customer',
  summary: 'Download a copy of the member’s data as a zip of JSON and CSV files.',
  input: ownPassword,
  reply: fileAddress,
  errors: ['incorrect_password'],
})

export const deleteAccount = endpoint({
  path: 'customer/delete.json',
  access: 'customer',
  summary: 'Delete the account. Personal data is deleted; ledger entries are kept anonymously. This can’t be undone.',
  input: ownPassword,
  reply: nothing,
  errors: ['incorrect_password', 'last_admin'],
})
