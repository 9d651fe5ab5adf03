import { account, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openSession } from './session.ts'
import { describeDevice } from './sessions.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

const openAnotherSession = (customerId: number, userAgent = FIREFOX) =>
  openSession(pool.ctx.sql, customerId, 'member', { ip: '10.0.0.9', userAgent })
const isSignedIn = (token: string) =>
  pool.ask(membership.getProfile, {}, token).then(
    () => true,
    () => false,
  )

test.each([
  [FIREFOX, 'Firefox on Windows'],
  [IPHONE, 'Safari on iOS'],
  ['curl/8.5.0', 'Unknown device'],
  ['', 'Unknown device'],
])('describes %s', (userAgent, words) => {
  expect(describeDevice(userAgent)).toBe(words)
})

test('lists a member’s sessions, the current one first, without pending sign-ins', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  await openAnotherSession(customer_id)
  await openAnotherSession(customer_id, IPHONE)
  await pool.ctx.sql`
    update session set expires_at = now() where customer_id = ${customer_id} and user_agent = ${IPHONE}`
  await openSession(pool.ctx.sql, customer_id, 'second_step', { ip: '10.0.0.8', userAgent: '' })
  const { sessions } = await pool.ask(account.getSessions, {}, token)
  expect(sessions).toMatchObject([
    { here: true, device: 'Unknown device', ip: '127.0.0.1' },
    { here: false, device: 'Firefox on Windows', ip: '10.0.0.9' },
  ])
})

test('ends one session once, and never someone else’s', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const other = await openAnotherSession(customer_id)
  const stranger = await aMember(pool.ctx)
  const { sessions } = await pool.ask(account.getSessions, {}, token)
  const session_id = sessions.find(({ here }) => !here)?.session_id ?? 0
  expect(await errorOf(pool.ask(account.endSession, { session_id }, stranger.token))).toMatchObject({
    status: 404,
    code: 'unknown_session',
  })
  expect(await isSignedIn(other)).toBe(true)
  expect(await pool.ask(account.endSession, { session_id }, token)).toEqual({ ended: 1 })
  expect(await isSignedIn(other)).toBe(false)
  expect(await errorOf(pool.ask(account.endSession, { session_id }, token))).toMatchObject({
    code: 'unknown_session',
  })
})

test('ends all other sessions at once', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const others = [await openAnotherSession(customer_id), await openAnotherSession(customer_id)]
  const stranger = await aMember(pool.ctx)
  expect(await pool.ask(account.endSession, { session_id: null }, token)).toEqual({ ended: 2 })
  expect(await Promise.all([token, stranger.token, ...others].map(isSignedIn))).toEqual([true, true, false, false])
})

test('the display settings follow the member into every browser', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const display = { notation: 'musical', scheme: 'light', preview_loudness: 'even' } as const
  expect(await pool.ask(account.saveDisplay, display, token)).toEqual({ display })
  const { profile } = await pool.ask(membership.getProfile, {}, await openAnotherSession(customer_id))
  expect(profile.display).toEqual(display)
})
