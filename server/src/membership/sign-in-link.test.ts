import { account, joining, members, membership, staff } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { createMailedLink } from './mailed-links.ts'

let pool: TestPool
let support: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({
    config: { smtpUrl: 'smtp://mail.invalid', publicUrl: 'https://pool.test' },
    usesUniqueAddresses: true,
  })
  support = await aMember(pool.ctx, { staff_role: 'support' })
})
beforeEach(() => pool.ctx.sql`delete from rate_counter`)
afterAll(() => pool.close())

const password = 'a good long password'

async function decide(customer_id: number, decision: 'approve' | 'reopen') {
  const [application] = await pool.ctx.sql<{ version: number }[]>`
    select version from dj_application where customer_id = ${customer_id}`
  await pool.ask(staff.decideApplication, { customer_id, decision, version: application?.version ?? 1 }, support.token)
}

/** Returns the token of the link in the newest email to an address. */
async function linkTo(email: string): Promise<string> {
  const [mail] = await pool.ctx.sql<{ body: string }[]>`
    select body from outgoing_mail where to_address = ${email} order by mail_id desc limit 1`
  return /https:\/\/pool\.test\/welcome#([\w-]{43})/.exec(mail?.body ?? '')?.[1] ?? ''
}

/** A member whose application was just approved, with the token of the emailed link. */
async function anApprovedMember() {
  const member = await aMember(pool.ctx, { application: 'pending', password })
  await pool.ctx.sql`update dj_application set return_to = '/song/7' where customer_id = ${member.customer_id}`
  await decide(member.customer_id, 'approve')
  return { ...member, link: await linkTo(member.email) }
}

const open = (token: string) => pool.ask(membership.signInWithLink, { token })
const expectInvalid = async (token: string) =>
  expect(await errorOf(open(token))).toMatchObject({ status: 410, code: 'link_expired' })

test('the link of the approval email signs in once, and returns to the page of the application', async () => {
  const { email, link } = await anApprovedMember()
  const signedIn = await open(link)
  expect(signedIn).toMatchObject({ return_to: '/song/7', profile: { email } })
  expect((await pool.ask(membership.getProfile, {}, signedIn.token)).profile.email).toBe(email)
  await expectInvalid(link)
})

test('signs in only one of two simultaneous requests', async () => {
  const { link } = await anApprovedMember()
  const replies = await Promise.allSettled([open(link), open(link)])
  expect(replies.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('stores no token, and is valid for 24 hours', async () => {
  const { customer_id, link } = await anApprovedMember()
  const { sql } = pool.ctx
  const [row] = await sql<{ row: string; seconds: number }[]>`
    select mailed_link::text as row, extract(epoch from expires_at - created_at)::int as seconds
    from mailed_link where customer_id = ${customer_id}`
  expect(row?.seconds).toBe(24 * 3600)
  expect(row?.row).not.toContain(link)
  await sql`update mailed_link set expires_at = now() where customer_id = ${customer_id}`
  await expectInvalid(link)
})

test.each([
  [
    'the password is changed',
    ({ token }: { token: string }) =>
      pool.ask(
        account.changePassword,
        { current_password: password, password: 'violet tram 77 drummer', confirm_password: 'violet tram 77 drummer' },
        token,
      ),
  ],
  [
    'the password is reset',
    async ({ customer_id, email }: { customer_id: number; email: string }) => {
      const reset = { purpose: 'reset_password', customer_id, email, minutes: 60 } as const
      const token = await createMailedLink(pool.ctx.sql, reset)
      const chosen = 'violet tram 77 drummer'
      await pool.ask(joining.resetPassword, { email, token, password: chosen, confirm_password: chosen })
    },
  ],
  [
    'the email address is changed',
    async ({ customer_id, email }: { customer_id: number; email: string }) => {
      const change = { purpose: 'change_address', customer_id, email: `new-${email}`, minutes: 60 } as const
      await pool.ask(joining.confirmAddress, { token: await createMailedLink(pool.ctx.sql, change) })
    },
  ],
  [
    'the application is reopened and approved again',
    async ({ customer_id }: { customer_id: number }) => {
      await decide(customer_id, 'reopen')
      await decide(customer_id, 'approve')
    },
  ],
])('is invalid after %s', async (_, change) => {
  const member = await anApprovedMember()
  await change(member)
  await expectInvalid(member.link)
})

test('is invalid for a member who was suspended, also after that ends', async () => {
  const { customer_id, link } = await anApprovedMember()
  await pool.ask(members.suspend, { customer_id, reason: 'Shared downloads' }, support.token)
  await pool.ask(members.liftSuspension, { customer_id, reason: 'A mistake' }, support.token)
  await expectInvalid(link)
})

test('still asks for the second factor', async () => {
  const { customer_id, link } = await anApprovedMember()
  await pool.ctx.sql`insert into totp (customer_id, secret, confirmed_at) values (${customer_id}, 'x', now())`
  const { code, data } = (await pool.request(membership.signInWithLink, { token: link })).json()
  expect(code).toBe('two_factor_required')
  const { token } = data as { token: string }
  expect(await errorOf(pool.ask(membership.getProfile, {}, token))).toMatchObject({ status: 401 })
})

test('is not sent to an address that nobody has confirmed, nor is any other decision', async () => {
  const { customer_id, email } = await aMember(pool.ctx, { application: 'pending' })
  await pool.ctx.sql`update customer set email_verified = false where customer_id = ${customer_id}`
  await decide(customer_id, 'approve')
  expect(await pool.ctx.sql`select 1 from outgoing_mail where to_address = ${email}`).toEqual([])
  expect(await pool.ctx.sql`select 1 from mailed_link where customer_id = ${customer_id}`).toEqual([])
})

test.each(['//evil.test', '/\\evil.test', '/\t/evil.test', 'https://evil.test', 'song/7'])(
  'returns to no other site: %j',
  async (return_to) => {
    const { token } = await aMember(pool.ctx, { application: 'none' })
    const response = await pool.request(joining.submitApplication, { referred_by: 'DJ Friend', return_to }, token)
    expect(response.json()).toMatchObject({ code: 'invalid_request' })
  },
)
