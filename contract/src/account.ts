import * as z from 'zod/mini'
import { endpoint, fileAddress, id, nothing } from './endpoint.ts'
import { bothAlike, djName, passwordTwice } from './joining.ts'
import { display, givenPassword, profile } from './membership.ts'

export const getCountries = endpoint({
  path: 'common/get-country-list.json',
  method: 'GET',
  access: 'public',
  shared: true,
  summary: 'Countries (ISO 3166-1) by name, each with its regions (ISO 3166-2).',
  input: nothing,
  reply: z.object({
    countries: z.array(
      z.object({ id: z.string(), name: z.string(), region: z.array(z.object({ id: z.string(), name: z.string() })) }),
    ),
  }),
})

const filled = (blank: string, longest = 120) =>
  z
    .string(blank)
    .check(z.trim(), z.minLength(1, blank), z.maxLength(longest, `This has at most ${longest} characters.`))

export const updateProfile = endpoint({
  path: 'customer/update-profile.json',
  access: 'customer',
  summary:
    'Saves the profile. A new address takes the password, and is used once the link mailed to it has been opened; the present one ends a change that waits.',
  input: z.object({
    firstname: filled('First Name cannot be blank!'),
    lastname: filled('Last Name cannot be blank!'),
    email: filled('Email cannot be blank!', 254),
    telephone: z._default(z.string().check(z.trim(), z.maxLength(40, 'This has at most 40 characters.')), ''),
    street: filled('Address cannot be blank!', 200),
    city: filled('City cannot be blank!'),
    postcode: filled('Zip Code cannot be blank!', 20),
    country_id: filled('Country cannot be blank!', 2),
    /** '' only where the country has no regions; that is for the server to know. */
    region_id: z._default(z.string().check(z.trim(), z.maxLength(8, 'State cannot be blank!')), ''),
    dj_name: z.optional(djName),
    /** Only for another address than the present one, and not of a member without one. */
    password: z.optional(z.string().check(z.maxLength(1024, 'This password is too long.'))),
  }),
  reply: z.object({ profile }),
  refusals: ['unknown_country', 'unknown_region', 'invalid_email', 'wrong_password'],
})

export const confirmEmail = endpoint({
  path: 'customer/confirm-email.json',
  access: 'customer',
  summary: 'Says that the address is right although mail to it came back: it is mailed again.',
  input: nothing,
  reply: z.object({ profile }),
})

export const withdrawAddress = endpoint({
  path: 'customer/withdraw-address.json',
  access: 'customer',
  summary: 'Ends a change of address that waits: its link is no longer good.',
  input: nothing,
  reply: z.object({ profile }),
})

/** Files of one upload of a picture; the first is used. */
export const MOST_PICTURES = 2
export const LARGEST_PICTURE_BYTES = 10 * 1024 * 1024
/** The side of the square a picture is kept as. */
export const PICTURE_PIXELS = 512

export const uploadPicture = endpoint({
  path: 'customer/upload-profile-image.json',
  access: 'customer',
  body: 'multipart',
  summary: `Sets the profile picture: multipart field UploadFilesForm[files], at most ${MOST_PICTURES} files, JPEG, PNG, WebP, AVIF or GIF.`,
  input: nothing,
  reply: z.object({ profile_picture: z.string() }),
  refusals: ['too_large', 'too_many_files', 'no_file', 'not_a_picture'],
})

export const removePicture = endpoint({
  path: 'customer/remove-profile-image.json',
  access: 'customer',
  summary: 'Goes back to the initials.',
  input: nothing,
  reply: nothing,
})

export const changePassword = endpoint({
  path: 'customer/change-password.json',
  access: 'customer',
  summary: 'Changes the password. Ends the other sessions and renews the token of this one.',
  input: z
    .object({ current_password: givenPassword('current password cannot be blank!'), ...passwordTwice })
    .check(bothAlike),
  reply: z.object({ customerSuccess: z.string(), token: z.string() }),
  refusals: ['wrong_password', 'weak_password'],
})

