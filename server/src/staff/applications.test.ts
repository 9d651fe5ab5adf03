import { membership, notices, staff } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { version } from '../platform/version.ts'

let pool: TestPool
let support: { customer_id: number; token: string }
let admin: { customer_id: number; token: string }
beforeAll(async () => {
  pool = await openTestPool()
  support = await someStaff('support', 'Sam Support')
  admin = await someStaff('admin', 'Ada Admin')
})
afterAll(() => pool.close())

async function someStaff(role: string, djName: string) {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`
    update customer set staff_role = ${role}, dj_name = ${djName} where customer_id = ${member.customer_id}`
  return member
}

const password = 'a good long password'

/** An applicant with a pending application. */
async function anApplicant(application: { referred_by?: string; dj_website?: string; dj_name?: string } = {}) {
  const member = await aMember(pool.ctx, { application: 'pending', password })
  const { referred_by = '', dj_website = '', dj_name = `Applicant ${member.customer_id}` } = application
  await pool.ctx.sql`
    update dj_application set referred_by = ${referred_by}, dj_website = ${dj_website}
    where customer_id = ${member.customer_id}`
  await pool.ctx.sql`update customer set dj_name = ${dj_name} where customer_id = ${member.customer_id}`
  return { ...member, dj_name }
}

const find = async (customerId: number, state: staff.ApplicationState = 'pending') => {
  const { applications } = await pool.ask(staff.getApplications, { state, page: 1 }, support.token)
  return applications.find(({ customer_id }) => customer_id === customerId)
}

const decide = (
  customer_id: number,
  decision: 'approve' | 'decline' | 'reopen',
  more: { reason?: string; version?: number; token?: string } = {},
) =>
  pool.ask(
    staff.decideApplication,
    { customer_id, decision, reason: more.reason ?? '', version: more.version ?? 1 },
    more.token ?? support.token,
  )

const note = (customer_id: number, note: string, version = 1) =>
  pool.ask(staff.noteApplication, { customer_id, note, version }, support.token)

const mailTo = (email: string) =>
  pool.ctx.sql<{ subject: string; body: string }[]>`
    select subject, body from outgoing_mail where to_address = ${email} order by mail_id`

const auditActionsOn = (customerId: number) =>
  pool.ctx.sql<{ action: string; staff_id: number; before: unknown; after: unknown }[]>`
    select action, staff_id, before, after from audit where subject = ${`customer ${customerId}`} order by audit_id`

