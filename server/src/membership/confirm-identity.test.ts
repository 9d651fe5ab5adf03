import { account, members, membership, payments, subscriptions } from '@dubplate/contract'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { sweepSessions } from './session.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
})
afterAll(() => pool.close())

const password = 'a good long password'
const anAdmin = () => aMember(pool.ctx, { password, staff_role: 'admin', group_id: 4 })

/** Sets when the member's sessions were opened and confirmed. */
const ageSession = (customerId: number, minutes: number) =>
  pool.ctx.sql`
    update session set confirmed_at = now() - make_interval(mins => ${minutes}) where customer_id = ${customerId}`

/** Returns the response of a risky call for an unknown member: `unknown_member` when the call is allowed. */
const changeRole = async (token: string) => {
  const reply = await pool.request(members.changeRole, { customer_id: 2_000_000, staff_role: 'support' }, token)
  return reply.json() as { code: string; data: unknown }
}

test('staff enter their password again for role changes, refunds and view-as once 10 minutes have passed', async () => {
  const { customer_id, token } = await anAdmin()
  await ageSession(customer_id, 9)
  expect(await changeRole(token)).toMatchObject({ code: 'unknown_member' })
  await ageSession(customer_id, 11)
  const refund = { charge_id: 2_000_000 }
  const view = { customer_id: 2_000_000 }
  expect(await changeRole(token)).toMatchObject({ code: 'confirm_identity', data: { method: 'password' } })
  expect(await errorOf(pool.ask(payments.refundPayment, refund, token))).toMatchObject({
    status: 403,
    code: 'confirm_identity',
  })
  expect(await errorOf(pool.ask(members.viewAs, view, token))).toMatchObject({ code: 'confirm_identity' })

  const wrongPassword = pool.ask(account.confirmIdentity, { password: 'wrong' }, token)
  expect(await errorOf(wrongPassword)).toMatchObject({ code: 'incorrect_password' })
  expect(await changeRole(token)).toMatchObject({ code: 'confirm_identity' })

  expect(await pool.ask(account.confirmIdentity, { password }, token)).toEqual({ minutes: 10 })
  expect(await changeRole(token)).toMatchObject({ code: 'unknown_member' })
  expect(await errorOf(pool.ask(payments.refundPayment, refund, token))).toMatchObject({ code: 'unknown_payment' })
  expect(await errorOf(pool.ask(members.viewAs, view, token))).toMatchObject({ code: 'unknown_member' })
})

test('confirms only this session, and a new sign-in counts as confirmed', async () => {
  const { customer_id, token, email } = await anAdmin()
  await ageSession(customer_id, 11)
  const other = await pool.ask(membership.signIn, { email, password })
  expect(await changeRole(other.token)).toMatchObject({ code: 'unknown_member' })
  expect(await changeRole(token)).toMatchObject({ code: 'confirm_identity' })
})

test('ending a subscription requires it only with a refund', async () => {
  const { customer_id, token } = await anAdmin()
  await ageSession(customer_id, 11)
  const end = async (refund?: string) => {
    const input = { subscription_id: 2_000_000, seen: 'active', reason: 'Asked for it', ...(refund ? { refund } : {}) }
    return (await pool.request(subscriptions.endSubscription, input, token)).json().code
  }
  expect([await end(), await end('1.00')]).toEqual(['unknown_subscription', 'confirm_identity'])
})

test('requires a code with two-factor authentication; the password is not enough, and wrong codes are reported by email', async () => {
  const { customer_id, token, email } = await anAdmin()
  const { secret } = await pool.ask(account.startTwoStep, { password }, token)
  const code = (steps: number) =>
    new TOTP({ secret: secret.replaceAll(' ', '') }).generate({
      timestamp: pool.ctx.now().getTime() + steps * 30_000,
    })
  await pool.ask(account.confirmTwoStep, { code: code(-1) }, token)
  await ageSession(customer_id, 11)
  expect(await changeRole(token)).toMatchObject({ data: { method: 'code' } })
  expect(await errorOf(pool.ask(account.confirmIdentity, { password }, token))).toMatchObject({
    code: 'invalid_code',
  })
  const warnings = async () =>
    (await pool.ctx.sql`select 1 from outgoing_mail where to_address = ${email} and subject like 'Failed sign-ins%'`)
      .length
  for (let n = 2; n <= 4; n++) await errorOf(pool.ask(account.confirmIdentity, { code: 'wrong' }, token))
  expect(await warnings()).toBe(0)
  for (let n = 5; n <= 6; n++) await errorOf(pool.ask(account.confirmIdentity, { code: 'wrong' }, token))
  expect(await warnings()).toBe(1)
  await pool.ask(account.confirmIdentity, { code: code(1) }, token)
  expect(await changeRole(token)).toMatchObject({ code: 'unknown_member' })
})

test('five wrong codes at sign-in are reported to the member by email, once an hour', async () => {
  const { token, email } = await aMember(pool.ctx, { password })
  const { secret } = await pool.ask(account.startTwoStep, { password }, token)
  const code = new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: pool.ctx.now().getTime() })
  await pool.ask(account.confirmTwoStep, { code }, token)
  const enterWrongCodes = async () => {
    const rejected = (await pool.request(membership.signIn, { email, password })).json() as { data: { token: string } }
    const codes: string[] = []
    for (let n = 0; n < 5; n++)
      codes.push((await errorOf(pool.ask(membership.secondStep, { token: rejected.data.token, code: 'wrong' }))).code)
    return codes.at(-1)
  }
  expect([await enterWrongCodes(), await enterWrongCodes()]).toEqual(['two_factor_expired', 'two_factor_expired'])
  const mails = await pool.ctx.sql<{ body: string }[]>`
    select body from outgoing_mail where to_address = ${email} and subject like 'Failed sign-ins%'`
  expect(mails).toHaveLength(1)
  expect(mails[0]?.body).toContain('/account/change-password')
})

test('an account without a password must sign in again', async () => {
  const { customer_id, token } = await anAdmin()
  await pool.ctx.sql`update customer set password_hash = '!' where customer_id = ${customer_id}`
  await ageSession(customer_id, 11)
  expect(await changeRole(token)).toMatchObject({ code: 'confirm_identity', data: { method: 'sign_in' } })
  expect(await errorOf(pool.ask(account.confirmIdentity, { password: '' }, token))).toMatchObject({
    status: 403,
    code: 'sign_in_again',
  })
})

test('a staff session ends after 12 hours without a request, a member’s does not', async () => {
  const [staff, member] = [await anAdmin(), await aMember(pool.ctx)]
  const idle = (hours: number) => pool.ctx.sql`update session set seen_at = now() - make_interval(hours => ${hours})`
  const isSignedIn = async (token: string) => (await pool.request(membership.getProfile, {}, token)).json().code ?? 'in'
  await idle(11)
  expect([await isSignedIn(staff.token), await isSignedIn(member.token)]).toEqual(['in', 'in'])
  await idle(13)
  expect([await isSignedIn(staff.token), await isSignedIn(member.token)]).toEqual(['session_expired', 'in'])
  await sweepSessions(pool.ctx.sql, 12)
  const open = await pool.ctx.sql<{ customer_id: number }[]>`
    select customer_id from session
    where customer_id in (${staff.customer_id}, ${member.customer_id}) and expires_at > now()`
  expect(open.map(({ customer_id }) => customer_id)).toEqual([member.customer_id])
})
