import { randomBytes } from 'node:crypto'
import { operations } from '@dubplate/contract'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueueFor } from '../../test/queue-connections.ts'
import { nextRun } from '../platform/job-queue.ts'

let pool: TestPool
let admin = ''
let jobs: pg.Pool
beforeAll(async () => {
  pool = await openTestPool()
  admin = (await aMember(pool.ctx, { staff_role: 'admin' })).token
  jobs = await openQueueFor(pool.ctx.sql)
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
})

const read = () => pool.ask(operations.getJobs, {}, admin)
const again = (job_id: number) => pool.ask(operations.runJobAgain, { job_id }, admin)
const deleteFailedJob = (job_id: number) => pool.ask(operations.discardJob, { job_id }, admin)

test.each([
  ['* * * * *', '2026-11-21T10:31:00.000Z'],
  ['*/15 * * * *', '2026-11-21T10:45:00.000Z'],
  ['0 3 * * *', '2026-11-22T03:00:00.000Z'],
  ['30 10 * * *', '2026-11-22T10:30:00.000Z'],
  ['0 0 * * 4', '2026-11-26T00:00:00.000Z'],
])('%s runs next at %s', (times, next) => {
  expect(nextRun(times, new Date('2026-11-21T10:30:20Z'))?.toISOString()).toBe(next)
})

test('before the first worker has run, the queue is empty and the schedule is known', async () => {
  const { schedule, jobs, more } = await read()
  expect([jobs, more]).toEqual([[], 0])
  expect(schedule.find(({ task }) => task === 'sweep')).toMatchObject({
    times: '30 3 * * *',
    next_at: expect.stringMatching(/T03:30:00\.000Z$/),
  })
  expect(await errorOf(again(1))).toMatchObject({ status: 404, code: 'unknown_job' })
})

/** Adds a job to the queue in the state a worker leaves it in. */
async function aJob(task: string, options: { attempts?: number; last_error?: string; runs?: boolean } = {}) {
  const { sql } = pool.ctx
  await runMigrations({ pgPool: jobs })
  const [job] = await sql<{ id: number }[]>`select id from graphile_worker.add_job(${task}, run_at => '2026-01-01')`
  const { attempts = 0, last_error = null, runs = false } = options
  await sql`
    update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${last_error},
      locked_at = ${runs ? sql`now()` : null}, locked_by = ${runs ? 'a worker' : null}
    where id = ${job?.id ?? 0}`
  return job?.id ?? 0
}

test('distinguishes waiting, running, failing and failed jobs, those that need attention first', async () => {
  await aJob('waits')
  await aJob('runs', { runs: true })
  await aJob('fails', { attempts: 3, last_error: 'No network.' })
  await aJob('failed', { attempts: 25, last_error: 'Disk full.' })
  const { jobs } = await read()
  expect(jobs.map(({ task, state, last_error }) => [task, state, last_error])).toEqual([
    ['failed', 'failed', 'Disk full.'],
    ['fails', 'failing', 'No network.'],
    ['waits', 'waiting', ''],
    ['runs', 'running', ''],
  ])
})

test('a failed job can be retried with all its attempts, or discarded; both are in the audit log', async () => {
  const [one, other] = [await aJob('again', { attempts: 25, last_error: 'x' }), await aJob('away', { attempts: 25 })]
  await again(one)
  expect((await read()).jobs.find(({ job_id }) => job_id === one)).toMatchObject({ attempts: 0, max_attempts: 25 })
  await deleteFailedJob(other)
  expect((await read()).jobs.some(({ job_id }) => job_id === other)).toBe(false)
  expect(await errorOf(deleteFailedJob(other))).toMatchObject({ status: 404, code: 'unknown_job' })
  const auditEntries = await pool.ctx.sql<{ action: string; subject: string; after: unknown; before: unknown }[]>`
    select action, subject, before, after from audit order by audit_id desc limit 2`
  expect(auditEntries).toEqual([
    { action: 'job discarded', subject: `job ${other}`, before: { task: 'away' }, after: null },
    { action: 'job retried', subject: `job ${one}`, before: null, after: { task: 'again' } },
  ])
})

test('does not change a running job', async () => {
  const job = await aJob('runs now', { runs: true })
  for (const auditEntry of [again, deleteFailedJob])
    expect(await errorOf(auditEntry(job))).toMatchObject({ code: 'unknown_job' })
  expect((await read()).jobs.some(({ job_id }) => job_id === job)).toBe(true)
})

test('lists an upload whose analysis failed with its reason, and analyses it again', async () => {
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  const fault = [{ code: 'analysis_failed', message: 'It broke off three times.', blocks: true }]
  const [upload] = await sql<{ upload_id: number }[]>`
    insert into upload (customer_id, name, bytes, sha256, state, attempts, playable, faults)
    values (${customer_id}, 'killer.mp3', 10, ${Buffer.alloc(32, 7)}, 'failed', 4, false, ${sql.json(fault)})
    returning upload_id`
  const upload_id = upload?.upload_id ?? 0
  expect((await read()).abandoned).toMatchObject([
    { upload_id, name: 'killer.mp3', error_message: 'It broke off three times.', customer: { customer_id } },
  ])
  const once = () => pool.ask(operations.analyseAgain, { upload_id }, admin)
  await once()
  expect((await read()).abandoned).toEqual([])
  expect(await sql`select state, attempts, playable, faults from upload where upload_id = ${upload_id}`).toEqual([
    { state: 'queued', attempts: 0, playable: null, faults: [] },
  ])
  expect(await errorOf(once())).toMatchObject({ status: 404, code: 'unknown_upload' })
})

test('counts waiting, running and failed entries of the queues that have their own tables', async () => {
  const { sql } = pool.ctx
  await sql`truncate upload, outgoing_mail, import_run cascade`
  const { customer_id } = await aMember(pool.ctx)
  const anUpload = (state: string, at: string) => sql`
    insert into upload (customer_id, name, bytes, sha256, state, playable, updated_at)
    values (${customer_id}, 'a.mp3', 10, ${randomBytes(32)}, ${state}, ${state === 'failed' ? false : null}, ${at})`
  await anUpload('queued', '2026-11-20T10:00:00Z')
  await anUpload('queued', '2026-11-20T09:00:00Z')
  await anUpload('running', '2026-11-20T08:00:00Z')
  await anUpload('failed', '2026-11-20T07:00:00Z')
  for (const state of ['waiting', 'sent', 'failed'])
    await sql`
      insert into outgoing_mail (to_address, subject, html, body, owner, state, created_at)
      values ('dj@example.test', 'Welcome', '', '', '', ${state}, '2026-11-19T10:00:00Z')`
  for (const state of ['uploading', 'waiting', 'done'])
    await sql`
      insert into import_run (source, folder, state, updated_at)
      values ('folder', 'promo', ${state}, '2026-11-18T10:00:00Z')`
  expect((await read()).queues).toEqual([
    { queue: 'email', waiting: 1, running: 0, failed: 1, waiting_since: '2026-11-19T10:00:00.000Z' },
    { queue: 'upload_analysis', waiting: 2, running: 1, failed: 1, waiting_since: '2026-11-20T09:00:00.000Z' },
    { queue: 'song_analysis', waiting: 0, running: 0, failed: 0, waiting_since: null },
    { queue: 'import', waiting: 1, running: 0, failed: 0, waiting_since: '2026-11-18T10:00:00.000Z' },
  ])
})
