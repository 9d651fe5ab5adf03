import { account, type Endpoint, type InputOf, membership, type ReplyOf } from '@dubplate/contract'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { ApiCallError, errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { disableTwoFactorFor } from './two-factor.ts'

let pool: TestPool
let strict: TestPool
let clock = new Date()
beforeAll(async () => {
  pool = await openTestPool()
  strict = await openTestPool({ config: { staffTwoStep: 'required' } })
  for (const one of [pool, strict]) one.ctx.now = () => clock
})
afterAll(() => Promise.all([pool.close(), strict.close()]))

const password = 'a good long password'
const later = (seconds: number) => {
  clock = new Date(clock.getTime() + seconds * 1000)
}
const totpCode = (secret: string, steps = 0) =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: clock.getTime() + steps * 30_000 })

/** Each member has another IP address, because sign-ins per network are limited. */
let places = 0
const remoteAddress = () => `10.0.0.${places}`

async function from<E extends Endpoint>(endpoint: E, payload: InputOf<E>): Promise<ReplyOf<E>> {
  const url = `/api/${endpoint.path}`
  const place = remoteAddress()
  const response = await pool.app.inject({ method: 'POST', url, payload: payload as object, remoteAddress: place })
  if (response.statusCode !== 200) throw new ApiCallError(response.statusCode, response.json())
  return response.json().data
}

/**
 * A member who has turned two-factor authentication on, with the secret and recovery codes. The current code is used
 * up.
 */
async function aTwoStepMember(of = pool, params: Parameters<typeof aMember>[1] = {}) {
  places++
  const member = await aMember(of.ctx, { password, ...params })
  const { secret } = await of.ask(account.startTwoStep, { password }, member.token)
  const { recovery_codes } = await of.ask(account.confirmTwoStep, { code: totpCode(secret) }, member.token)
  later(30)
  return { ...member, secret, recovery_codes }
}

/** Returns the token for the second step, from the error after the right password. */
async function signInFirstStep(email: string): Promise<string> {
  const error = await from(membership.signIn, { email, password }).catch((rejected) => rejected)
  if (!(error instanceof ApiCallError)) throw new Error('This was expected to ask for the second step.')
  expect([error.status, error.reply.code]).toEqual([401, 'two_factor_required'])
  return (error.reply.data as { token: string }).token
}

const second = (token: string, code: string) => from(membership.secondStep, { token, code })

