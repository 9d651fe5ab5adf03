import { account, type ErrorCode, membership, type ParsedInputOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Sender } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount } from '../platform/rate-counter.ts'
import type { Caller } from './caller.ts'
import { countryOf } from './countries.ts'
import * as emails from './emails.ts'
import { createMailedLink, invalidateLinks } from './mailed-links.ts'
import { checkOwnPassword } from './own-password.ts'

type ProfileParams = ParsedInputOf<typeof account.updateProfile>

const LINK_MINUTES = 24 * 60
const MAX_CHANGES_PER_HOUR = 3
/** The limit for all members together, so that no mailbox is flooded. */
const MAX_EMAILS_PER_ADDRESS = 12

const address = membership.emailAddress('Email cannot be blank!')

/**
 * Saves a member's profile. A new address requires the password and is used once the link mailed to it has been opened.
 * The reply is the same if the address belongs to someone else, who is notified by email. Throws `invalid_email`,
 * `unknown_country`, `unknown_region`, `invalid_request` for a missing region, `incorrect_password`, and `rate_limited`
 * after many addresses.
 */
export async function updateProfile(
  { sql: pool, settings }: Pick<AppContext, 'sql' | 'settings'>,
  member: Caller,
  submitted: ProfileParams,
): Promise<void> {
  const email = submitted.email.toLowerCase()
  const isNew = email !== member.email.toLowerCase()
  await throwAllErrors([
    () => checkAddress(submitted.email),
    () => checkCountry(submitted.country_id),
    () => checkRegion(submitted),
    // Someone at a member's open browser cannot move the account to their own address.
    () => isNew && checkOwnPassword(pool, member.customer_id, submitted.password ?? ''),
  ])
  const { firstname, lastname, telephone, street, city, postcode, country_id, region_id } = submitted
  const newDjName = submitted.dj_name ?? member.dj_name
  await pool.begin(async (sql) => {
    // Locks links before the member, in the same order as opening a link does, to avoid deadlocks.
    if (isNew) await requestAddressChange(sql, settings.emailSender, member, email)
    await sql`
      update customer set firstname = ${firstname}, lastname = ${lastname}, telephone = ${telephone},
        street = ${street}, city = ${city}, postcode = ${postcode}, country_id = ${country_id},
        region_id = ${region_id}, dj_name = ${newDjName}
      where customer_id = ${member.customer_id}`
  })
}

/** Cancels a pending change of address, so that a typing error does not give a stranger access. */
export const cancelAddressChange = (sql: Sql, { customer_id }: Pick<Caller, 'customer_id'>): Promise<void> =>
  invalidateLinks(sql, customer_id, ['change_address'])

/** Runs the same checks while other fields are blank or invalid. A wrong password counts as an attempt here too. */
export function checkProfile(
  { sql }: Pick<AppContext, 'sql'>,
  member: Caller,
  submitted: { [name in keyof ProfileParams]?: unknown },
): Promise<void> {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const country_id = text(submitted.country_id)
  const region_id = text(submitted.region_id)
  const email = text(submitted.email)
  const isNew = email !== '' && email.toLowerCase() !== member.email.toLowerCase()
  const password = account.updateProfile.input.shape.password.safeParse(submitted.password)
  return throwAllErrors([
    () => email !== '' && checkAddress(email),
    () => country_id !== '' && checkCountry(country_id),
    () => checkRegion({ country_id, region_id }),
    () => isNew && password.success && checkOwnPassword(sql, member.customer_id, password.data ?? ''),
  ])
}

function checkAddress(submitted: string): void {
  if (!address.safeParse(submitted).success) rejectField('invalid_email', 'email', 'Invalid Email')
}

function checkCountry(countryId: string): void {
  if (!countryOf(countryId)) rejectField('unknown_country', 'country_id', 'Choose a country from the list.')
}

/** Only a country without regions needs no state; without a country, the state is missing too. */
function checkRegion({ country_id, region_id }: Pick<ProfileParams, 'country_id' | 'region_id'>): void {
  const regions = countryOf(country_id)?.region
  if (region_id === '' && regions?.length !== 0) rejectField('invalid_request', 'region_id', 'State cannot be blank!')
  if (region_id !== '' && regions && !regions.some(({ id }) => id === region_id)) {
    rejectField('unknown_region', 'region_id', 'Choose a state in the selected country.')
  }
}

function rejectField(code: ErrorCode, field: string, sentence: string): never {
  throw fieldError(code, field, sentence)
}

/** Runs the same statements whether or not the address is taken: only the text of the email differs. */
async function requestAddressChange(sql: Sql, sender: Sender, member: Caller, email: string): Promise<void> {
  const { customer_id } = member
  await rejectTooMany(sql, customer_id, email)
  const token = await createMailedLink(sql, { purpose: 'change_address', customer_id, email, minutes: LINK_MINUTES })
  const [owner] = await sql<{ customer_id: number }[]>`select customer_id from customer where lower(email) = ${email}`
  const target = emails.customerReference(customer_id)
  if (owner)
    await queueMail(sql, emails.addressInUseEmail(sender, email), {
      reference: emails.customerReference(owner.customer_id),
    })
  else
    await queueMail(sql, emails.confirmNewAddressEmail(sender, email, token), {
      reference: target,
      linkMinutes: LINK_MINUTES,
    })
  await queueMail(sql, emails.addressChangeRequestedEmail(sender, member.email, email), { reference: target })
}

/** Counted whether or not the address is taken, so that it reveals nothing about one. */
async function rejectTooMany(sql: Sql, customerId: number, email: string): Promise<void> {
  const changes = await incrementCount(sql, 'address changes', String(customerId), 60)
  const toAddress = await incrementCount(sql, 'letter change_address', email, 60)
  if (changes <= MAX_CHANGES_PER_HOUR && toAddress <= MAX_EMAILS_PER_ADDRESS) return
  throw new ApiError(
    'rate_limited',
    'You’ve requested several email address changes. Check your inbox or try again in an hour.',
    { retryAfter_seconds: 3600 },
  )
}