test('an application shows its member reference and a safe link', async () => {
  const knows = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set dj_name = 'Mara Voss' where customer_id = ${knows.customer_id}`
  const applicant = await anApplicant({ referred_by: 'mara voss', dj_website: 'soundcloud.com/new-one' })
  expect(await find(applicant.customer_id)).toMatchObject({
    dj_name: applicant.dj_name,
    email: applicant.email,
    referrer: { customer_id: knows.customer_id, dj_name: 'Mara Voss' },
    link: 'https://soundcloud.com/new-one',
    state: 'pending',
    version: 1,
  })
  const stranger = await anApplicant({ referred_by: 'nobody here', dj_website: 'javascript:alert(1)' })
  expect(await find(stranger.customer_id)).toMatchObject({ referrer: null, link: null })
})

test('an approved applicant can sign in and is emailed, and the approval is in the audit log', async () => {
  const { customer_id, email } = await anApplicant()
  expect(await errorOf(pool.ask(membership.signIn, { email, password }))).toMatchObject({
    code: 'dj_application_pending',
  })
  const { application } = await decide(customer_id, 'approve')
  expect(application).toMatchObject({ state: 'approved', decided_by: 'Sam Support', version: 2 })
  expect((await pool.ask(membership.signIn, { email, password })).profile.email).toBe(email)
  expect(await mailTo(email)).toHaveLength(1)
  expect(await auditActionsOn(customer_id)).toMatchObject([
    {
      action: 'application approved',
      staff_id: support.customer_id,
      before: { state: 'pending' },
      after: { state: 'approved' },
    },
  ])
})

test('welcomes an approved member with one notification, however often the application was decided', async () => {
  const { customer_id, email } = await anApplicant()
  await decide(customer_id, 'decline', { reason: 'Too little to hear.' })
  await decide(customer_id, 'reopen', { version: 2 })
  await decide(customer_id, 'approve', { version: 3 })
  const { token } = await pool.ask(membership.signIn, { email, password })
  const { notices: valueSources } = await pool.ask(notices.getNotices, {}, token)
  expect(valueSources).toMatchObject([
    { kind: 'application', text: 'Welcome to Dubplate! Your DJ application has been approved.', address: '/' },
  ])
})

test('a decline needs a reason, which the applicant sees in the email and when signing in', async () => {
  const { customer_id, email } = await anApplicant()
  const response = await pool.request(
    staff.decideApplication,
    { customer_id, decision: 'decline', version: 1, reason: '  ' },
    support.token,
  )
  expect(response.json()).toMatchObject({
    code: 'invalid_request',
    fields: { reason: 'Enter a reason. It will be sent to the applicant.' },
  })
  await decide(customer_id, 'decline', { reason: 'The link leads nowhere.' })
  const [sentMail] = await mailTo(email)
  expect(sentMail?.body).toContain('The link leads nowhere.')
  const rejection = await errorOf(pool.ask(membership.signIn, { email, password }))
  expect(rejection).toMatchObject({ code: 'dj_application_declined' })
  expect(rejection.message).toContain('The link leads nowhere.')
})

test('of two simultaneous decisions one succeeds; the other error says who decided and what', async () => {
  const { customer_id, email } = await anApplicant()
  const answers = await Promise.allSettled([
    decide(customer_id, 'approve'),
    decide(customer_id, 'decline', { reason: 'No.', token: admin.token }),
  ])
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await mailTo(email)).toHaveLength(1)
  expect(await auditActionsOn(customer_id)).toHaveLength(1)
  const late = await pool.request(
    staff.decideApplication,
    { customer_id, decision: 'approve', reason: '', version: 1 },
    support.token,
  )
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({ code: 'already_decided', data: { application: { customer_id, version: 2 } } })
  expect(late.json().message).toMatch(
    /^(Sam Support approved|Ada Admin declined) this application since you opened it\./,
  )
})

test('reversing an approval prevents signing in again, and sends an email', async () => {
  const { customer_id, email } = await anApplicant()
  await decide(customer_id, 'approve')
  const { token } = await pool.ask(membership.signIn, { email, password })
  const { application } = await decide(customer_id, 'reopen', { version: 2 })
  expect(application).toMatchObject({ state: 'pending', decided_at: null, decided_by: null, version: 3 })
  expect((await errorOf(pool.ask(membership.getProfile, {}, token))).code).toBe('session_expired')
  expect(await mailTo(email)).toHaveLength(2)
  await decide(customer_id, 'decline', { reason: 'After all.', version: 3 })
  expect(await find(customer_id, 'declined')).toMatchObject({ reason: 'After all.' })
})

test.each([0, 1.5, -1, 3_000_000_000, 'one', null])(
  '%j is not a version, which is a whole number above zero',
  async (version) => {
    const fields = { customer_id: 1, decision: 'approve', reason: '', version }
    const response = await pool.request(staff.decideApplication, fields, support.token)
    expect([response.statusCode, response.json().fields]).toEqual([
      400,
      { version: 'version must be a positive integer.' },
    ])
  },
)

test('rejects a decision that does not fit the state, and an unknown application', async () => {
  const { customer_id } = await anApplicant()
  expect((await errorOf(decide(customer_id, 'reopen'))).code).toBe('already_decided')
  expect(await errorOf(decide(999_999, 'approve'))).toMatchObject({ status: 404, code: 'unknown_application' })
})

test('a note is visible to staff and survives decisions', async () => {
  const { customer_id } = await anApplicant()
  await note(customer_id, 'Met at the fair.')
  const { application } = await decide(customer_id, 'approve', { version: 2, token: admin.token })
  expect(application).toMatchObject({ note: 'Met at the fair.', decided_by: 'Ada Admin' })
  expect(await errorOf(note(999_999, ''))).toMatchObject({ code: 'unknown_application' })
})

test('the second of two simultaneous notes gets the first one, and a decision needs the latest version', async () => {
  const { customer_id } = await anApplicant()
  expect((await note(customer_id, 'Met at the fair.')).application).toMatchObject({ version: 2 })
  const stale = { customer_id, note: 'Never heard of.', version: 1 }
  const late = await pool.request(staff.noteApplication, stale, admin.token)
  expect(late.statusCode).toBe(409)
  expect(late.json()).toMatchObject({
    code: 'already_decided',
    message: 'Someone updated this application since you opened it. Reload before you decide.',
    data: { application: { note: 'Met at the fair.', version: 2 } },
  })
  expect(await errorOf(decide(customer_id, 'approve'))).toMatchObject({ code: 'already_decided' })
})

test('searches applications by the beginnings of words in name and email address, oldest first', async () => {
  const first = await anApplicant({ dj_name: '100% Vinyl Sven' })
  const second = await anApplicant({ dj_name: '100% Vinyl Una' })
  await anApplicant({ dj_name: '1000 Records' })
  await pool.ctx.sql`
    update dj_application set applied_at = now() - interval '2 days' where customer_id = ${second.customer_id}`
  const search = (search: string) =>
    pool.ask(staff.getApplications, { state: 'pending', search, page: 1 }, support.token)
  const { applications, counts, pagination } = await search('100% v')
  expect(applications.map(({ customer_id }) => customer_id)).toEqual([second.customer_id, first.customer_id])
  expect(counts).toEqual({ pending: 2, approved: 0, declined: 0 })
  expect(pagination.totalCount).toBe(2)
  expect((await search(first.email.toUpperCase())).applications).toHaveLength(1)
})

test('the dashboard counts pending applications', async () => {
  const before = await pool.ask(staff.getDashboard, {}, support.token)
  await anApplicant()
  const after = await pool.ask(staff.getDashboard, {}, support.token)
  expect(after.applications_pending).toBe(before.applications_pending + 1)
  expect(after.program).toEqual(version)
})

test('admins can read emails, and reading is in the audit log', async () => {
  const { customer_id, email } = await anApplicant()
  await decide(customer_id, 'approve')
  const { mails, is_sent } = await pool.ask(staff.getOutgoingMail, { state: 'waiting', page: 1 }, admin.token)
  expect(is_sent).toBe(false)
  const mail = mails.find(({ to }) => to === email)!
  const read = await pool.ask(staff.getMail, { mail_id: mail.mail_id }, admin.token)
  expect(read.mail.text).toContain(pool.ctx.settings.poolName)
  const [auditEntry] = await pool.ctx.sql<{ action: string; staff_id: number }[]>`
    select action, staff_id from audit where subject = ${`mail ${mail.mail_id}`}`
  expect(auditEntry).toEqual({ action: 'email viewed', staff_id: admin.customer_id })
  expect((await errorOf(pool.ask(staff.getMail, { mail_id: 999_999 }, admin.token))).code).toBe('unknown_email')
  const again = pool.ask(staff.sendMailAgain, { mail_id: mail.mail_id }, admin.token)
  expect((await errorOf(again)).code).toBe('mail_not_configured')
})
