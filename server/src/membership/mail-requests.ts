import type { Sql } from '../platform/db.ts'
import type { Sender } from '../platform/letter.ts'
import { queueMail } from '../platform/outbox.ts'
import { placeOf } from '../platform/place.ts'
import { countUp } from '../platform/rate.ts'
import type { World } from '../world.ts'
import * as letters from './letters.ts'
import { makeLink } from './mailed-links.ts'
import type { Visit } from './session.ts'

type MailRequest = { what: 'recover' | 'confirm_sign_up'; email: string; sign_up_id: number | null }
type Account = { customer_id: number; email: string }
type TakenRequest = MailRequest & { place: string }

/** To one address, for who asks from one place: a stranger elsewhere does not use up the letters of who lives there. */
const LETTERS_FROM_HERE = 3
/** To one address, from everywhere. */
const LETTERS_TO_ONE_ADDRESS = 12
const RECOVER_MINUTES = 60
const CONFIRM_MINUTES = 7 * 24 * 60

/** Leaves word that somebody asked for a letter, and from where: one statement, the same for every address. */
export async function requestMail(sql: Sql, { what, email, sign_up_id }: MailRequest, { ip }: Visit): Promise<void> {
  await sql`insert into mail_request (what, email, sign_up_id, place)
    values (${what}, ${email}, ${sign_up_id}, ${placeOf(ip)})`
}

/** Turns what was asked for into letters in the outbox. One that fails is left for the next time; the others go on. */
export async function answerMailRequests(world: World): Promise<void> {
  let last: number | undefined = 0
  while (last !== undefined) last = await answerNext(world, last)
}

/** Answers the first request after this one, and its id; undefined when there is none. */
async function answerNext(world: World, after: number): Promise<number | undefined> {
  const [next] = await world.sql<{ mail_request_id: number }[]>`
    select mail_request_id from mail_request where mail_request_id > ${after} order by mail_request_id limit 1`
  if (!next) return undefined
  try {
    await world.sql.begin((sql) => answer(sql, world, next.mail_request_id))
  } catch (error) {
    world.log.error(error, 'Could not write a requested email; will retry')
  }
  return next.mail_request_id
}

/** Takes the request away and writes its letter, both or neither. Another worker that came first has it alone. */
async function answer(sql: Sql, { settings: { letterhead } }: World, requestId: number): Promise<void> {
  const [taken] = await sql<TakenRequest[]>`
    delete from mail_request where mail_request_id = ${requestId} returning what, email, sign_up_id, place`
  if (!taken) return
  const [account] = await sql<Account[]>`
    select customer_id, email from customer where lower(email) = ${taken.email} and status <> 'deleted'`
  if (taken.what === 'recover' && !account) return
  if (await isEnough(sql, taken)) return
  if (!account) return queueConfirmation(sql, letterhead, taken)
  if (taken.what === 'recover') return queueRecovery(sql, letterhead, account)
  await queueMail(sql, letters.accountExists(letterhead, account.email), {
    whose: letters.ofCustomer(account.customer_id),
  })
}

/** What is too much for one place does not count for the others. */
async function isEnough(sql: Sql, { what, email, place }: TakenRequest): Promise<boolean> {
  if ((await countUp(sql, `letter ${what} from here`, `${email} ${place}`, 60)) > LETTERS_FROM_HERE) return true
  return (await countUp(sql, `letter ${what}`, email, 60)) > LETTERS_TO_ONE_ADDRESS
}

async function queueRecovery(sql: Sql, sender: Sender, account: Account): Promise<void> {
  const token = await makeLink(sql, { purpose: 'reset_password', minutes: RECOVER_MINUTES, ...account })
  const whose = letters.ofCustomer(account.customer_id)
  await queueMail(sql, letters.recoverPassword(sender, account.email, token), { whose, linkMinutes: RECOVER_MINUTES })
}

/** The sign-up lives as long as its newest link. */
async function queueConfirmation(sql: Sql, sender: Sender, { email, sign_up_id }: MailRequest): Promise<void> {
  const signUpId = sign_up_id as number
  const link = { purpose: 'confirm_sign_up', minutes: CONFIRM_MINUTES, sign_up_id: signUpId, email } as const
  const token = await makeLink(sql, link)
  await sql`update sign_up set expires_at = now() + make_interval(mins => ${CONFIRM_MINUTES}) where sign_up_id = ${signUpId}`
  const whose = letters.ofSignUp(signUpId)
  await queueMail(sql, letters.confirmSignUp(sender, email, token), { whose, linkMinutes: CONFIRM_MINUTES })
}
