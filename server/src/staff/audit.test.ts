import { endpoint, forCurators } from '@dubplate/contract'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { findLastCaller, type Route } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { reject } from '../platform/error-replies.ts'
import { serveCalls } from '../platform/serve.ts'
import { SharedReplies } from '../platform/shared-replies.ts'
import { staffWrite, staffWriteInSteps } from './audit.ts'
import { insertNote, listNotes } from './notes.ts'

let pool: TestPool
let staff_id: number
let customer_id: number
beforeAll(async () => {
  pool = await openTestPool()
  staff_id = (await aMember(pool.ctx, { staff_role: 'admin' })).customer_id
})
beforeEach(async () => {
  customer_id = (await aMember(pool.ctx)).customer_id
})
afterAll(() => pool.close())

const call = endpoint({
  ...forCurators,
  path: 'staff/test.json',
  summary: 'Writes a note.',
  input: z.object({ text: z.string() }),
  reply: z.object({ notes: z.number() }),
})

const writeNote = (sql: Sql, text: string) => insertNote(sql, { customer_id, staff_id, kind: 'note', text })
const countNotes = async (sql: Sql) => (await listNotes(sql, customer_id)).length

/** Calls the route as staff; returns its status, the audit log entries it left and the number of notes. */
async function tryRoute(route: Route) {
  const { ctx } = pool
  const [newest] = await ctx.sql<{ id: number }[]>`select coalesce(max(audit_id), 0) as id from audit`
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => reject(error, request, reply))
  const caller = await findLastCaller(ctx.sql, staff_id)
  serveCalls(app, [route], {
    ctx,
    findCaller: async () => caller,
    authorize: () => {},
    isPublic: () => false,
    handle: (call, request) => call.handle(ctx, request),
    shared: new SharedReplies(),
    edition: () => 1,
  })
  const response = await app.inject({
    method: 'POST',
    url: '/api/staff/test.json',
    payload: { text: 'Called them.' },
    headers: { authorization: 'Bearer token' },
  })
  await app.close()
  const entries = await ctx.sql<{ staff_id: number; action: string; subject: string }[]>`
    select staff_id, action, subject from audit where audit_id > ${newest?.id ?? 0} order by audit_id`
  return { status: response.statusCode, data: response.json().data, entries, notes: await countNotes(ctx.sql) }
}

const declared = { action: 'note written', subject: ({ text }: { text: string }) => `note ${text.length}` }

test('records the declared entry; a reply function runs after the commit', async () => {
  const result = await tryRoute(
    staffWrite(call, declared, async ({ input, sql, ctx }) => {
      await writeNote(sql, input.text)
      expect(await countNotes(ctx.sql)).toBe(0)
      return { reply: async () => ({ notes: await countNotes(ctx.sql) }) }
    }),
  )
  expect(result).toMatchObject({
    data: { notes: 1 },
    entries: [{ staff_id, action: 'note written', subject: 'note 12' }],
  })
})

test('records one entry for each that the handler returns, with what it adds; none if it returns none', async () => {
  const write = (entries: { action?: string }[]) =>
    tryRoute(staffWrite(call, declared, async () => ({ reply: { notes: 0 }, entries })))
  const { entries } = await write([{}, { action: 'note kept' }])
  expect(entries.map(({ action }) => action)).toEqual(['note written', 'note kept'])
  expect((await write([])).entries).toEqual([])
})

test('a failed write leaves neither a change nor an entry', async () => {
  const failing = staffWrite(call, declared, async ({ input, sql }) => {
    await writeNote(sql, input.text)
    throw new Error('It failed.')
  })
  expect(await tryRoute(failing)).toMatchObject({ status: 500, entries: [], notes: 0 })
  const unrecorded = staffWrite(call, { subject: 'note' }, async ({ input, sql }) => {
    await writeNote(sql, input.text)
    // PostgreSQL cannot store this character, so recording the second entry fails.
    return { reply: { notes: 1 }, entries: [{ action: 'note written' }, { action: '\u0000' }] }
  })
  expect(await tryRoute(unrecorded)).toMatchObject({ status: 400, entries: [], notes: 0 })
})

test('a write that is repeated after a deadlock is recorded once; its checks run once, before it', async () => {
  const steps: string[] = []
  const result = await tryRoute(
    staffWrite(
      call,
      declared,
      async ({ input, sql }) => {
        steps.push('write')
        await writeNote(sql, input.text)
        if (steps.length === 2) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
        return { reply: { notes: await countNotes(sql) } }
      },
      { check: async () => void steps.push('check') },
    ),
  )
  expect(steps).toEqual(['check', 'write', 'write'])
  expect(result).toMatchObject({ data: { notes: 1 }, notes: 1, entries: [{ action: 'note written' }] })
})

test('a write in steps records what was done before it failed', async () => {
  const failing = staffWriteInSteps(call, async ({ input, sql, record }) => {
    await writeNote(sql, input.text)
    await record(sql, { action: 'note written', subject: 'note 1' })
    throw new Error('The next step failed.')
  })
  expect(await tryRoute(failing)).toMatchObject({ status: 500, entries: [{ staff_id, subject: 'note 1' }], notes: 1 })
})
