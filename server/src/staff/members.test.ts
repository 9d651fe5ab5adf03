import { account, members, membership, type StaffRole } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { suspendMember } from '../membership/account-status.ts'

let pool: TestPool
let support: { customer_id: number; token: string }
let admin: { customer_id: number; token: string }
beforeAll(async () => {
  pool = await openTestPool()
  support = await someStaff('support', 'Sam Support')
  admin = await someStaff('admin', 'Ada Admin')
})
afterAll(() => pool.close())

const password = 'a good long password'

async function someStaff(role: StaffRole, djName: string) {
  const member = await aMember(pool.ctx, { staff_role: role, group_id: 4, password })
  await name(member.customer_id, djName)
  return member
}

const name = (customerId: number, djName: string) =>
  pool.ctx.sql`update customer set dj_name = ${djName} where customer_id = ${customerId}`

async function aNamed(djName: string, params: Parameters<typeof aMember>[1] = {}) {
  const member = await aMember(pool.ctx, { password, ...params })
  await name(member.customer_id, djName)
  return member
}

const find = async (search: string, token = support.token) =>
  (await pool.ask(members.getMembers, { search }, token)).members.map(({ dj_name }) => dj_name)

const read = (customer_id: number, token = support.token) => pool.ask(members.getMember, { customer_id }, token)

const auditActionsOn = (customerId: number) =>
  pool.ctx.sql<{ action: string; staff_id: number; before: unknown; after: unknown }[]>`
    select action, staff_id, before, after from audit where subject = ${`customer ${customerId}`} order by audit_id`

const isSignedIn = (token: string) =>
  pool.ask(membership.getProfile, {}, token).then(
    () => true,
    () => false,
  )

test('finds members by the beginnings of the words of their name and email address, and by number', async () => {
  const one = await aNamed('Kwame O’Neil-Brown', { email: 'kwame.brown+pool@vinyl.example' })
  await aNamed('Kwesi Brown', { email: 'someone@else.example' })
  await aNamed('★☆')
  expect(await find('kwam')).toEqual(['Kwame O’Neil-Brown'])
  expect(await find('brown')).toEqual(['Kwesi Brown', 'Kwame O’Neil-Brown'])
  expect(await find('BRO kwam')).toEqual(['Kwame O’Neil-Brown'])
  expect(await find('kwame.brown+pool@vinyl.example')).toEqual(['Kwame O’Neil-Brown'])
  expect(await find(`#${one.customer_id}`)).toContain('Kwame O’Neil-Brown')
  expect(await find(String(one.customer_id))).toContain('Kwame O’Neil-Brown')
  expect(await find('☆')).toEqual(['★☆'])
  expect(await find("' | !x:* & \\ %")).toEqual([])
})

test('an exact email address comes before members who only share its words', async () => {
  await aNamed('Exact', { email: 'nova@exact.example' })
  await aNamed('Nova Exact Example')
  expect(await find('nova@exact.example')).toEqual(['Exact', 'Nova Exact Example'])
})

test('the list shows each member’s state, and counts the matches in each state', async () => {
  await aNamed('Zeta Paid')
  await aNamed('Zeta Unpaid', { payment_profile_status: 'unpaid' })
  await aNamed('Zeta Suspended', { status: 'suspended', application: 'none' })
  const { counts, members: found } = await pool.ask(members.getMembers, { search: 'zeta' }, support.token)
  expect(counts).toEqual({ all: 3, paid: 2, unpaid: 1, suspended: 1, staff: 0 })
  expect(found).toMatchObject([
    { dj_name: 'Zeta Suspended', status: 'suspended', application: null, staff_role: null },
    { dj_name: 'Zeta Unpaid', payment_profile_status: 'unpaid', application: 'approved' },
    { dj_name: 'Zeta Paid', group: { group_id: 2, name: 'Downloading member' } },
  ])
  expect(Date.now() - Date.parse(found[0]?.last_seen_at ?? '')).toBeLessThan(60_000)
  const only = await pool.ask(members.getMembers, { search: 'zeta', state: 'suspended' }, support.token)
  expect([only.members.length, only.pagination.totalCount]).toEqual([1, 1])
})

