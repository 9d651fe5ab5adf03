import { account, joining, library, membership, playlists, staff } from '@dubplate/contract'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSignUp, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { queueMail } from '../platform/outbox.ts'
import { findCaller } from './caller.ts'
import { deleteAccount } from './delete-account.ts'
import { addressChangeRequestedEmail, customerReference } from './emails.ts'
import { processMailRequests } from './mail-requests.ts'
import { createMailedLink } from './mailed-links.ts'
import { openSession } from './session.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { smtpUrl: 'smtp://mail.invalid' } })
})
afterAll(() => pool.close())

const password = 'a good long password'
const remove = (token: string) => pool.ask(account.deleteAccount, { password }, token)

/** Unique text that identifies a member and occurs in no other row. */
async function aNamedMember(name: string) {
  const { ctx } = pool
  const member = await aMember(ctx, { password, email: `${name}@example.test` })
  await ctx.sql`
    update customer set dj_name = ${name}, firstname = ${name}, lastname = ${name}, telephone = ${name}, street = ${name},
      city = ${name}, postcode = ${name}, display = ${ctx.sql.json({ notation: 'open', scheme: 'dark', preview_loudness: 'even' })}
    where customer_id = ${member.customer_id}`
  await ctx.sql`update dj_application set comment = ${name} where customer_id = ${member.customer_id}`
  return member
}

/** Creates what staff write and read about a member; emails to them go to their address at the time. */
async function createStaffActivity({ customer_id, email }: { customer_id: number; email: string }, words: string) {
  const { sql } = pool.ctx
  const admin = await aMember(pool.ctx, { staff_role: 'admin' })
  const decideOn = (version: number, decision: 'approve' | 'decline' | 'reopen', reason = '') =>
    pool.ask(staff.decideApplication, { customer_id, version, decision, reason }, admin.token)
  await pool.ask(staff.noteApplication, { customer_id, version: 1, note: words }, admin.token)
  await decideOn(2, 'reopen')
  await decideOn(3, 'decline', words)
  await decideOn(4, 'reopen')
  await decideOn(5, 'approve')
  const mails = await sql<{ mail_id: number }[]>`select mail_id from outgoing_mail where to_address = ${email}`
  expect(mails).toHaveLength(4)
  for (const { mail_id } of mails) await pool.ask(staff.getMail, { mail_id }, admin.token)
  await sql`update customer set staff_role = null where customer_id = ${admin.customer_id}`
}

