import type { Endpoint } from '@dubplate/contract'
import {
  account,
  billing,
  downloads,
  helpdesk,
  library,
  members,
  membership,
  savedSearches,
  uploadedSongs,
  uploads,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allEndpoints } from '../../test/all-endpoints.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'
import { findCallerOrViewer, on } from '../membership/caller.ts'
import { handleViewerCall } from './view-as-member.ts'

let pool: TestPool
let support: Awaited<ReturnType<typeof aMember>>
let dj: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  // With public browsing, lists are served without checking the token.
  pool = await openTestPool({ usesUniqueAddresses: true, settings: { publicBrowsing: false } })
  support = await aMember(pool.ctx, { staff_role: 'support', group_id: 4 })
  dj = await aMember(pool.ctx)
})
afterAll(() => pool.close())

const view = async (customer_id = dj.customer_id, token = support.token) =>
  (await pool.ask(members.viewAs, { customer_id }, token)).token

const codeOf = async (call: Endpoint, input: object, token: string): Promise<string | undefined> =>
  (await pool.request(call, input, token)).json().code

test('shows the site as the member sees it', async () => {
  const song = await aSong(pool.ctx, { title: 'Kept for later' })
  await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, dj.token)
  const token = await view()
  const { profile } = await pool.ask(membership.getProfile, {}, token)
  const { profile: ownProfile } = await pool.ask(membership.getProfile, {}, dj.token)
  expect(ownProfile.viewed_by).toBeNull()
  const [staff] = await pool.ctx.sql`select dj_name from customer where customer_id = ${support.customer_id}`
  expect(profile).toEqual({ ...ownProfile, viewed_by: staff?.dj_name, media_key: profile.media_key })
  const favourites = await pool.ask(library.getFavouriteSongs, {}, token)
  expect(favourites).toEqual({ favouriteSongs: [song.entity_id] })
})

test('rejects every endpoint that could change something; staff endpoints do not exist', async () => {
  const token = await view()
  const answers = new Map<string, string[]>()
  for (const call of allEndpoints) {
    const code = (await codeOf(call, {}, token)) ?? 'shown'
    answers.set(code, [...(answers.get(code) ?? []), call.path])
  }
  const staffCalls = allEndpoints.filter(({ access }) => access === 'staff').map(({ path }) => path)
  expect(answers.get('unknown_endpoint')).toEqual(staffCalls)
  const failMessage = answers.get('read_only_session') ?? []
  for (const call of [account.changePassword, account.deleteAccount, account.exportAccount, helpdesk.replyToTicket])
    expect(failMessage).toContain(call.path)
  const verbs =
    /\/(save-|save\.|change|remove|delete|add|clear|create|update|upload|submit|cancel|resume|pay|confirm|close|end-)/
  const answeredPaths = [...answers]
    .filter(([code]) => !['unknown_endpoint', 'read_only_session'].includes(code))
    .flatMap(([, of]) => of)
  const browsed = allEndpoints.filter(({ access }) => access === 'browse').map(({ path }) => path)
  expect(answeredPaths).toEqual(expect.arrayContaining(browsed))
  expect(answeredPaths.filter((path) => verbs.test(`/${path.split('/')[1]}`))).toEqual([])
})

test('does not show a feed’s URL, which gives permanent access', async () => {
  const member = await aMember(pool.ctx)
  await pool.ask(savedSearches.saveSearch, { name: 'House', query: { searchTerm: 'house' } }, member.token)
  const { searches: own } = await pool.ask(savedSearches.getSearches, {}, member.token)
  expect(own).toMatchObject([{ name: 'House', feed_url: expect.stringContaining('/feeds/search/') }])
  const { searches: seen } = await pool.ask(savedSearches.getSearches, {}, await view(member.customer_id))
  expect(seen).toEqual([{ ...own[0], feed_url: '' }])
})

test('the database stops an endpoint that reads but would also write', async () => {
  const { ctx } = pool
  const caller = await findCallerOrViewer(pool.ctx, await view())
  const writingRoute = on(membership.getProfile, async ({ member, sql }) => {
    await sql.begin((sql) => sql`update customer set dj_name = 'Changed' where customer_id = ${member.customer_id}`)
    throw new Error('It could write.')
  })
  const question = { input: {}, caller, member: caller, request: {} as never }
  const answer = handleViewerCall(ctx, writingRoute, question)
  await expect(answer).rejects.toMatchObject({ code: 'read_only_session' })
})

