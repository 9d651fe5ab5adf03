import { account, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { consumeLink, createMailedLink } from './mailed-links.ts'
import { openSession } from './session.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
})
afterAll(() => pool.close())

const old = 'a good long password'
const newPassword = 'vinyl-under-the-stairs-1974'
const change = (token: string, current_password = old, password = newPassword) =>
  pool.ask(account.changePassword, { current_password, password, confirm_password: password }, token)

test('only the new password signs in, and every other session and open link ends', async () => {
  const { customer_id, email, token } = await aMember(pool.ctx, { password: old })
  const other = await openSession(pool.ctx.sql, customer_id, 'member', { ip: '10.0.0.9', userAgent: '' })
  const link = await createMailedLink(pool.ctx.sql, { purpose: 'reset_password', customer_id, email, minutes: 60 })
  const changed = await change(token)
  expect(changed.customerSuccess).toBe('Password successfully changed.')
  expect((await pool.ask(membership.getProfile, {}, changed.token)).profile.email).toBe(email)
  for (const ended of [token, other]) {
    expect(await errorOf(pool.ask(membership.getProfile, {}, ended))).toMatchObject({ code: 'session_expired' })
  }
  expect(await consumeLink(pool.ctx.sql, link, ['reset_password'])).toBeUndefined()
  expect(await errorOf(pool.ask(membership.signIn, { email, password: old }))).toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await pool.ask(membership.signIn, { email, password: newPassword })).token).toMatch(/^[\w-]{43}$/)
  const mails = await pool.ctx.sql`select subject from outgoing_mail where to_address = ${email}`
  expect(mails).toEqual([{ subject: 'Your Dubplate password was changed' }])
})

test('a wrong current password is reported for its field, and many are rate limited', async () => {
  const { token } = await aMember(pool.ctx, { password: old })
  const sentence = 'The current password is incorrect.'
  const submitted = { current_password: 'wrong', password: newPassword, confirm_password: newPassword }
  const response = await pool.request(account.changePassword, submitted, token)
  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({
    code: 'incorrect_password',
    fields: { current_password: sentence },
    data: { customerError: sentence },
  })
  for (let n = 0; n < 9; n++) await errorOf(change(token, 'wrong'))
  expect(await errorOf(change(token))).toMatchObject({ code: 'rate_limited' })
})

test('the messages of the form are those of the specification', async () => {
  const { token } = await aMember(pool.ctx, { password: old })
  const blank = await pool.request(
    account.changePassword,
    { current_password: '', password: '', confirm_password: '' },
    token,
  )
  expect(blank.json().fields).toEqual({
    current_password: 'current password cannot be blank!',
    password: 'password cannot be blank!',
    confirm_password: 'confirm password cannot be blank!',
  })
  const submitted = { current_password: old, password: newPassword, confirm_password: `${newPassword}!` }
  const mismatch = await pool.request(account.changePassword, submitted, token)
  expect(mismatch.json().fields).toEqual({ confirm_password: 'password mismatch' })
})

test('reports the errors of both passwords together', async () => {
  const { token } = await aMember(pool.ctx, { password: old })
  const fieldsOf = async (submitted: object) =>
    (await pool.request(account.changePassword, submitted, token)).json().fields
  expect(
    Object.keys(await fieldsOf({ current_password: '', password: 'password123', confirm_password: 'another' })),
  ).toEqual(['current_password', 'confirm_password', 'password'])
  const wrongInput = { current_password: 'not this one', password: 'password123', confirm_password: 'password123' }
  expect(await fieldsOf(wrongInput)).toEqual({
    current_password: 'The current password is incorrect.',
    password: expect.any(String),
  })
})

test('an incorrect current password is reported and counted alongside other field errors; after too many, no password is compared', async () => {
  const { token } = await aMember(pool.ctx, { password: old })
  const mismatch = { password: newPassword, confirm_password: `${newPassword}!` }
  const fieldsOf = async (current_password: string) =>
    (await pool.request(account.changePassword, { current_password, ...mismatch }, token)).json().fields
  const other = { confirm_password: 'password mismatch' }
  for (let n = 0; n < 10; n++) {
    expect(await fieldsOf('not this one')).toEqual({ ...other, current_password: 'The current password is incorrect.' })
  }
  const locked = { ...other, current_password: 'Too many incorrect passwords. Try again in 15 minutes.' }
  expect(await fieldsOf('not this one')).toEqual(locked)
  expect(await fieldsOf(old)).toEqual(locked)
  const submitted = { current_password: old, password: newPassword, confirm_password: newPassword }
  const response = await pool.request(account.changePassword, submitted, token)
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '900'])
})

test('refuses an easily guessed password and keeps the old one', async () => {
  const { email, token } = await aMember(pool.ctx, { password: old })
  const response = await pool.request(
    account.changePassword,
    { current_password: old, password: 'password123', confirm_password: 'password123' },
    token,
  )
  expect([response.statusCode, response.json().code]).toEqual([422, 'weak_password'])
  expect(Object.keys(response.json().fields)).toEqual(['password'])
  expect((await pool.ask(membership.signIn, { email, password: old })).token).toMatch(/^[\w-]{43}$/)
})

test('a member without a password needs an emailed link to set one', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set password_hash = '!' where customer_id = ${customer_id}`
  expect(await errorOf(change(token, 'anything'))).toMatchObject({ code: 'incorrect_password' })
})
