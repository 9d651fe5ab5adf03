import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Pool } from '../platform/db.ts'
import type { Sender } from '../platform/letter.ts'
import { queueMail } from '../platform/outbox.ts'
import { countAnew, countUp } from '../platform/rate.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { type Asker, needsTwoStep } from './asker.ts'
import { ofCustomer, twoStepSwitchedOff, twoStepSwitchedOn } from './letters.ts'
import { dropRecoveryCodes, renewRecoveryCodes, takeRecoveryCode } from './recovery-codes.ts'
import { endSessions } from './session.ts'

type Tools = Pick<World, 'sql' | 'sealing' | 'now'>
type ToolsAndRules = Tools & Pick<World, 'config' | 'settings'>

const SECRET_BYTES = 20
/** RFC 6238 as every authenticator app reads it. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps before and after this one, for clocks that are a little off. */
const WINDOW = 1

/**
 * Makes a secret that waits for its first code, in place of one that waits already. Refuses `two_factor_already_enabled`.
 * Answers it for typing (base32 in groups of four), as an `otpauth://` address and as a QR code in SVG.
 */
export async function startTwoStep({ sql, sealing, settings }: ToolsAndRules, member: Asker) {
  const secret = new Secret({ size: SECRET_BYTES })
  const sealed = sealing.seal('totp', String(member.customer_id), secret.bytes)
  const kept = await sql`
    insert into totp (customer_id, secret) values (${member.customer_id}, ${sealed})
    on conflict (customer_id) do update set secret = excluded.secret, last_step = 0 where totp.confirmed_at is null
    returning 1`
  if (kept.length === 0)
    throw new Refusal('two_factor_already_enabled', 'Two-factor authentication is already on. Turn it off first.')
  const address = new TOTP({ ...FORM, issuer: settings.poolName, label: member.email, secret }).toString()
  const spaced = secret.base32.match(/.{1,4}/g)?.join(' ') ?? ''
  return { secret: spaced, address, qr_svg: renderSVG(address, { ecc: 'M', border: 4 }) }
}

const CODES_TRIED = 10
const MINUTES = 15

/**
 * Switches two-step sign-in on with a first code, ends the member's other sessions, and answers the recovery codes.
 * Refuses `two_factor_setup_expired`, `invalid_code` and, after many of those, `rate_limited`.
 */
export async function confirmTwoStep(tools: ToolsAndRules, member: Asker, code: string): Promise<string[]> {
  const who = String(member.customer_id)
  if ((await countUp(tools.sql, 'two_step_code', who, MINUTES)) > CODES_TRIED) {
    throw new Refusal('rate_limited', 'Too many incorrect codes. Try again in 15 minutes.', {
      retryAfter_seconds: MINUTES * 60,
    })
  }
  return tools.sql.begin(async (sql) => {
    const [waiting] = await sql<{ secret: Buffer }[]>`
      select secret from totp where customer_id = ${member.customer_id} and confirmed_at is null for update`
    if (!waiting) throw new Refusal('two_factor_setup_expired', 'Your setup has expired. Start again.')
    const step = stepOf(openSecret(tools, member.customer_id, waiting.secret), code, tools.now())
    if (step === undefined) throw wrongCode()
    await sql`update totp set confirmed_at = now(), last_step = ${step} where customer_id = ${member.customer_id}`
    await countAnew(sql, 'two_step_code', who)
    await endSessions(sql, member.customer_id, { but: member.session_id })
    await queueMail(sql, twoStepSwitchedOn(tools.settings.letterhead, member.email), {
      whose: ofCustomer(member.customer_id),
    })
    return renewRecoveryCodes(sql, tools.sealing, member.customer_id)
  })
}

/** New recovery codes in place of the old ones. Refuses `two_factor_not_enabled`. */
export const newRecoveryCodes = ({ sql, sealing }: Tools, customerId: number): Promise<string[]> =>
  sql.begin(async (sql) => {
    const [on] = await sql`
      select 1 from totp where customer_id = ${customerId} and confirmed_at is not null for update`
    if (!on) throw new Refusal('two_factor_not_enabled', 'Two-factor authentication is off.')
    return renewRecoveryCodes(sql, sealing, customerId)
  })

/** Switches it off. Refuses `two_factor_mandatory` for staff of a pool that wants it of them. */
export async function stopTwoStep({ sql, config, settings }: ToolsAndRules, member: Asker): Promise<void> {
  if (needsTwoStep({ ...member, two_step: false }, config)) {
    throw new Refusal('two_factor_mandatory', 'Staff must use two-factor authentication, so it can’t be turned off.')
  }
  await switchOff(sql, settings.letterhead, member)
}

type Whose = Pick<Asker, 'customer_id' | 'email'>

/** True when it was on. */
const switchOff = (pool: Pool, sender: Sender, { customer_id, email }: Whose): Promise<boolean> =>
  pool.begin(async (sql) => {
    const [stopped] = await sql<{ was_on: boolean }[]>`
      delete from totp where customer_id = ${customer_id} returning confirmed_at is not null as was_on`
    await dropRecoveryCodes(sql, customer_id)
    if (stopped?.was_on) await queueMail(sql, twoStepSwitchedOff(sender, email), { whose: ofCustomer(customer_id) })
    return stopped?.was_on ?? false
  })

/** The operator's way for somebody who has lost phone and recovery codes; that it is them is for the operator to know. */
export async function switchOffFor(
  pool: Pool,
  sender: Sender,
  email: string,
): Promise<'unknown' | 'was_off' | 'is_off'> {
  const [whose] = await pool<Whose[]>`
    select customer_id, email from customer where lower(email) = ${email.trim().toLowerCase()} and status <> 'deleted'`
  if (!whose) return 'unknown'
  return (await switchOff(pool, sender, whose)) ? 'is_off' : 'was_off'
}

/** Whether a code of the app or a recovery code is right. It is taken then: the same one is wrong the next time. */
export async function takeCode(tools: Tools, customerId: number, given: string): Promise<boolean> {
  const code = given.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) return takeRecoveryCode(tools.sql, tools.sealing, customerId, code)
  const [totp] = await tools.sql<{ secret: Buffer }[]>`
    select secret from totp where customer_id = ${customerId} and confirmed_at is not null`
  const step = totp && stepOf(openSecret(tools, customerId, totp.secret), code, tools.now())
  if (step === undefined) return false
  const taken = await tools.sql`
    update totp set last_step = ${step}
    where customer_id = ${customerId} and confirmed_at is not null and last_step < ${step} returning 1`
  return taken.length === 1
}

export const wrongCode = (): Refusal => {
  const sentence = 'Incorrect or used code. Enter the code your app shows now.'
  return new Refusal('invalid_code', sentence, { fields: { code: sentence } })
}

function openSecret({ sealing }: Pick<Tools, 'sealing'>, customerId: number, sealed: Buffer): Secret {
  const bytes = sealing.open('totp', String(customerId), sealed)
  if (!bytes) throw new Error(`Could not decrypt the two-factor secret of customer ${customerId}. Has SECRET changed?`)
  return new Secret({ buffer: new Uint8Array(bytes).buffer })
}

/** The time step a code belongs to; undefined for a wrong one. */
function stepOf(secret: Secret, code: string, now: Date): number | undefined {
  const token = code.replace(/[\s-]/g, '')
  const delta = TOTP.validate({ ...FORM, secret, token, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: FORM.period, timestamp: now.getTime() }) + delta
}