test('shows staff what is marked as seen when the member opens it', async () => {
  const token = await view()
  await pool.ask(billing.getAgreement, {}, token)
  await pool.ask(uploadedSongs.getUploadedSongs, {}, token)
})

test('a viewer’s token gives no other access: no downloads, no uploads', async () => {
  const song = await aSong(pool.ctx)
  const token = await view()
  const [version = 0] = song.versionIds
  expect(await errorOf(pool.ask(downloads.downloadVersion, { version }, token))).toMatchObject({
    status: 403,
    code: 'read_only_session',
  })
  const sent = await pool.app.inject({
    method: 'POST',
    url: uploads.RESUMABLE_PATH,
    headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', 'upload-length': '4' },
  })
  expect(sent.statusCode).toBe(401)
})

test('what the member reads stays unread when staff view it', async () => {
  const ticket_number = await aTicket(pool, dj.token)
  await pool.ctx.sql`insert into reply (ticket_number, staff_id, by_staff, details)
    values (${ticket_number}, ${support.customer_id}, true, '<p>Try again.</p>')`
  const unread = async () => {
    const { tickets } = await pool.ask(helpdesk.getTickets, { status: 'all' }, dj.token)
    return tickets.find((ticket) => ticket.ticket_number === ticket_number)
  }
  const before = await unread()
  const ticket = await pool.ask(helpdesk.getTicket, { ticket_number }, await view())
  expect(ticket.replies.map(({ details }) => details)).toEqual(['<p>Try again.</p>'])
  expect(await unread()).toEqual(before)
  await pool.ask(helpdesk.getTicket, { ticket_number }, dj.token)
  expect(await unread()).not.toEqual(before)
})

test('records who viewed as which member, and does not appear among the member’s devices', async () => {
  const before = await pool.ask(account.getSessions, {}, dj.token)
  await view()
  expect(await pool.ask(account.getSessions, {}, dj.token)).toEqual(before)
  const [auditEntry] = await pool.ctx.sql`
    select staff_id, action, subject from audit order by audit_id desc limit 1`
  expect(auditEntry).toEqual({
    staff_id: support.customer_id,
    action: 'viewed as member',
    subject: `customer ${dj.customer_id}`,
  })
})

test('nobody can view as staff, as a suspended member, or without the role', async () => {
  const admin = await aMember(pool.ctx, { staff_role: 'admin' })
  const other = await aMember(pool.ctx, { staff_role: 'support' })
  expect((await errorOf(view(other.customer_id))).code).toBe('admin_required')
  expect((await errorOf(view(other.customer_id, admin.token))).code).toBe('cannot_view_as_staff')
  const shutOut = await aMember(pool.ctx, { status: 'suspended' })
  expect((await errorOf(view(shutOut.customer_id))).code).toBe('member_suspended')
  const billing = await aMember(pool.ctx, { staff_role: 'billing' })
  expect((await errorOf(view(dj.customer_id, billing.token))).code).toBe('insufficient_role')
})

test('a view ends when it is closed, when its staff member loses the role, and after 30 minutes', async () => {
  const isEnded = async (token: string) => (await codeOf(membership.getProfile, {}, token)) === 'session_expired'
  const ended = await view()
  expect(await isEnded(ended)).toBe(false)
  await pool.ask(members.endView, {}, support.token)
  expect(await isEnded(ended)).toBe(true)

  const late = await view()
  await pool.ctx.sql`update session set expires_at = expires_at - interval '30 minutes' where purpose = 'viewer'`
  expect(await isEnded(late)).toBe(true)

  const leavingMember = await aMember(pool.ctx, { staff_role: 'support' })
  const formerStaffView = await view(dj.customer_id, leavingMember.token)
  await pool.ctx.sql`update customer set staff_role = null where customer_id = ${leavingMember.customer_id}`
  expect(await isEnded(formerStaffView)).toBe(true)
})
