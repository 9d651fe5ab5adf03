import { account, membership, type ParsedInputOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Sender } from '../platform/letter.ts'
import { queueMail } from '../platform/outbox.ts'
import { countUp } from '../platform/rate.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Asker } from './asker.ts'
import { countryOf } from './countries.ts'
import * as letters from './letters.ts'
import { endLinks, makeLink } from './mailed-links.ts'
import { checkOwnPassword } from './own-password.ts'

type Given = ParsedInputOf<typeof account.updateProfile>

const LINK_MINUTES = 24 * 60
const CHANGES_AN_HOUR = 3
/** From all members together, so that no mailbox is filled; a single one does not use up what others need. */
const LETTERS_TO_ONE_ADDRESS = 12

const address = membership.emailAddress('Email cannot be blank!')

/**
 * Saves what a member says of themself. A new address takes the password and is used once the link mailed to it has been
 * opened; the reply is the same where it belongs to somebody else, whom a mail tells. Refuses `invalid_email`,
 * `unknown_country`, `unknown_region`, `invalid_request` for a region that is missing, `incorrect_password`, and `rate_limited`
 * after many addresses.
 */
export async function updateProfile(
  { sql: pool, settings }: Pick<World, 'sql' | 'settings'>,
  member: Asker,
  given: Given,
): Promise<void> {
  const email = given.email.toLowerCase()
  const isNew = email !== member.email.toLowerCase()
  await refuseTogether([
    () => checkAddress(given.email),
    () => checkCountry(given.country_id),
    () => checkRegion(given),
    // Someone at a member's open browser cannot move the account to their own address.
    () => isNew && checkOwnPassword(pool, member.customer_id, given.password ?? ''),
  ])
  const { firstname, lastname, telephone, street, city, postcode, country_id, region_id } = given
  const djName = given.dj_name ?? member.dj_name
  await pool.begin(async (sql) => {
    // Links before the member, as whoever opens one has them: so neither waits for the other.
    if (isNew) await askForAddress(sql, settings.letterhead, member, email)
    await sql`
      update customer set firstname = ${firstname}, lastname = ${lastname}, telephone = ${telephone},
        street = ${street}, city = ${city}, postcode = ${postcode}, country_id = ${country_id},
        region_id = ${region_id}, dj_name = ${djName}
      where customer_id = ${member.customer_id}`
  })
}

/** Ends a change of address that waits, so that a slip in it opens nothing to a stranger. */
export const withdrawAddress = (sql: Sql, { customer_id }: Pick<Asker, 'customer_id'>): Promise<void> =>
  endLinks(sql, customer_id, ['change_address'])

/** The same checks while other fields are blank or wrong. A wrong password counts as an attempt here as well. */
export function checkProfile(
  { sql }: Pick<World, 'sql'>,
  member: Asker,
  given: { [name in keyof Given]?: unknown },
): Promise<void> {
  const text = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const country_id = text(given.country_id)
  const region_id = text(given.region_id)
  const email = text(given.email)
  const isNew = email !== '' && email.toLowerCase() !== member.email.toLowerCase()
  const password = account.updateProfile.input.shape.password.safeParse(given.password)
  return refuseTogether([
    () => email !== '' && checkAddress(email),
    () => country_id !== '' && checkCountry(country_id),
    () => checkRegion({ country_id, region_id }),
    () => isNew && password.success && checkOwnPassword(sql, member.customer_id, password.data ?? ''),
  ])
}

function checkAddress(given: string): void {
  if (!address.safeParse(given).success) refuseField('invalid_email', 'email', 'Invalid Email')
}

function checkCountry(countryId: string): void {
  if (!countryOf(countryId)) refuseField('unknown_country', 'country_id', 'Choose a country from the list.')
}

/** Only a country without regions goes without a state; while there is no country, the state is missing too. */
function checkRegion({ country_id, region_id }: Pick<Given, 'country_id' | 'region_id'>): void {
  const regions = countryOf(country_id)?.region
  if (region_id === '' && regions?.length !== 0) refuseField('invalid_request', 'region_id', 'State cannot be blank!')
  if (region_id !== '' && regions && !regions.some(({ id }) => id === region_id)) {
    refuseField('unknown_region', 'region_id', 'Choose a state in the selected country.')
  }
}

function refuseField(code: string, field: string, sentence: string): never {
  throw new Refusal(code, sentence, { fields: { [field]: sentence } })
}

/** The same statements whether or not the address is taken: only the words of the letter differ. */
async function askForAddress(sql: Sql, sender: Sender, member: Asker, email: string): Promise<void> {
  const { customer_id } = member
  await refuseTooMany(sql, customer_id, email)
  const token = await makeLink(sql, { purpose: 'change_address', customer_id, email, minutes: LINK_MINUTES })
  const [owner] = await sql<{ customer_id: number }[]>`select customer_id from customer where lower(email) = ${email}`
  const whose = letters.ofCustomer(customer_id)
  if (owner) await queueMail(sql, letters.addressInUse(sender, email), { whose: letters.ofCustomer(owner.customer_id) })
  else await queueMail(sql, letters.confirmAddress(sender, email, token), { whose, linkMinutes: LINK_MINUTES })
  await queueMail(sql, letters.addressWillChange(sender, member.email, email), { whose })
}

/** Counted whether or not the address is taken: so it says nothing about one. */
async function refuseTooMany(sql: Sql, customerId: number, email: string): Promise<void> {
  const changes = await countUp(sql, 'address changes', String(customerId), 60)
  const toAddress = await countUp(sql, 'letter change_address', email, 60)
  if (changes <= CHANGES_AN_HOUR && toAddress <= LETTERS_TO_ONE_ADDRESS) return
  throw new Refusal(
    'rate_limited',
    'You’ve requested several email address changes. Check your inbox or try again in an hour.',
    { retryAfter_seconds: 3600 },
  )
}
