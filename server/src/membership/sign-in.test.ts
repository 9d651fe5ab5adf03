import { catalogue, library, membership } from '@dubplate/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { measureCpu } from '../../test/cpu.ts'
import { aMember, aSignUp } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { hashingLimiter, verifyPassword } from './password.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { smtpUrl: 'smtp://mail.invalid' } })
})
afterAll(() => pool.close())
afterEach(() => vi.restoreAllMocks())

const password = 'a good long password'
const signIn = (email: string, submitted = password) => pool.ask(membership.signIn, { email, password: submitted })

test('a member signs in with any case of the address, and the token works until they sign out', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const { token, profile } = await signIn(email.toUpperCase())
  expect(profile).toMatchObject({ email, group_id: 2, payment_profile_status: 'paid' })
  expect((await pool.ask(membership.getProfile, {}, token)).profile.email).toBe(email)
  await pool.ask(membership.signOut, {}, token)
  expect(await errorOf(pool.ask(membership.getProfile, {}, token))).toMatchObject({
    status: 401,
    code: 'session_expired',
  })
})

test('a wrong password and an unknown address are refused with the same message', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const wrongPassword = await errorOf(signIn(email, 'another password'))
  const unknown = await errorOf(signIn('nobody@example.test'))
  expect(wrongPassword).toEqual(unknown)
  expect(wrongPassword).toMatchObject({ status: 401, code: 'invalid_credentials' })
})

test('an account without a readable password is refused like any other, and takes equally long', async () => {
  const { email } = await aMember(pool.ctx, { password })
  await pool.ctx.sql`update customer set password_hash = '!' where email = ${email}`
  expect(await errorOf(signIn(email))).toMatchObject({ status: 401, code: 'invalid_credentials' })
  // The least of several measurements: each may contain other work of this process, such as garbage collection.
  const measureCost = async (hash: string | undefined) => {
    const costs: number[] = []
    for (let n = 0; n < 5; n++)
      costs.push(await measureCpu(async () => expect(await verifyPassword(password, hash)).toBe(false)))
    return Math.min(...costs)
  }
  expect(await measureCost('!')).toBeGreaterThan((await measureCost(undefined)) / 5)
})

test('stores only hashes of tokens', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const { token } = await signIn(email)
  const rows = await pool.ctx.sql<{ row: string }[]>`select session::text as row from session`
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(token)
})

test.each([
  ['none', 'dj_application_missing'],
  ['pending', 'dj_application_pending'],
  ['declined', 'dj_application_declined'],
] as const)('refuses a sign-in with the application state “%s”', async (application, code) => {
  const { email } = await aMember(pool.ctx, { password, application })
  expect(await errorOf(signIn(email))).toMatchObject({ status: 401, code })
})

test('without an application, the token can only be used to apply', async () => {
  const { email } = await aMember(pool.ctx, { password, application: 'none' })
  const response = await pool.request(membership.signIn, { email, password })
  expect(response.json().message).toBe('You have not submitted DJ Application.')
  const { token } = response.json().data
  expect(await errorOf(pool.ask(library.getCrates, {}, token))).toMatchObject({ status: 403, code: 'forbidden' })
})

test('a suspended member is told so when signing in, and their open session ends', async () => {
  const member = await aMember(pool.ctx, { password, status: 'suspended' })
  expect(await errorOf(signIn(member.email))).toMatchObject({ code: 'account_suspended' })
  expect(await errorOf(pool.ask(membership.getProfile, {}, member.token))).toMatchObject({ code: 'session_expired' })
})

test('ten wrong passwords block an IP address, but not the member elsewhere', async () => {
  const { email } = await aMember(pool.ctx, { password })
  const from = (remoteAddress: string, submitted: string) =>
    pool.app.inject({
      method: 'POST',
      url: '/api/customer/sign-in.json',
      remoteAddress,
      payload: { email, password: submitted },
    })
  for (let n = 0; n < 10; n++) expect((await from('10.9.8.7', 'wrong')).statusCode).toBe(401)
  const blocked = await from('10.9.8.7', password)
  expect(blocked.statusCode).toBe(429)
  expect(blocked.json()).toMatchObject({ code: 'rate_limited' })
  expect((await from('10.9.8.6', password)).statusCode).toBe(200)
})

