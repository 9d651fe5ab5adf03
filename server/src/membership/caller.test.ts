import { library, membership, site } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSignUp } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { type AccessRules, authorize, findCaller } from './caller.ts'
import { openSession } from './session.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const client = { ip: '127.0.0.1', userAgent: 'test' }

test('someone who signed up is an applicant without a customer', async () => {
  const { email, token, sign_up_id } = await aSignUp(pool.ctx)
  expect(await findCaller(pool.ctx, token)).toMatchObject({
    customer_id: 0,
    sign_up_id,
    purpose: 'applicant',
    email,
    group_id: 1,
    payment_profile_status: 'unpaid',
    staff_role: null,
  })
})

test('they can browse and dismiss an announcement, which is not stored', async () => {
  const { token } = await aSignUp(pool.ctx)
  const [notice] = await pool.ctx.sql<{ message_id: number }[]>`
    insert into announcement (page_name, message) values ('home', 'Hello') returning message_id`
  await pool.ask(site.hideAnnouncement, { message_id: notice?.message_id ?? 0 }, token)
  expect((await pool.ask(site.getAnnouncements, { page_name: 'home' }, token)).announcements).toHaveLength(1)
  expect(await errorOf(pool.ask(library.getCrates, {}, token))).toMatchObject({ status: 403, code: 'forbidden' })
})

test('a token for the second step of a sign-in cannot be used for anything else', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const token = await openSession(pool.ctx.sql, customer_id, 'second_step', client)
  expect(await errorOf(pool.ask(membership.getProfile, {}, token))).toMatchObject({ code: 'session_expired' })
})

test('a deleted member is signed out, even if sessions remain', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set status = 'deleted', deleted_at = now() where customer_id = ${customer_id}`
  expect(await errorOf(pool.ask(library.getCrates, {}, token))).toMatchObject({ code: 'session_expired' })
})

test('stores when a session was last used, every five minutes', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const seenAgo = async () => {
    const [session] = await pool.ctx.sql<{ ago: number }[]>`
      select extract(epoch from now() - seen_at)::float8 as ago from session where customer_id = ${customer_id}`
    return session?.ago
  }
  const setSeen = (minutes: number) => pool.ctx.sql`
    update session set seen_at = now() - make_interval(mins => ${minutes}) where customer_id = ${customer_id}`
  await setSeen(4)
  await pool.ask(membership.getProfile, {}, token)
  expect(await seenAgo()).toBeGreaterThan(200)
  await setSeen(6)
  await pool.ask(membership.getProfile, {}, token)
  expect(await seenAgo()).toBeLessThan(60)
})

test('staff endpoints require one of their roles or admin, and two-factor authentication when mandatory', async () => {
  const caller = async (staff_role: 'support' | 'admin' | 'curator') =>
    findCaller(pool.ctx, (await aMember(pool.ctx, { staff_role })).token)
  const [support, admin, curator] = [await caller('support'), await caller('admin'), await caller('curator')]
  const rules: AccessRules = { publicBrowsing: true, staffTwoStep: 'optional', hidden: new Set() }
  const supportPolicy = { access: 'staff', roles: ['support'] } as const
  expect(() => authorize(supportPolicy, support, rules)).not.toThrow()
  expect(() => authorize(supportPolicy, admin, rules)).not.toThrow()
  expect(() => authorize(supportPolicy, curator, rules)).toThrow('Your role doesn’t have permission to do this.')
  expect(() => authorize({ access: 'staff', roles: [] }, support, rules)).toThrow(
    'Your role doesn’t have permission to do this.',
  )
  expect(() => authorize({ access: 'staff' }, curator, rules)).not.toThrow()
  const required = { ...rules, staffTwoStep: 'required' } as const
  expect(() => authorize(supportPolicy, support, required)).toThrow(/two-factor authentication/)
  expect(() => authorize({ access: 'customer' }, support, required)).not.toThrow()
  await pool.ctx.sql`
    insert into totp (customer_id, secret, confirmed_at) values (${support.customer_id}, 'x', now()), (${admin.customer_id}, 'x', null)`
  const again = await findCaller(pool.ctx, (await openSessionOf(support.customer_id)) ?? '')
  expect(() => authorize(supportPolicy, again, required)).not.toThrow()
  const pending = await findCaller(pool.ctx, (await openSessionOf(admin.customer_id)) ?? '')
  expect(() => authorize(supportPolicy, pending, required)).toThrow(/two-factor authentication/)
})

const openSessionOf = (customerId: number) => openSession(pool.ctx.sql, customerId, 'member', client)

test('the profile contains the pending address, the picture and the display settings', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const { sql } = pool.ctx
  const sha256 = 'ab'.repeat(32)
  await sql`update customer set profile_picture = ${sha256}, firstname = 'Ada' where customer_id = ${customer_id}`
  const link = (email: string, hash: string, used: Date | null, ago: number) => sql`
    insert into mailed_link (token_hash, purpose, customer_id, email, created_at, expires_at, used_at)
    values (${Buffer.from(hash)}, 'change_address', ${customer_id}, ${email}, now() - make_interval(mins => ${ago}),
      now() + interval '1 day', ${used})`
  await link('older@example.test', 'older', null, 9)
  await link('newest@example.test', 'newest', null, 5)
  await link('used@example.test', 'used', new Date(), 1)
  const { profile } = await pool.ask(membership.getProfile, {}, token)
  expect(profile).toMatchObject({
    firstname: 'Ada',
    pending_email: 'newest@example.test',
    profile_picture: `/images/${sha256}/320.webp`,
    display: null,
    has_password: true,
    has_two_factor: false,
    two_factor_required: false,
  })
  expect(profile).not.toHaveProperty('password_hash')
})
