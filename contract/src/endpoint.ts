import * as z from 'zod/mini'
import { DESCRIPTION_LENGTH, toParagraph } from './descriptions.ts'
import type { ErrorCode } from './errors.ts'
import type { Section } from './settings.ts'

/**
 * Who may use an endpoint: `public` everyone · `browse` everyone while public browsing is on, otherwise approved
 * members · `customer` signed in · `member` approved · `downloader` group 2 and paid · `applicant` has a token that is
 * only valid for applying · `staff`.
 */
export type Access = 'public' | 'browse' | 'customer' | 'member' | 'downloader' | 'applicant' | 'staff'

export type StaffRole = 'support' | 'curator' | 'billing' | 'admin'

export const forCurators = { access: 'staff', roles: ['curator'] } as const
export const forBilling = { access: 'staff', roles: ['billing'] } as const

/**
 * The definition of an endpoint. The server's parser, the browser's types and the API document are all derived from it.
 */
export type Endpoint<I extends z.ZodMiniType = z.ZodMiniType, R extends z.ZodMiniType = z.ZodMiniType> = {
  path: string
  /** Other paths that older clients use for the same endpoint. */
  aliases: readonly string[]
  method: 'POST' | 'GET'
  access: Access
  /** For a staff endpoint: the roles that may use it besides `admin`; every role if missing. */
  roles?: readonly StaffRole[]
  /**
   * For a staff endpoint: fails with `confirm_identity` unless the password or second factor was entered in the last 10
   * minutes.
   */
  confirmed?: boolean
  /** The part of the site it belongs to: fails with `section_disabled` if an admin has hidden that part. */
  section?: Section
  /** `multipart` if files are sent: the handler reads them itself. */
  body?: 'multipart'
  summary: string
  input: I
  reply: R
  /** Error codes specific to this endpoint; `errorCodesOf` in errors.ts adds those that follow from its access. */
  errors: readonly ErrorCode[]
  /** The reply is the same for everyone; the server may cache its bytes for up to a second. */
  shared?: boolean
  /** A shared reply that never changes while the server runs; its bytes are kept. Only without input. */
  constant?: boolean
  /** Whether a shared reply depends on the caller for this input, which is not parsed yet: it is then never cached. */
  isPersonal?: (input: object) => boolean
}

export const endpoint = <I extends z.ZodMiniType, R extends z.ZodMiniType>(
  call: Omit<Endpoint<I, R>, 'method' | 'errors' | 'aliases'> &
    Partial<Pick<Endpoint<I, R>, 'method' | 'errors' | 'aliases'>>,
): Endpoint<I, R> => ({ method: 'POST', errors: [], aliases: [], ...call })

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>

/**
 * A whole number between two bounds. Digits in text are accepted too, because the inputs of a GET request are in the
 * query.
 */
export const integerBetween = (min: number, max: number, message: string) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,15}$/, message))], message),
    z.pipe(
      z.transform((value: number | string) => Number(value)),
      z.number().check(z.int(message), z.gte(min, message), z.lte(max, message)),
    ),
  )

/** The largest int4 of PostgreSQL. Ids stay far below it. */
const MAX_INT4 = 2_147_483_647

export const id = (name: string) => integerBetween(1, MAX_INT4, `${name} must be a positive integer.`)

/**
 * A rule about several fields of an object. It is checked together with the rules of single fields, so that all errors
 * are reported at once: `holds` may receive fields that are missing or of the wrong type.
 */
export const refineTogether = <T extends object>(
  isValid: (value: T) => boolean,
  params: { message: string; path: string[] },
) => z.refine<T>(isValid, { ...params, when: ({ value }) => typeof value === 'object' && value !== null })

/** 0, null, '' and a missing value all mean "no choice made". */
export const optionalId = (name: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.literal(''), integerBetween(0, MAX_INT4, `${name} must be an integer.`)]))),
    z.transform((value) => (typeof value === 'number' && value > 0 ? value : undefined)),
  )

/** Version of the row the caller read; prevents overwriting a change made since then. */
export const versionInput = integerBetween(1, MAX_INT4, 'version must be a positive integer.')

export const page = z._default(integerBetween(1, 1_000_000, 'page must be a positive integer.'), 1)

const FIRST_YEAR = 2000
const LAST_YEAR = 2200

/** A calendar day in UTC; rejects days that do not exist, such as 31 June. */
export const day = z
  .object({
    day: integerBetween(1, 31, 'day must be an integer.'),
    month: integerBetween(1, 12, 'month must be an integer.'),
    year: integerBetween(FIRST_YEAR, LAST_YEAR, 'year must be an integer.'),
  })
  .check(
    z.refine(({ day, month, year }) => new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day, {
      error: ({ input }) => {
        const { day, month, year } = input as Day
        return `${day}/${month}/${year} isn’t a valid date.`
      },
    }),
  )
export type Day = { day: number; month: number; year: number }

export const moment = z.iso.datetime({ offset: true, error: 'Enter a valid date and time.' }).check(
  z.refine((text) => {
    const year = new Date(text).getUTCFullYear()
    return year >= FIRST_YEAR && year <= LAST_YEAR
  }, `Choose a day between ${FIRST_YEAR} and ${LAST_YEAR}.`),
)

/** One paragraph of plain text. */
export const description = z
  .string()
  .check(z.overwrite(toParagraph), z.maxLength(DESCRIPTION_LENGTH, `Use at most ${DESCRIPTION_LENGTH} characters.`))

/** Search text for a list; '' for the whole list. */
export const search = z._default(z.string().check(z.trim(), z.maxLength(120)), '')

/** The id and DJ name of a member, who may be staff. */
export const person = z.object({ customer_id: z.number(), dj_name: z.string() })

/** A file download: a signed URL and the file's name. */
export const fileAddress = z.object({ url: z.string(), file: z.string() })

export const pagination = z.object({
  page: z.number(),
  perPageLimit: z.number(),
  totalCount: z.number(),
  /** Whether there are more rows than `totalCount`. */
  more: z.optional(z.boolean()),
})
export type Pagination = z.output<typeof pagination>

export const nothing = z.object({})

/** The format of every error reply. */
export const errorReply = z.object({
  data: z.nullable(z.unknown()),
  code: z.string(),
  message: z.string(),
  errors: z.array(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorReply = z.output<typeof errorReply>
