import { joining, membership } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deliverMail, extractToken, findMailTo, type MailServer, openMailServer } from '../../test/mail-server.ts'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { createMailedLink } from './mailed-links.ts'
import { requestPasswordReset, resetPassword } from './recovery.ts'

let pool: TestPool
let server: MailServer
beforeAll(async () => {
  server = await openMailServer()
  pool = await openTestPool({ config: { smtpUrl: server.url, publicUrl: 'https://pool.test' } })
})
beforeEach(async () => {
  await pool.ctx.sql`delete from rate_counter`
  await pool.ctx.sql`delete from outgoing_mail`
  server.mails.length = 0
})
afterAll(() => Promise.all([pool.close(), server.close()]))

const password = 'the first long password'
const another = 'purple turntable 42'

async function mailedToken(email: string): Promise<string> {
  await requestPasswordReset(pool.ctx.sql, email, from('127.0.0.1'))
  await deliverMail(pool.ctx)
  return extractToken(findMailTo(server, email).at(-1), 'reset-password')
}

/** Called directly, because a network is limited per minute. */
const reset = (email: string, token: string, newPassword = another) =>
  resetPassword(pool.ctx, { email, token, password: newPassword })
const signIn = (email: string, submitted: string) => pool.ask(membership.signIn, { email, password: submitted })
const from = (ip: string) => ({ ip, userAgent: 'test' })
const INVALID_LINK_ERROR = { code: 'invalid_reset_link', message: 'This link has expired. Request a new one.' }

test('a member who forgot the password sets a new one with the emailed link, and is notified by email', async () => {
  const { email, token: session } = await aMember(pool.ctx, { password })
  expect(await pool.ask(joining.forgetPassword, { email: email.toUpperCase(), template: 'x', websiteId: 1 })).toEqual(
    {},
  )
  await deliverMail(pool.ctx)
  const [mail] = findMailTo(server, email)
  expect(mail?.text).toContain(`https://pool.test/reset-password#${encodeURIComponent(email)}/`)
  const token = extractToken(mail, 'reset-password')
  const twice = { password: another, confirm_password: another }
  expect(await pool.ask(joining.resetPassword, { email, token, ...twice })).toEqual({})
  expect(await signIn(email, another)).toMatchObject({ profile: { email } })
  expect(await errorOf(signIn(email, password))).toMatchObject({ code: 'invalid_credentials' })
  expect(await errorOf(pool.ask(membership.getProfile, {}, session))).toMatchObject({ code: 'session_expired' })
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email).at(-1)?.subject).toBe('Your Dubplate password was changed')
})

test('refuses a used, expired, foreign or invalid link with the same message', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const other = await aMember(pool.ctx, { password })
  const token = await mailedToken(email)
  await expect(reset(other.email, token)).rejects.toMatchObject(INVALID_LINK_ERROR)
  await expect(reset('nobody@example.test', token)).rejects.toMatchObject(INVALID_LINK_ERROR)
  await expect(reset(email, 'no-such-token')).rejects.toMatchObject(INVALID_LINK_ERROR)
  await reset(email, token)
  await expect(reset(email, token)).rejects.toMatchObject(INVALID_LINK_ERROR)
  const late = await mailedToken(email)
  await pool.ctx.sql`update mailed_link set expires_at = now() - interval '1 second' where used_at is null`
  await expect(reset(email, late)).rejects.toMatchObject(INVALID_LINK_ERROR)
  const rejected = pool.ask(joining.resetPassword, { email, token, password: another, confirm_password: another })
  expect(await errorOf(rejected)).toEqual({ status: 401, ...INVALID_LINK_ERROR })
})

test('a link with another purpose resets nothing', async () => {
  const { email, customer_id } = await aMember(pool.ctx, { password })
  for (const purpose of ['change_address', 'sign_in_elsewhere'] as const) {
    const token = await createMailedLink(pool.ctx.sql, { purpose, customer_id, email, minutes: 60 })
    await expect(reset(email, token)).rejects.toMatchObject(INVALID_LINK_ERROR)
  }
})

test('a new link ends the older one', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const older = await mailedToken(email)
  const newer = await mailedToken(email)
  await expect(reset(email, older)).rejects.toMatchObject(INVALID_LINK_ERROR)
  await reset(email, newer)
})

test('only one of two simultaneous requests with a link sets the password', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const token = await mailedToken(email)
  const both = await Promise.allSettled([reset(email, token), reset(email, token, 'quite another turntable')])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('an easily guessed password is refused, and the link stays valid', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const token = await mailedToken(email)
  await expect(reset(email, token, 'Password2024!')).rejects.toMatchObject({
    code: 'weak_password',
    fields: { password: expect.any(String) },
  })
  await reset(email, token)
})

test('a reset lifts the lock from wrong passwords and cancels an address change someone else had requested', async () => {
  const { email, customer_id } = await aMember(pool.ctx, { password })
  const { sql } = pool.ctx
  for (let n = 0; n < 10; n++) await sql`insert into sign_in_attempt (email, ip) values (${email}, '127.0.0.1')`
  expect(await errorOf(signIn(email, password))).toMatchObject({ code: 'rate_limited' })
  const wanted = await createMailedLink(sql, {
    purpose: 'change_address',
    customer_id,
    email: 'thief@example.test',
    minutes: 60,
  })
  await reset(email, await mailedToken(email))
  await signIn(email, another)
  expect(await errorOf(pool.ask(joining.confirmAddress, { token: wanted }))).toMatchObject({ code: 'link_expired' })
})

test('sends three emails an hour per member and network, and none to an address without an account', async () => {
  const { email } = await aMember(pool.ctx, { password })
  for (let n = 0; n < 5; n++) await requestPasswordReset(pool.ctx.sql, email, from('127.0.0.1'))
  await requestPasswordReset(pool.ctx.sql, 'nobody@example.test', from('127.0.0.1'))
  await deliverMail(pool.ctx)
  expect(server.mails).toHaveLength(3)
  expect(findMailTo(server, email)).toHaveLength(3)
})

test('a stranger’s requests do not use up the member’s emails; twelve an hour are sent in total', async () => {
  const { email } = await aMember(pool.ctx, { password })
  for (let n = 0; n < 20; n++) await requestPasswordReset(pool.ctx.sql, email, from(`2001:db8:0:1::${n + 1}`))
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email)).toHaveLength(3)
  await requestPasswordReset(pool.ctx.sql, email, from('127.0.0.1'))
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email)).toHaveLength(4)
  for (let n = 0; n < 20; n++) await requestPasswordReset(pool.ctx.sql, email, from(`10.0.0.${n + 1}`))
  await deliverMail(pool.ctx)
  expect(findMailTo(server, email)).toHaveLength(12)
})

test.each([
  [
    { password: '', confirm_password: '' },
    { password: 'password cannot be blank!', confirm_password: 'confirm password cannot be blank!' },
  ],
  [{ password: another, confirm_password: 'different' }, { confirm_password: 'password mismatch' }],
])('reports the errors of the new password: %j', async (typed, fields) => {
  const response = await pool.request(joining.resetPassword, { email: 'dj@example.test', token: 'x', ...typed })
  expect(response.statusCode).toBe(400)
  expect(response.json().fields).toEqual(fields)
})

test('refuses an invalid address', async () => {
  const rejected = pool.ask(joining.forgetPassword, { email: 'nobody' })
  expect(await errorOf(rejected)).toMatchObject({ status: 400, message: 'Invalid Email' })
})
