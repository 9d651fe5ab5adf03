import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool } from '../platform/db.ts'
import type { Sender } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import { incrementCount, resetCount } from '../platform/rate-counter.ts'
import { type Caller, needsTwoFactor } from './caller.ts'
import { customerReference, twoFactorDisabledEmail, twoFactorEnabledEmail } from './emails.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes, useRecoveryCode } from './recovery-codes.ts'
import { endSessions } from './session.ts'

type MembershipContext = Pick<AppContext, 'sql' | 'encryption' | 'now'>
type TwoFactorContext = MembershipContext & Pick<AppContext, 'config' | 'settings'>

const SECRET_LENGTH = 20
/** RFC 6238, as supported by every authenticator app. */
const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** How many time steps before and after are accepted, for clocks that are slightly off. */
const TOTP_WINDOW = 1

/**
 * Creates a secret that must be confirmed by a first code, replacing an unconfirmed one. Returns it for typing (base32
 * in groups of four), as an `otpauth://` URL and as a QR code in SVG. Throws `two_factor_already_enabled`.
 */
export async function startTwoFactorSetup({ sql, encryption, settings }: TwoFactorContext, member: Caller) {
  const secret = new Secret({ size: SECRET_LENGTH })
  const encryptedSecret = encryption.seal('totp', String(member.customer_id), secret.bytes)
  const updated = await sql`
    insert into totp (customer_id, secret) values (${member.customer_id}, ${encryptedSecret})
    on conflict (customer_id) do update set secret = excluded.secret, last_step = 0 where totp.confirmed_at is null
    returning 1`
  if (updated.length === 0)
    throw new ApiError('two_factor_already_enabled', 'Two-factor authentication is already on. Turn it off first.')
  const address = new TOTP({ ...TOTP_OPTIONS, issuer: settings.poolName, label: member.email, secret }).toString()
  const spaced = secret.base32.match(/.{1,4}/g)?.join(' ') ?? ''
  return { secret: spaced, address, qr_svg: renderSVG(address, { ecc: 'M', border: 4 }) }
}

const MAX_CODE_ATTEMPTS = 10
const WINDOW_MINUTES = 15

/**
 * Turns two-factor authentication on with a first code, ends the member's other sessions, and returns the recovery
 * codes.
 * Throws `two_factor_setup_expired`, `invalid_code` and, after many wrong codes, `rate_limited`.
 */
export async function confirmTwoFactor(ctx: TwoFactorContext, member: Caller, code: string): Promise<string[]> {
  const who = String(member.customer_id)
  if ((await incrementCount(ctx.sql, 'two_step_code', who, WINDOW_MINUTES)) > MAX_CODE_ATTEMPTS) {
    throw new ApiError('rate_limited', 'Too many incorrect codes. Try again in 15 minutes.', {
      retryAfter_seconds: WINDOW_MINUTES * 60,
    })
  }
  return ctx.sql.begin(async (sql) => {
    const [pendingSecret] = await sql<{ secret: Buffer }[]>`
      select secret from totp where customer_id = ${member.customer_id} and confirmed_at is null for update`
    if (!pendingSecret) throw new ApiError('two_factor_setup_expired', 'Two-factor setup has expired. Start again.')
    const step = findTotpStep(decryptSecret(ctx, member.customer_id, pendingSecret.secret), code, ctx.now())
    if (step === undefined) throw wrongCodeError()
    await sql`update totp set confirmed_at = now(), last_step = ${step} where customer_id = ${member.customer_id}`
    await resetCount(sql, 'two_step_code', who)
    await endSessions(sql, member.customer_id, { but: member.session_id })
    await queueMail(sql, twoFactorEnabledEmail(ctx.settings.emailSender, member.email), {
      reference: customerReference(member.customer_id),
    })
    return replaceRecoveryCodes(sql, ctx.encryption, member.customer_id)
  })
}