describe('turning on', () => {
  test('starts with the password and shows the secret as text, as a URL and as a picture', async () => {
    const { token, email } = await aMember(pool.ctx, { password })
    const wrongPassword = await pool.request(account.startTwoStep, { password: 'wrong' }, token)
    expect([wrongPassword.statusCode, wrongPassword.json().code, wrongPassword.json().fields]).toEqual([
      422,
      'incorrect_password',
      { password: 'Incorrect password.' },
    ])
    const pending = await pool.ask(account.startTwoStep, { password }, token)
    expect(pending.secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    expect(pending.address).toContain(`otpauth://totp/Dubplate:${encodeURIComponent(email)}?`)
    expect(pending.address).toContain(pending.secret.replaceAll(' ', ''))
    expect(pending.qr_svg).toMatch(/^<svg /)
    expect((await pool.ask(membership.getProfile, {}, token)).profile.has_two_factor).toBe(false)
    expect((await pool.ask(membership.signIn, { email, password })).token).toMatch(/^[\w-]{43}$/)
  })

  test('completes with a first code, returns ten recovery codes and ends the other sessions', async () => {
    const { token, email } = await aMember(pool.ctx, { password })
    const { token: other } = await pool.ask(membership.signIn, { email, password })
    const { secret } = await pool.ask(account.startTwoStep, { password }, token)
    const wrongCode = await errorOf(pool.ask(account.confirmTwoStep, { code: '000000' }, token))
    expect(wrongCode).toMatchObject({ status: 422, code: 'invalid_code' })
    const code = totpCode(secret)
    const { recovery_codes } = await pool.ask(
      account.confirmTwoStep,
      { code: `${code.slice(0, 3)} ${code.slice(3)}` },
      token,
    )
    expect(new Set(recovery_codes).size).toBe(10)
    for (const one of recovery_codes) expect(one).toMatch(/^[2-9A-HJKMNP-Z]{5}-[2-9A-HJKMNP-Z]{5}$/)
    expect(await errorOf(pool.ask(membership.getProfile, {}, other))).toMatchObject({ code: 'session_expired' })
    expect((await pool.ask(membership.getProfile, {}, token)).profile.has_two_factor).toBe(true)
    const mails = await pool.ctx.sql`select subject from outgoing_mail where to_address = ${email}`
    expect(mails).toEqual([{ subject: 'Two-factor authentication is on for Dubplate' }])
  })

  test('is refused without a setup, and when it is already on', async () => {
    const { token } = await aMember(pool.ctx, { password })
    expect(await errorOf(pool.ask(account.confirmTwoStep, { code: '123456' }, token))).toMatchObject({
      code: 'two_factor_setup_expired',
    })
    const member = await aTwoStepMember()
    expect(await errorOf(pool.ask(account.startTwoStep, { password }, member.token))).toMatchObject({
      code: 'two_factor_already_enabled',
    })
  })

  test('stores neither the secret nor the codes in readable form', async () => {
    const { customer_id, secret, recovery_codes } = await aTwoStepMember()
    const [row] = await pool.ctx.sql<{ secret: Buffer }[]>`select secret from totp where customer_id = ${customer_id}`
    const raw = new TOTP({ secret: secret.replaceAll(' ', '') }).secret.bytes
    expect(row?.secret.includes(Buffer.from(raw))).toBe(false)
    const codes = await pool.ctx.sql<{ row: string }[]>`
      select recovery_code::text as row from recovery_code where customer_id = ${customer_id}`
    expect(codes).toHaveLength(10)
    for (const { row } of codes) expect(row).not.toContain(recovery_codes[0]?.replace('-', ''))
  })
})

describe('signing in', () => {
  test('requires the current code, or that of half a minute before or after', async () => {
    const { email, secret } = await aTwoStepMember()
    later(300)
    for (const steps of [-2, 2]) {
      expect(await errorOf(second(await signInFirstStep(email), totpCode(secret, steps)))).toMatchObject({
        code: 'invalid_code',
      })
    }
    for (const steps of [-1, 0, 1]) {
      const { profile } = await second(await signInFirstStep(email), totpCode(secret, steps))
      expect(profile.email).toBe(email)
    }
  })

  test('accepts no code twice, even simultaneously', async () => {
    const { email, secret } = await aTwoStepMember()
    const [one, two] = [await signInFirstStep(email), await signInFirstStep(email)]
    const code = totpCode(secret)
    const both = await Promise.allSettled([second(one, code), second(two, code)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await errorOf(second(await signInFirstStep(email), code))).toMatchObject({ code: 'invalid_code' })
    expect(await errorOf(second(await signInFirstStep(email), totpCode(secret, -1)))).toMatchObject({
      code: 'invalid_code',
    })
  })

  test('accepts each recovery code once, in any format', async () => {
    const { email, recovery_codes } = await aTwoStepMember()
    const [first = '', next = ''] = recovery_codes
    expect((await second(await signInFirstStep(email), ` ${first.toLowerCase()} `)).token).toMatch(/^[\w-]{43}$/)
    expect(await errorOf(second(await signInFirstStep(email), first))).toMatchObject({ code: 'invalid_code' })
    const [one, two] = [await signInFirstStep(email), await signInFirstStep(email)]
    const both = await Promise.allSettled([second(one, next), second(two, next.replace('-', ''))])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('ends after five wrong codes, even for the right one, and after five minutes', async () => {
    const { email, secret, customer_id } = await aTwoStepMember()
    const token = await signInFirstStep(email)
    const codes: string[] = []
    for (let n = 0; n < 5; n++) codes.push((await errorOf(second(token, '000000'))).code)
    expect(codes).toEqual([...Array(4).fill('invalid_code'), 'two_factor_expired'])
    expect(await errorOf(second(token, totpCode(secret)))).toMatchObject({ status: 401, code: 'two_factor_expired' })
    const late = await signInFirstStep(email)
    await pool.ctx.sql`
      update session set expires_at = created_at + interval '5 minutes' - interval '301 seconds'
      where customer_id = ${customer_id} and purpose = 'second_step'`
    expect(await errorOf(second(late, totpCode(secret)))).toMatchObject({ code: 'two_factor_expired' })
  })

  test('counts wrong codes over several sign-ins, even with the right password', async () => {
    const { email, secret } = await aTwoStepMember()
    for (let n = 0; n < 2; n++) {
      const token = await signInFirstStep(email)
      for (let m = 0; m < 5; m++) await errorOf(second(token, '000000'))
    }
    expect(await errorOf(from(membership.signIn, { email, password }))).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('Too many incorrect passwords'),
    })
    await pool.ctx.sql`update sign_in_attempt set at = at - interval '16 minutes'`
    expect((await second(await signInFirstStep(email), totpCode(secret))).token).toMatch(/^[\w-]{43}$/)
  })

  test('ends a token once it was used', async () => {
    const { email, secret } = await aTwoStepMember()
    const token = await signInFirstStep(email)
    await second(token, totpCode(secret))
    later(30)
    expect(await errorOf(second(token, totpCode(secret)))).toMatchObject({ code: 'two_factor_expired' })
  })

  test('is refused if the member was suspended between the steps', async () => {
    const { email, secret, customer_id } = await aTwoStepMember()
    const token = await signInFirstStep(email)
    await pool.ctx.sql`update customer set status = 'suspended' where customer_id = ${customer_id}`
    expect(await errorOf(second(token, totpCode(secret)))).toMatchObject({ code: 'account_suspended' })
  })
})

describe('when it is on', () => {
  test('new recovery codes replace the old ones', async () => {
    const { email, token, recovery_codes } = await aTwoStepMember()
    const renewed = await pool.ask(account.renewRecoveryCodes, { password }, token)
    expect(await errorOf(second(await signInFirstStep(email), recovery_codes[0] ?? ''))).toMatchObject({
      code: 'invalid_code',
    })
    expect((await second(await signInFirstStep(email), renewed.recovery_codes[0] ?? '')).token).toMatch(/^[\w-]{43}$/)
    const { token: sessionWithoutTwoFactor } = await aMember(pool.ctx, { password })
    expect(await errorOf(pool.ask(account.renewRecoveryCodes, { password }, sessionWithoutTwoFactor))).toMatchObject({
      code: 'two_factor_not_enabled',
    })
  })

  test('is turned off with the password, and then the password alone signs in', async () => {
    const { email, token, customer_id } = await aTwoStepMember()
    expect(await errorOf(pool.ask(account.stopTwoStep, { password: 'wrong' }, token))).toMatchObject({
      code: 'incorrect_password',
    })
    await pool.ask(account.stopTwoStep, { password }, token)
    expect((await pool.ask(membership.signIn, { email, password })).profile.has_two_factor).toBe(false)
    const left = await pool.ctx.sql`select 1 from recovery_code where customer_id = ${customer_id}`
    expect(left).toHaveLength(0)
  })

  test('the operator turns it off for a member who lost phone and codes, and the member gets an email', async () => {
    const { email, customer_id } = await aTwoStepMember()
    const { sql, settings } = pool.ctx
    const { emailSender } = settings
    expect(await disableTwoFactorFor(sql, emailSender, 'nobody@example.test')).toBe('unknown')
    expect(await disableTwoFactorFor(sql, emailSender, ` ${email.toUpperCase()}`)).toBe('is_off')
    expect((await pool.ask(membership.signIn, { email, password })).profile.has_two_factor).toBe(false)
    expect(await sql`select 1 from recovery_code where customer_id = ${customer_id}`).toHaveLength(0)
    const emails = await sql<{ subject: string }[]>`
      select subject from outgoing_mail where to_address = ${email} order by mail_id`
    expect(emails.at(-1)?.subject).toBe('Two-factor authentication is off for Dubplate')
    expect(await disableTwoFactorFor(sql, emailSender, email)).toBe('was_off')
  })

  test('a member without a password needs none', async () => {
    const { token, customer_id } = await aMember(pool.ctx)
    await pool.ctx.sql`update customer set password_hash = '!' where customer_id = ${customer_id}`
    const { secret } = await pool.ask(account.startTwoStep, {}, token)
    await pool.ask(account.confirmTwoStep, { code: totpCode(secret) }, token)
    await pool.ask(account.stopTwoStep, {}, token)
  })

  test('many wrong passwords in an open session are rate limited', async () => {
    const { token } = await aMember(pool.ctx, { password })
    for (let n = 0; n < 10; n++) {
      expect((await errorOf(pool.ask(account.stopTwoStep, { password: 'wrong' }, token))).code).toBe(
        'incorrect_password',
      )
    }
    expect((await errorOf(pool.ask(account.stopTwoStep, { password }, token))).code).toBe('rate_limited')
  })

  test('staff cannot turn it off when the pool requires it, and are asked to turn it on', async () => {
    const staff = await aMember(strict.ctx, { password, staff_role: 'admin' })
    expect((await strict.ask(membership.getProfile, {}, staff.token)).profile.two_factor_required).toBe(true)
    const { secret } = await strict.ask(account.startTwoStep, { password }, staff.token)
    await strict.ask(account.confirmTwoStep, { code: totpCode(secret) }, staff.token)
    expect((await strict.ask(membership.getProfile, {}, staff.token)).profile.two_factor_required).toBe(false)
    expect(await errorOf(strict.ask(account.stopTwoStep, { password }, staff.token))).toMatchObject({
      code: 'two_factor_mandatory',
    })
    const member = await aTwoStepMember(strict)
    await strict.ask(account.stopTwoStep, { password }, member.token)
  })
})
