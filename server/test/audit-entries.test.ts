import type { Endpoint } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { allRoutes, makeApp } from '../src/app.ts'
import { connect, type Pool } from '../src/platform/db.ts'
import { allEndpoints } from './all-endpoints.ts'
import { CATALOGUE_AUDITED, CATALOGUE_NOT_AUDITED } from './staff-catalogue-writes.ts'
import { type MultipartForm, openStaffContext, type StaffContext, sendForm } from './staff-context.ts'
import { READS } from './staff-reads.ts'
import { AUDITED, NOT_AUDITED, type Write } from './staff-writes.ts'

/** Every staff endpoint declares what it leaves in the audit log, and does what it declares. */

const audited = [...AUDITED, ...CATALOGUE_AUDITED]
const notAudited = [...NOT_AUDITED, ...CATALOGUE_NOT_AUDITED]

const READ_ONLY_CONNECTIONS = 5

let context: StaffContext
let readOnlySql: Pool
let readOnlyApp: FastifyInstance
beforeAll(async () => {
  context = await openStaffContext()
  const { ctx } = context.pool
  const [row] = await ctx.sql<{ name: string }[]>`select current_database() as name`
  const database = row?.name ?? ''
  // The setting applies to connections that are opened while it is on.
  await ctx.sql.unsafe(`alter database ${database} set default_transaction_read_only = on`)
  readOnlySql = connect({ socketDir: inject('socketDir'), database }, { max: READ_ONLY_CONNECTIONS })
  const opened = await Promise.all(Array.from({ length: READ_ONLY_CONNECTIONS }, () => readOnlySql.reserve()))
  for (const connection of opened) connection.release()
  await ctx.sql.unsafe(`alter database ${database} reset default_transaction_read_only`)
  readOnlyApp = await makeApp({ ...ctx, sql: readOnlySql })
})
afterAll(async () => {
  await readOnlyApp?.close()
  await readOnlySql?.end()
  await context?.close()
})

const readNewestEntry = async () => {
  const [row] = await context.pool.ctx.sql<{ id: number }[]>`select coalesce(max(audit_id), 0) as id from audit`
  return row?.id ?? 0
}
const listEntriesAfter = (id: number) =>
  context.pool.ctx.sql<{ staff_id: number; action: string; subject: string }[]>`
    select staff_id, action, subject from audit where audit_id > ${id} order by audit_id`

/** Calls an endpoint that writes and returns the audit log entries it left. */
async function recordEntriesOf({ call, input, isForm }: Write) {
  const options = await input(context)
  const before = await readNewestEntry()
  const response = isForm
    ? await sendForm(context, call, options as MultipartForm)
    : await context.pool.request(call, options, context.admin.token)
  expect(response.statusCode, response.body).toBe(200)
  const entries = await listEntriesAfter(before)
  // Staff search for the beginning of a subject, typed in any case.
  for (const { subject } of entries) expect(subject).toBe(subject.toLowerCase())
  return entries
}

const declarationOf = (endpoint: Endpoint) => allRoutes.find((call) => call.endpoint === endpoint)?.audit

const staffEndpoints = allEndpoints.filter(({ access }) => access === 'staff')

test.each(staffEndpoints.map((endpoint) => [endpoint.path, endpoint] as const))(
  '%s declares what it leaves in the audit log, and the lists of this test agree',
  (_path, endpoint) => {
    const isIn = (list: readonly { call: Endpoint }[]) => list.filter(({ call }) => call === endpoint).length === 1
    const declared = declarationOf(endpoint)
    expect(declared, 'Declare it with staffRead, staffWrite or staffWriteInSteps (staff/audit.ts).').toBeDefined()
    expect({ reads: isIn(READS), records: isIn(audited), unrecorded: isIn(notAudited) }).toEqual({
      reads: declared === 'reads',
      records: declared === 'records',
      unrecorded: typeof declared === 'object',
    })
  },
)

test('endpoints that leave nothing in the audit log although they write say why', () => {
  for (const { call } of notAudited)
    expect(declarationOf(call)).toEqual({ unrecorded: expect.stringMatching(/\w+ \w+/) })
})

test.each(audited.map((write) => [write.call.path, write] as const))(
  '%s leaves an audit log entry',
  async (_path, write) => {
    const entries = await recordEntriesOf(write)
    expect(entries.length).toBeGreaterThan(0)
    for (const { staff_id, action, subject } of entries) {
      expect(staff_id).toBe(context.admin.customer_id)
      expect([action, subject]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)])
    }
  },
)

test.each(notAudited.map((write) => [write.call.path, write] as const))(
  '%s leaves no audit log entry',
  async (_path, write) => {
    expect(await recordEntriesOf(write)).toEqual([])
  },
)

/** An endpoint with a rate limit counts its requests in the database, which the read-only application cannot. */
const hasRateLimit = (endpoint: Endpoint) =>
  allRoutes.some((call) => call.endpoint === endpoint && call.perMinute !== undefined)

test.each(READS.map((read) => [read.call.path, read] as const))(
  '%s changes nothing',
  async (_path, { call, input }) => {
    const options = await input(context)
    const before = await readNewestEntry()
    const app = hasRateLimit(call) ? context.pool.app : readOnlyApp
    const response = await app.inject({
      method: call.method,
      url: `/api/${call.path}`,
      payload: options as object,
      headers: { authorization: `Bearer ${context.admin.token}` },
    })
    expect(response.statusCode, response.body).toBe(200)
    expect(await listEntriesAfter(before)).toEqual([])
  },
)