export const getSessions = endpoint({
  path: 'customer/sessions.json',
  access: 'customer',
  summary: 'Where this member is signed in, the most recently used first.',
  input: nothing,
  reply: z.object({
    sessions: z.array(
      z.object({
        session_id: z.number(),
        /** The session that asks. */
        here: z.boolean(),
        /** Browser and system in words: `Firefox on Windows`. */
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
  summary: 'Ends one session of this member, or, with session_id null, all but this one.',
  input: z.object({ session_id: z.nullable(id('session_id')) }),
  reply: z.object({ ended: z.number() }),
  refusals: ['unknown_session'],
})

export const saveDisplay = endpoint({
  path: 'customer/save-display.json',
  access: 'customer',
  summary: 'How the site looks and sounds for this member, in every browser.',
  input: display,
  reply: z.object({ display }),
})

const ownPassword = z.object({
  /** Empty only for a member without one. */
  password: z._default(z.string().check(z.maxLength(1024, 'This password is too long.')), ''),
})

export const confirmIdentity = endpoint({
  path: 'staff/confirm-identity.json',
  access: 'staff',
  summary:
    'Enters the password, or with two-step sign-in a code, again. For 10 minutes, calls that ask for it (`confirm_identity`) are answered in this session.',
  input: z.object({
    password: z.optional(z.string().check(z.maxLength(1024, 'This password is too long.'))),
    code: z.optional(z.string().check(z.maxLength(40))),
  }),
  reply: z.object({ minutes: z.number() }),
  refusals: ['wrong_password', 'wrong_code', 'sign_in_again', 'rate_limited'],
})

export const startTwoStep = endpoint({
  path: 'customer/two-step-start.json',
  access: 'customer',
  summary: 'Begins to switch on two-step sign-in (TOTP, RFC 6238). Nothing changes until a code has been confirmed.',
  input: ownPassword,
  reply: z.object({
    /** For typing into the app: base32 in groups of four. */
    secret: z.string(),
    /** An `otpauth://` address, and the same as a QR code in SVG. */
    address: z.string(),
    qr_svg: z.string(),
  }),
  refusals: ['wrong_password', 'two_step_is_on'],
})

export const confirmTwoStep = endpoint({
  path: 'customer/two-step-confirm.json',
  access: 'customer',
  summary: 'Switches two-step sign-in on with a first code of the app. Ends the other sessions.',
  input: z.object({ code: filled('Code cannot be blank!', 20) }),
  reply: z.object({ recovery_codes: z.array(z.string()) }),
  refusals: ['wrong_code', 'two_step_not_started'],
})

export const renewRecoveryCodes = endpoint({
  path: 'customer/two-step-codes.json',
  access: 'customer',
  summary: 'Makes new recovery codes; the old ones stop working.',
  input: ownPassword,
  reply: z.object({ recovery_codes: z.array(z.string()) }),
  refusals: ['wrong_password', 'two_step_is_off'],
})

export const stopTwoStep = endpoint({
  path: 'customer/two-step-off.json',
  access: 'customer',
  summary: 'Switches two-step sign-in off.',
  input: ownPassword,
  reply: nothing,
  refusals: ['wrong_password', 'two_step_is_required'],
})

export const exportAccount = endpoint({
  path: 'customer/export.json',
  access: 'customer',
  summary: 'A copy of all this pool keeps of the member, as one zip of JSON and CSV files.',
  input: ownPassword,
  reply: fileAddress,
  refusals: ['wrong_password'],
})

export const deleteAccount = endpoint({
  path: 'customer/delete.json',
  access: 'customer',
  summary:
    'Deletes the account: what names the member goes, what the ledger must keep stays without a name. There is no way back.',
  input: ownPassword,
  reply: nothing,
  refusals: ['wrong_password', 'last_admin'],
})