/** Replaces the recovery codes by new ones. Throws `two_factor_not_enabled`. */
export const createRecoveryCodes = ({ sql, encryption }: MembershipContext, customerId: number): Promise<string[]> =>
  sql.begin(async (sql) => {
    const [on] = await sql`
      select 1 from totp where customer_id = ${customerId} and confirmed_at is not null for update`
    if (!on) throw new ApiError('two_factor_not_enabled', 'Two-factor authentication is off.')
    return replaceRecoveryCodes(sql, encryption, customerId)
  })

/** Turns two-factor authentication off. Throws `two_factor_mandatory` for staff when the pool requires it. */
export async function disableOwnTwoFactor({ sql, config, settings }: TwoFactorContext, member: Caller): Promise<void> {
  if (needsTwoFactor({ ...member, has_two_factor: false }, config)) {
    throw new ApiError('two_factor_mandatory', 'Staff must use two-factor authentication, so it can’t be turned off.')
  }
  await disableTwoFactor(sql, settings.emailSender, member)
}

type MemberRef = Pick<Caller, 'customer_id' | 'email'>

/** Returns true when it was on. */
const disableTwoFactor = (pool: Pool, sender: Sender, { customer_id, email }: MemberRef): Promise<boolean> =>
  pool.begin(async (sql) => {
    const [stopped] = await sql<{ was_on: boolean }[]>`
      delete from totp where customer_id = ${customer_id} returning confirmed_at is not null as was_on`
    await deleteRecoveryCodes(sql, customer_id)
    if (stopped?.was_on)
      await queueMail(sql, twoFactorDisabledEmail(sender, email), { reference: customerReference(customer_id) })
    return stopped?.was_on ?? false
  })

/** For the operator, when a member has lost their phone and recovery codes. The operator must verify their identity. */
export async function disableTwoFactorFor(
  pool: Pool,
  sender: Sender,
  email: string,
): Promise<'unknown' | 'was_off' | 'is_off'> {
  const [owner] = await pool<MemberRef[]>`
    select customer_id, email from customer where lower(email) = ${email.trim().toLowerCase()} and status <> 'deleted'`
  if (!owner) return 'unknown'
  return (await disableTwoFactor(pool, sender, owner)) ? 'is_off' : 'was_off'
}

/** Verifies an app code or a recovery code and uses it up: the same code is wrong the next time. */
export async function verifyCode(ctx: MembershipContext, customerId: number, submittedCode: string): Promise<boolean> {
  const code = submittedCode.replace(/[\s-]/g, '')
  if (!/^\d{6}$/.test(code)) return useRecoveryCode(ctx.sql, ctx.encryption, customerId, code)
  const [totp] = await ctx.sql<{ secret: Buffer }[]>`
    select secret from totp where customer_id = ${customerId} and confirmed_at is not null`
  const step = totp && findTotpStep(decryptSecret(ctx, customerId, totp.secret), code, ctx.now())
  if (step === undefined) return false
  const accepted = await ctx.sql`
    update totp set last_step = ${step}
    where customer_id = ${customerId} and confirmed_at is not null and last_step < ${step} returning 1`
  return accepted.length === 1
}

export const wrongCodeError = (): ApiError => {
  const sentence = 'Incorrect or used code. Enter the code your app shows now.'
  return new ApiError('invalid_code', sentence, { fields: { code: sentence } })
}

function decryptSecret(
  { encryption }: Pick<MembershipContext, 'encryption'>,
  customerId: number,
  encryptedSecret: Buffer,
): Secret {
  const bytes = encryption.open('totp', String(customerId), encryptedSecret)
  if (!bytes) throw new Error(`Could not decrypt the two-factor secret of customer ${customerId}. Has SECRET changed?`)
  return new Secret({ buffer: new Uint8Array(bytes).buffer })
}

/** Returns the time step a code belongs to; undefined for a wrong code. */
function findTotpStep(secret: Secret, code: string, now: Date): number | undefined {
  const token = code.replace(/[\s-]/g, '')
  const delta = TOTP.validate({ ...TOTP_OPTIONS, secret, token, timestamp: now.getTime(), window: TOTP_WINDOW })
  return delta === null ? undefined : TOTP.counter({ period: TOTP_OPTIONS.period, timestamp: now.getTime() }) + delta
}