test('deletes personal data from every table; required records remain without a name', async () => {
  const { ctx } = pool
  const { sql } = ctx
  const member = await aNamedMember('zanzibar')
  await createStaffActivity(member, 'zanzibar plays out')
  const email = 'zanzibar.now@example.test'
  await sql`update customer set email = ${email} where customer_id = ${member.customer_id}`
  const token = await openSession(sql, member.customer_id, 'member', { ip: '127.0.0.1', userAgent: '' })
  const song = await aSong(ctx)
  const [version = 0] = song.versionIds
  const { customer_id } = member
  await pool.ask(library.crateAddRemove, { songId: song.entity_id, versionId: version }, token)
  await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, token)
  await pool.ask(playlists.savePlaylist, { title: 'zanzibar nights' }, token)
  await sql`insert into listen (listen_key, customer_id, song_version_id, entity_id) values ('k', ${customer_id}, ${version}, ${song.entity_id})`
  await sql`insert into download (download_id, customer_id, song_version_id, entity_id) values (1, ${customer_id}, ${version}, ${song.entity_id})`
  await sql`insert into download_grant (customer_id, song_version_id, used, allowed) values (${customer_id}, ${version}, 1, 2)`
  await sql`insert into external_identity (issuer, subject, customer_id) values ('https://id.test', 'zanzibar', ${customer_id})`
  await sql`insert into sign_in_attempt (email, ip) values (${email}, '10.0.0.1')`
  await sql`insert into outgoing_mail (to_address, subject, html, body) values (${email}, 'Hello', '', '')`
  const waiting = 'zanzibar.next@example.test'
  await createMailedLink(sql, { purpose: 'change_address', customer_id, email: waiting, minutes: 60 })
  await queueMail(sql, addressChangeRequestedEmail(ctx.settings.emailSender, waiting, waiting), {
    reference: customerReference(customer_id),
  })
  const { sign_up_id } = await aSignUp(ctx, { email })
  await sql`insert into mail_request (kind, email, ip) values ('recover', ${email}, '10.0.0.1')`
  await sql`insert into mail_request (kind, email, sign_up_id, ip) values ('confirm_sign_up', ${email}, ${sign_up_id}, '10.0.0.1')`
  await pool.ask(account.startTwoStep, { password }, token)

  expect(await errorOf(pool.ask(account.deleteAccount, { password: 'wrong' }, token))).toMatchObject({
    code: 'incorrect_password',
  })
  await remove(token)

  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const named: string[] = []
  for (const { name } of tables) {
    const [found] = await sql`select 1 from ${sql(name)} t where t::text ilike '%zanzibar%'`
    if (found) named.push(name)
  }
  expect(named).toEqual([])
  const left: string[] = []
  const owned = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'customer_id'`
  for (const { name } of owned) {
    const [found] = await sql`select 1 from ${sql(name)} where customer_id = ${customer_id}`
    if (found) left.push(name)
  }
  expect(left.sort()).toEqual(['customer', 'download', 'download_grant'])
  const [row] = await sql`select dj_name, email, status, password_hash from customer where customer_id = ${customer_id}`
  expect(row).toEqual({
    dj_name: 'Former member',
    email: `deleted-${customer_id}@deleted.invalid`,
    status: 'deleted',
    password_hash: '!',
  })
})

test('deletes the emails of the sign-up that became the account, even after an address change', async () => {
  const { ctx } = pool
  const { sql } = ctx
  const email = 'first.address@example.test'
  const emailsToMember = () => sql<{ body: string }[]>`select body from outgoing_mail where to_address = ${email}`
  await pool.ask(joining.signUp, { dj_name: 'Ada', email, password_hash: password })
  await processMailRequests(ctx)
  const [sentMail] = await emailsToMember()
  const [, token = ''] = /confirm#([\w-]+)/.exec(sentMail?.body ?? '') ?? []
  await pool.ask(joining.confirmAddress, { token, password })
  const [member] = await sql<{ customer_id: number }[]>`
    update customer set email = 'second.address@example.test' where email = ${email} returning customer_id`
  const client = { ip: '127.0.0.1', userAgent: '' }
  await remove(await openSession(sql, member?.customer_id ?? 0, 'member', client))
  expect(await emailsToMember()).toEqual([])
})

test('a deleted member is signed out at once, cannot sign in, and can sign up again', async () => {
  const { email, token } = await aMember(pool.ctx, { password })
  await remove(token)
  expect(await errorOf(pool.ask(membership.getProfile, {}, token))).toMatchObject({ code: 'session_expired' })
  expect(await errorOf(pool.ask(membership.signIn, { email, password }))).toMatchObject({
    code: 'invalid_credentials',
  })
  expect((await aMember(pool.ctx, { email })).email).toBe(email)
})

test('the last admin cannot be deleted, even when the last two try at the same time', async () => {
  const admins = [
    await aMember(pool.ctx, { password, staff_role: 'admin' }),
    await aMember(pool.ctx, { password, staff_role: 'admin' }),
  ]
  await aMember(pool.ctx, { staff_role: 'admin', status: 'suspended' })
  const deletionHooks = { ownData: [], deletePicture: async () => {}, cancelPayments: async () => {} }
  const callers = await Promise.all(admins.map(({ token }) => findCaller(pool.ctx, token)))
  const both = await Promise.allSettled(callers.map((caller) => deleteAccount(pool.ctx, caller, deletionHooks)))
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const left = admins[both.findIndex(({ status }) => status === 'rejected')]
  expect(await errorOf(remove(left?.token ?? ''))).toMatchObject({ status: 422, code: 'last_admin' })
  expect((await pool.ask(membership.getProfile, {}, left?.token)).profile.staff_role).toBe('admin')
})

test('deletes the bytes of a picture with its last user, and everything derived from it', async () => {
  const { ctx } = pool
  const picture = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#456' } })
    .webp()
    .toBuffer()
  const { sha256 } = await ctx.storage.putBytes('images', picture)
  const members = [await aMember(ctx, { password }), await aMember(ctx, { password })]
  for (const { customer_id } of members) {
    await ctx.sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
  }
  const shown = async () => (await pool.app.inject({ url: `/images/${sha256}/320.webp` })).statusCode
  expect(await shown()).toBe(200)
  await remove(members[0]?.token ?? '')
  expect(await shown()).toBe(200)
  await remove(members[1]?.token ?? '')
  expect(await shown()).toBe(404)
  expect(await ctx.storage.has('images', sha256)).toBe(false)
})