test('a member who deleted their account is only found by number', async () => {
  const { customer_id, token } = await aNamed('Gone Girl')
  await pool.ask(account.deleteAccount, { password }, token)
  expect(await find('former')).toEqual([])
  expect(await find(String(customer_id))).toContain('Former member')
  expect((await read(customer_id)).member.status).toBe('deleted')
  expect(await errorOf(suspend(customer_id))).toMatchObject({ status: 404, code: 'unknown_member' })
})

test('a member’s page has everything about them', async () => {
  const { ctx } = pool
  const member = await aNamed('Whole Member')
  const song = await aSong(ctx)
  await ctx.sql`
    update customer set firstname = 'Wanda', lastname = 'Whole', street = 'Main St 1', city = 'Köln', country_id = 'DE'
    where customer_id = ${member.customer_id}`
  await ctx.sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at) values
      (nextval('download_id'), ${member.customer_id}, ${song.versionIds[0] ?? 0}, ${song.entity_id}, now()),
      (nextval('download_id'), ${member.customer_id}, ${song.versionIds[0] ?? 0}, ${song.entity_id}, now() - interval '40 days')`
  await ctx.sql`
    insert into ticket (customer_id, department_id, priority_id, subject, details)
    values (${member.customer_id}, 1, 1, 'No sound', '<p>None</p>')`
  const page = await read(member.customer_id)
  expect(page.member).toMatchObject({ name: 'Wanda Whole', address: 'Main St 1, Köln, DE', has_two_factor: false })
  expect(page.member.application).toMatchObject({ state: 'approved' })
  expect(page.sessions).toMatchObject([{ device: 'Unknown device', ip: '127.0.0.1' }])
  expect(page.downloads).toMatchObject({ total: 2, lately: 1, newest: [{ title: song.title, limit: 2 }, {}] })
  expect(page.tickets).toMatchObject({ open: 1, total: 1, newest: [{ subject: 'No sound', status: 'open' }] })
  expect([page.uploads, page.agreement, page.audit_entries]).toEqual([{ files: 0, songs: 0, newest: [] }, null, []])
  expect(page.groups.map(({ name }) => name)).toEqual(['Visitor', 'Downloading member', 'Label', 'Staff'])
  expect(await errorOf(read(999_999))).toMatchObject({ status: 404, code: 'unknown_member' })
})

test('changing the group changes their rights at once, and is recorded with the previous group', async () => {
  const { customer_id, token } = await aNamed('Group Member')
  const put = (group_id: number) => pool.ask(members.changeGroup, { customer_id, group_id }, support.token)
  expect((await put(3)).member.group).toEqual({ group_id: 3, name: 'Label' })
  expect((await pool.ask(membership.getProfile, {}, token)).profile.group_id).toBe(3)
  await put(3)
  expect(await auditActionsOn(customer_id)).toEqual([
    {
      action: 'member group changed',
      staff_id: support.customer_id,
      before: { group: 'Downloading member' },
      after: { group: 'Label' },
    },
  ])
  expect(await errorOf(put(99))).toMatchObject({ status: 404, code: 'unknown_group' })
})

const suspend = (customer_id: number, { reason = 'Shares files.', token = support.token } = {}) =>
  pool.ask(members.suspend, { customer_id, reason }, token)
const lift = (customer_id: number, reason = '') =>
  pool.ask(members.liftSuspension, { customer_id, reason }, support.token)

test('a suspended member is signed out everywhere and cannot sign in until it is lifted', async () => {
  const { customer_id, email, token } = await aNamed('Suspended Member')
  expect((await suspend(customer_id)).member.status).toBe('suspended')
  expect(await isSignedIn(token)).toBe(false)
  expect(await errorOf(pool.ask(membership.signIn, { email, password }))).toMatchObject({ code: 'account_suspended' })
  expect(await errorOf(suspend(customer_id))).toMatchObject({ status: 409, code: 'conflict' })
  await lift(customer_id)
  expect((await pool.ask(membership.signIn, { email, password })).profile.email).toBe(email)
  expect(await isSignedIn(token)).toBe(false)
  expect(await errorOf(lift(customer_id))).toMatchObject({ code: 'conflict' })
})

test('the reason of a suspension is stored with its author; the audit log has no text about members', async () => {
  const { customer_id } = await aNamed('Reasoned Member')
  const blank = await pool.request(members.suspend, { customer_id, reason: '  ' }, support.token)
  expect([blank.statusCode, blank.json().code]).toEqual([400, 'invalid_request'])
  await suspend(customer_id, { reason: 'Sells files on.' })
  await lift(customer_id, 'It was their cousin.')
  const { notes } = await read(customer_id)
  expect(notes).toMatchObject([
    { kind: 'lifted', text: 'It was their cousin.', by: { dj_name: 'Sam Support' } },
    { kind: 'suspended', text: 'Sells files on.' },
  ])
  const auditEntries = await auditActionsOn(customer_id)
  expect(auditEntries.map(({ action }) => action)).toEqual(['member suspended', 'member suspension lifted'])
  expect(JSON.stringify(auditEntries)).not.toMatch(/Sells|cousin|Reasoned/)
  const note = pool.ask(members.removeNote, { staff_note_id: notes[1]?.staff_note_id ?? 0 }, admin.token)
  expect(await errorOf(note)).toMatchObject({ code: 'unknown_note' })
})

test('ends all of a member’s sessions, and records how many there were', async () => {
  const { customer_id, email, token } = await aNamed('Everywhere Member')
  const other = await pool.ask(membership.signIn, { email, password })
  expect(await pool.ask(members.signOutEverywhere, { customer_id }, support.token)).toEqual({ ended: 2 })
  expect(await Promise.all([token, other.token].map(isSignedIn))).toEqual([false, false])
  expect(await auditActionsOn(customer_id)).toMatchObject([{ after: { sessions_ended: 2 } }])
  const own = await someStaff('admin', 'Own Admin')
  await pool.ask(members.signOutEverywhere, { customer_id: own.customer_id }, own.token)
  expect(await isSignedIn(own.token)).toBe(true)
  await pool.ctx.sql`update customer set staff_role = null where customer_id = ${own.customer_id}`
})

test('only admins can change members of staff, and nobody can suspend themself', async () => {
  const curator = await someStaff('curator', 'Cora Curator')
  const { customer_id } = curator
  const auditEntries = [
    () => pool.ask(members.changeGroup, { customer_id, group_id: 2 }, support.token),
    () => suspend(customer_id),
    () => pool.ask(members.signOutEverywhere, { customer_id }, support.token),
  ]
  for (const auditEntry of auditEntries)
    expect(await errorOf(auditEntry())).toMatchObject({ status: 403, code: 'admin_required' })
  expect([await auditActionsOn(customer_id), await isSignedIn(curator.token)]).toEqual([[], true])
  expect(await errorOf(suspend(admin.customer_id, { token: admin.token }))).toMatchObject({
    code: 'cannot_suspend_self',
  })
  expect((await suspend(customer_id, { token: admin.token })).member.status).toBe('suspended')
})

const makeRole = (customer_id: number, staff_role: StaffRole | null, token = admin.token) =>
  pool.ask(members.changeRole, { customer_id, staff_role }, token)

test('a new member of staff gets access at once; a former one is signed out and needs an approved application again', async () => {
  const { customer_id, email, token } = await aNamed('Rising Member', { application: 'none' })
  expect((await makeRole(customer_id, 'support')).member.staff_role).toBe('support')
  expect(await find('rising', token)).toEqual(['Rising Member'])
  await makeRole(customer_id, null)
  expect(await isSignedIn(token)).toBe(false)
  expect(await errorOf(pool.ask(membership.signIn, { email, password }))).toMatchObject({
    code: 'dj_application_missing',
  })
  expect(await auditActionsOn(customer_id)).toMatchObject([
    { action: 'member role changed', before: { staff_role: null }, after: { staff_role: 'support' } },
    { before: { staff_role: 'support' }, after: { staff_role: null } },
  ])
  await suspend(customer_id)
  expect(await errorOf(makeRole(customer_id, 'billing'))).toMatchObject({ code: 'member_suspended' })
})

test('the last admin cannot be removed, also if two remove each other at once', async () => {
  expect(await errorOf(makeRole(admin.customer_id, 'billing'))).toMatchObject({ code: 'last_admin' })
  // Like a request that arrived while its sender was still an admin.
  const late = pool.ctx.sql.begin((sql) => suspendMember(sql, admin.customer_id))
  await expect(late).rejects.toMatchObject({ code: 'last_admin' })
  for (let round = 0; round < 2; round++) {
    const other = await someStaff('admin', 'Other Admin')
    const answers = await Promise.allSettled([
      makeRole(other.customer_id, null),
      makeRole(admin.customer_id, null, other.token),
    ])
    const [excluded] = await pool.ctx.sql<{ n: number }[]>`
      select count(*)::int as n from customer where staff_role = 'admin' and status = 'active'`
    expect(excluded?.n).toBe(1)
    expect(answers.some(({ status }) => status === 'rejected')).toBe(true)
    await pool.ctx.sql`update customer set staff_role = null where customer_id = ${other.customer_id}`
    await pool.ctx.sql`update customer set staff_role = 'admin' where customer_id = ${admin.customer_id}`
    admin = { ...admin, ...(await again(admin.customer_id)) }
  }
})

async function again(customerId: number) {
  const rows = await pool.ctx.sql<{ email: string }[]>`select email from customer where customer_id = ${customerId}`
  const { token } = await pool.ask(membership.signIn, { email: rows[0]?.email ?? '', password })
  return { token }
}

test('two simultaneous suspensions of a member have one effect', async () => {
  const { customer_id } = await aNamed('Twice Member')
  const answers = await Promise.allSettled([suspend(customer_id), suspend(customer_id, { token: admin.token })])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await read(customer_id)).notes).toHaveLength(1)
})

test('a note is visible to staff, included in the member’s data export, and can be deleted by its author or an admin', async () => {
  const { customer_id, token } = await aNamed('Noted Member')
  const writeNote = (text: string, by = support.token) => pool.ask(members.writeNote, { customer_id, text }, by)
  await writeNote('Plays at the harbour on Fridays.')
  const { notes } = await writeNote('Calls on Mondays.', admin.token)
  expect(notes.map(({ text }) => text)).toEqual(['Calls on Mondays.', 'Plays at the harbour on Fridays.'])
  const [byAdmin = 0, bySupport = 0] = notes.map(({ staff_note_id }) => staff_note_id)
  const remove = (staff_note_id: number, by: string) => pool.ask(members.removeNote, { staff_note_id }, by)
  expect(await errorOf(remove(byAdmin, support.token))).toMatchObject({ status: 403, code: 'admin_required' })
  await remove(bySupport, support.token)
  expect(await errorOf(remove(bySupport, admin.token))).toMatchObject({ status: 404, code: 'unknown_note' })
  expect(await errorOf(writeNote('Mine.', token))).toMatchObject({ code: 'unknown_endpoint' })
  await pool.ask(account.deleteAccount, { password }, token)
  expect(await pool.ctx.sql`select 1 from staff_note where customer_id = ${customer_id}`).toHaveLength(0)
})

test('billing staff can read members, and change nothing', async () => {
  const billing = await someStaff('billing', 'Bill Billing')
  const { customer_id } = await aNamed('Read Member')
  expect((await read(customer_id, billing.token)).member.dj_name).toBe('Read Member')
  expect(await errorOf(suspend(customer_id, { token: billing.token }))).toMatchObject({ code: 'insufficient_role' })
})
