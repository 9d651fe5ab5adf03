import * as z from 'zod/mini'
import type { Section } from './settings.ts'

/**
 * Who may make a call:
 * `public` anybody · `browse` anybody while public browsing is on, else an approved member · `customer` signed in ·
 * `member` approved · `downloader` group 2 and paid · `applicant` holds a token good only for applying · `staff`.
 */
export type Access = 'public' | 'browse' | 'customer' | 'member' | 'downloader' | 'applicant' | 'staff'

export type StaffRole = 'support' | 'curator' | 'billing' | 'admin'

export const forCurators = { access: 'staff', roles: ['curator'] } as const
export const forBilling = { access: 'staff', roles: ['billing'] } as const

/** What a call is, said once: the server's parser, the browser's types and the API document all come from it. */
export type Endpoint<I extends z.ZodMiniType = z.ZodMiniType, R extends z.ZodMiniType = z.ZodMiniType> = {
  path: string
  /** Other paths older clients use for the same call. */
  aliases: readonly string[]
  method: 'POST' | 'GET'
  access: Access
  /** Of a staff call: the roles that may make it beside `admin`; every role where this is missing. */
  roles?: readonly StaffRole[]
  /** Of a staff call: refused (`confirm_identity`) unless password or second step were entered in the last 10 minutes. */
  confirmed?: boolean
  /** The part of the site it belongs to: refused (`section_disabled`) where an admin left that out. */
  section?: Section
  /** `multipart` where files are sent: its function reads them itself. */
  body?: 'multipart'
  summary: string
  input: I
  reply: R
  /** Error codes of this call alone; `errorCodesOf` in error-codes.ts adds those that follow from its access. */
  errors: readonly string[]
  /** A reply that is the same for everybody; the server may keep its bytes for up to a second. */
  shared?: boolean
}

export const endpoint = <I extends z.ZodMiniType, R extends z.ZodMiniType>(
  call: Omit<Endpoint<I, R>, 'method' | 'errors' | 'aliases'> &
    Partial<Pick<Endpoint<I, R>, 'method' | 'errors' | 'aliases'>>,
): Endpoint<I, R> => ({ method: 'POST', errors: [], aliases: [], ...call })

export type InputOf<E extends Endpoint> = z.input<E['input']>
export type ParsedInputOf<E extends Endpoint> = z.output<E['input']>
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>

/** A whole number between two bounds, also as digits in text, because a GET call's inputs come in the query. */
export const integerBetween = (min: number, max: number, message: string) =>
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d{1,15}$/, message))], message),
    z.pipe(
      z.transform((value: number | string) => Number(value)),
      z.number().check(z.int(message), z.gte(min, message), z.lte(max, message)),
    ),
  )

/** Ids stay far below this for as long as anybody adds songs by hand or by machine; PostgreSQL's int4 ends here. */
const MAX_INT4 = 2_147_483_647

export const id = (name: string) => integerBetween(1, MAX_INT4, `${name} must be a positive integer.`)

/**
 * A rule about several fields of an object. It is checked together with the rules of single fields, so that everything
 * that is wrong is said at once: `holds` may be given fields that are missing or of the wrong type.
 */
export const refineTogether = <T extends object>(
  isValid: (value: T) => boolean,
  params: { message: string; path: string[] },
) => z.refine<T>(isValid, { ...params, when: ({ value }) => typeof value === 'object' && value !== null })

/** 0, null, '' and nothing at all mean "no choice made". */
export const optionalId = (name: string) =>
  z.pipe(
    z.optional(z.nullable(z.union([z.literal(''), integerBetween(0, MAX_INT4, `${name} must be an integer.`)]))),
    z.transform((value) => (typeof value === 'number' && value > 0 ? value : undefined)),
  )

/** Of the row that was looked at; a change that somebody made meanwhile is not written over. */
export const versionInput = integerBetween(1, MAX_INT4, 'version must be a positive integer.')

export const page = z._default(integerBetween(1, 1_000_000, 'page must be a positive integer.'), 1)

const FIRST_YEAR = 2000
const LAST_YEAR = 2200

/** A day of the calendar, in UTC: no 31 June. */
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

/** What is looked for in a list; '' for all of it. */
export const search = z._default(z.string().check(z.trim(), z.maxLength(120)), '')

/** A member, or one of staff, as they are named. */
export const person = z.object({ customer_id: z.number(), dj_name: z.string() })

/** Where a file is fetched: a signed address, and the file's name. */
export const fileAddress = z.object({ url: z.string(), file: z.string() })

export const pagination = z.object({ page: z.number(), perPageLimit: z.number(), totalCount: z.number() })
export type Pagination = z.output<typeof pagination>

export const nothing = z.object({})

/** What every refusal looks like on the wire. */
export const errorReply = z.object({
  data: z.nullable(z.unknown()),
  code: z.string(),
  message: z.string(),
  errors: z.array(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
})
export type ErrorReply = z.output<typeof errorReply>
