import { account, membership, operations } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { type AuditActor, type AuditEntry, recordAudit } from './audit.ts'

let pool: TestPool
let admin: { customer_id: number; token: string }
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from audit`
  admin = await someStaff('Ada Admin')
})

const password = 'a good long password'

async function someStaff(djName: string) {
  const member = await aMember(pool.ctx, { staff_role: 'admin', password })
  await pool.ctx.sql`update customer set dj_name = ${djName} where customer_id = ${member.customer_id}`
  return member
}

const recordEntry = (auditEntry: Partial<AuditEntry & AuditActor> = {}) =>
  recordAudit(pool.ctx.sql, {
    staff_id: admin.customer_id,
    action: 'ticket replied to',
    subject: 'ticket 1001',
    ip: '192.0.2.7',
    ...auditEntry,
  })

const list = (filters: Parameters<typeof ask>[0] = {}) => ask(filters)
const ask = (filters: Omit<Parameters<typeof pool.ask<typeof operations.getAudit>>[1], never>) =>
  pool.ask(operations.getAudit, filters, admin.token)
const listActions = async (filters: Parameters<typeof list>[0]) =>
  (await list(filters)).entries.map(({ action }) => action)

test('an entry has its author, subject, changes and IP address; the newest is first', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set dj_name = 'Mara Voss' where customer_id = ${member.customer_id}`
  await recordEntry()
  await recordEntry({
    action: 'member group changed',
    subject: `customer ${member.customer_id}`,
    before: { group_id: 2 },
    after: { group_id: 3 },
  })
  const { entries: auditEntries, people, actions } = await list()
  expect(auditEntries).toMatchObject([
    {
      action: 'member group changed',
      staff: { customer_id: admin.customer_id, dj_name: 'Ada Admin' },
      subject: `customer ${member.customer_id}`,
      subject_name: 'Mara Voss',
      changes: [{ field: 'group_id', before: '2', after: '3' }],
      ip: '192.0.2.7',
    },
    { action: 'ticket replied to', subject_name: null, changes: [] },
  ])
  expect(people).toEqual([{ customer_id: admin.customer_id, dj_name: 'Ada Admin' }])
  expect(actions).toEqual(['member group changed', 'ticket replied to'])
})

test('filters by staff member, action, subject and time', async () => {
  const other = await someStaff('Otto Other')
  await recordEntry({ action: 'one', subject: 'customer 7' })
  await recordEntry({ action: 'two', subject: 'customer 70', staff_id: other.customer_id })
  await recordEntry({ action: 'three', subject: 'ticket 7' })
  await pool.ctx.sql`update audit set at = '2026-03-31T23:59:59Z' where action = 'one'`
  await pool.ctx.sql`update audit set at = '2026-04-01T00:00:00Z' where action = 'two'`
  expect(await listActions({ staff_id: other.customer_id })).toEqual(['two'])
  expect(await listActions({ action: 'three' })).toEqual(['three'])
  expect(await listActions({ subject: 'customer 7' })).toEqual(['one'])
  expect(await listActions({ subject: 'Customer' })).toEqual(['two', 'one'])
  expect(await listActions({ subject: '%' })).toEqual([])
  const march = { from: { day: 1, month: 3, year: 2026 }, to: { day: 31, month: 3, year: 2026 } }
  expect(await listActions(march)).toEqual(['one'])
  expect(await listActions({ from: { day: 1, month: 4, year: 2026 }, to: null })).toEqual(['three', 'two'])
  const noDay = list({ from: { day: 31, month: 2, year: 2026 } })
  expect(await errorOf(noDay)).toMatchObject({ code: 'invalid_request' })
})

test('a page has fifty entries', async () => {
  for (let n = 0; n < 51; n++) await recordEntry({ subject: `ticket ${n}` })
  const [first, second] = [await list(), await list({ page: 2 })]
  expect([first.entries.length, first.entries[0]?.subject, second.entries.map(({ subject }) => subject)]).toEqual([
    50,
    'ticket 50',
    ['ticket 0'],
  ])
  expect(first.pagination).toEqual({ page: 1, perPageLimit: 50, totalCount: 51 })
})

test('entries remain after the account is deleted', async () => {
  const { token, customer_id } = await someStaff('Gone Admin')
  await recordEntry({ staff_id: customer_id })
  await pool.ask(account.deleteAccount, { password }, token)
  expect((await list()).entries).toMatchObject([{ action: 'ticket replied to', staff: { dj_name: 'Former member' } }])
})

const link = async (filters = {}) => (await pool.ask(operations.getAuditFile, filters, admin.token)).url
const fetchFile = (url: string) => pool.app.inject({ url, remoteAddress: `10.9.${Math.floor(Math.random() * 250)}.1` })

test('exports the same entries as CSV, without formulas in cells', async () => {
  await recordEntry({ action: '=HYPERLINK("http://bad.example")', subject: 'ticket 7', after: { a: 1 } })
  await recordEntry({ action: 'left out', subject: 'customer 1' })
  const response = await fetchFile(await link({ subject: 'ticket 7' }))
  expect(response.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment',
    'cache-control': 'no-store',
  })
  const [names, only, end] = response.body.split('\r\n')
  expect(names).toBe('\ufeffaudit_id,at,staff_id,staff,action,subject,subject_name,changes,ip')
  expect(only).toContain(',Ada Admin,"\'=HYPERLINK(""http://bad.example"")",ticket 7,,a: 1,192.0.2.7')
  expect(end).toBe('')
})

test('filters may have the maximum length in any script', async () => {
  const typed = '録'.repeat(120)
  expect((await fetchFile(await link({ action: typed, subject: typed }))).statusCode).toBe(200)
})

test('exports every entry once, however many there are', async () => {
  await pool.ctx.sql`
    insert into audit (staff_id, action, subject)
    select ${admin.customer_id}, 'many', 'ticket ' || n from generate_series(1, 2500) n`
  const { body } = await fetchFile(await link({ action: 'many' }))
  const lines = body.trimEnd().split('\r\n').slice(1)
  expect([lines.length, new Set(lines).size]).toEqual([2500, 2500])
})

test('records the export, without the search text', async () => {
  await fetchFile(await link({ action: 'one', subject: 'Mara Voss' }))
  expect((await list()).entries).toMatchObject([
    {
      action: 'audit log exported',
      staff: { customer_id: admin.customer_id },
      changes: [{ field: 'action', before: null, after: 'one' }],
    },
  ])
})

test('an export link belongs to one admin: it ends with the session, the role, and after 15 minutes', async () => {
  const url = await link()
  const status = async () => (await fetchFile(url)).statusCode
  expect(await status()).toBe(200)
  expect((await fetchFile(url.replace(/audit\/\d+/, 'audit/1'))).statusCode).toBe(403)
  await pool.ctx.sql`update customer set staff_role = 'support' where customer_id = ${admin.customer_id}`
  expect(await status()).toBe(403)
  await pool.ctx.sql`update customer set staff_role = 'admin' where customer_id = ${admin.customer_id}`
  const now = pool.ctx.now
  pool.ctx.now = () => new Date(Date.now() + 15 * 60_000 + 2000)
  expect(await status()).toBe(410)
  pool.ctx.now = now
  await pool.ask(membership.signOut, {}, admin.token)
  expect(await status()).toBe(410)
})