test('many sign-ins from one address are rate limited, with the time to wait', async () => {
  const from = () =>
    pool.app.inject({
      method: 'POST',
      url: '/api/customer/sign-in.json',
      remoteAddress: '10.1.1.1',
      payload: { email: 'not an address', password: 'x' },
    })
  for (let n = 0; n < 30; n++) expect((await from()).statusCode).toBe(400)
  const slowed = await from()
  expect(slowed.statusCode).toBe(429)
  expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0)
  expect(slowed.json()).toMatchObject({ code: 'rate_limited', data: null })
})

test('names missing and malformed fields', async () => {
  const response = await pool.request(membership.signIn, { email: 'nobody', password: '' })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    data: null,
    code: 'invalid_request',
    errors: ['Invalid Email', 'Password is required field *'],
    fields: { email: 'Invalid Email', password: 'Password is required field *' },
  })
})

test('an ended token does not prevent browsing what visitors can browse', async () => {
  expect(await pool.ask(catalogue.getNewRelease, {}, 'a-token-from-last-year')).toMatchObject({ songs: [] })
})

test('a declined applicant sees the reason', async () => {
  const member = await aMember(pool.ctx, { password, application: 'declined' })
  await pool.ctx.sql`update dj_application set reason = 'No mixes yet.' where customer_id = ${member.customer_id}`
  expect(await errorOf(signIn(member.email))).toMatchObject({
    status: 401,
    code: 'dj_application_declined',
    message: 'Your DJ application was declined. No mixes yet.',
  })
})

describe('someone who signed up and has not confirmed the address', () => {
  const reply = async (email: string) => {
    const response = await pool.request(membership.signIn, { email, password })
    const { token, ...rest } = response.json().data
    return { status: response.statusCode, token, body: { ...response.json(), data: rest } }
  }

  test.each([
    [false, 'dj_application_missing'],
    [true, 'email_not_verified'],
  ])('can only sign in to apply (applied: %s)', async (applied, code) => {
    const { email } = await aSignUp(pool.ctx, { password, applied })
    const { status, token, body } = await reply(email.toUpperCase())
    expect([status, body.code]).toEqual([401, code])
    expect(await errorOf(pool.ask(membership.getProfile, {}, token))).toMatchObject({ code: 'forbidden' })
  })

  test('gets the same response whether or not the address has an account', async () => {
    const { email } = await aMember(pool.ctx, { password: 'what the owner chose' })
    await aSignUp(pool.ctx, { email, password, applied: true })
    const other = await aSignUp(pool.ctx, { password, applied: true })
    expect((await reply(email)).body).toEqual((await reply(other.email)).body)
  })

  test('is recognised by the newest three unexpired sign-ups of the address', async () => {
    const { email } = await aSignUp(pool.ctx, { password })
    await pool.ctx.sql`update sign_up set created_at = now() - interval '1 hour' where email = ${email}`
    for (let n = 0; n < 2; n++) await aSignUp(pool.ctx, { email })
    expect((await reply(email)).status).toBe(401)
    await aSignUp(pool.ctx, { email })
    expect(await errorOf(signIn(email))).toMatchObject({ code: 'invalid_credentials' })
    const ended = await aSignUp(pool.ctx, { password })
    await pool.ctx.sql`update sign_up set expires_at = now() where sign_up_id = ${ended.sign_up_id}`
    expect(await errorOf(signIn(ended.email))).toMatchObject({ code: 'invalid_credentials' })
    expect(await errorOf(pool.ask(membership.getProfile, {}, ended.token))).toMatchObject({ code: 'session_expired' })
  })
})

test('a wrong password costs the same number of hashes, whatever the address has', async () => {
  const { email: account } = await aMember(pool.ctx, { password })
  const { email: signedUp } = await aSignUp(pool.ctx, { password })
  const { email: both } = await aMember(pool.ctx, { password })
  for (let n = 0; n < 5; n++) await aSignUp(pool.ctx, { email: both })
  const hashings = vi.spyOn(hashingLimiter, 'pass')
  const attemptCounts: number[] = []
  for (const email of ['nobody@example.test', account, signedUp, both]) {
    hashings.mockClear()
    expect(await errorOf(signIn(email, 'wrong'))).toMatchObject({ code: 'invalid_credentials' })
    attemptCounts.push(hashings.mock.calls.length)
  }
  expect(new Set(attemptCounts)).toEqual(new Set([attemptCounts[0]]))
  expect(attemptCounts[0]).toBeGreaterThan(1)
})
