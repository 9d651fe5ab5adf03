import { runMigrations } from 'graphile-worker'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueueFor } from '../../test/queue-connections.ts'
import { releaseJobsOfKilledWorkers, trackSteadiness } from './heartbeat.ts'
import { listQueue } from './job-queue.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  const jobs = await openQueueFor(pool.ctx.sql)
  await runMigrations({ pgPool: jobs })
  await jobs.end()
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from worker_heartbeat`
  await pool.ctx.sql`delete from graphile_worker._private_jobs`
})

/** Adds a job that a worker has been running for some time. */
async function aRunningJob({ worker, seconds, attempts = 1 }: { worker: string; seconds: number; attempts?: number }) {
  const { sql } = pool.ctx
  const [job] = await sql<{ id: number }[]>`
    select id from graphile_worker.add_job('send_digests', queue_name => 'digests', max_attempts => 2)`
  await sql`
    update graphile_worker._private_jobs set attempts = ${attempts}, locked_by = ${worker},
      locked_at = now() - make_interval(secs => ${seconds})
    where id = ${job?.id ?? 0}`
  await sql`
    update graphile_worker._private_job_queues set locked_by = ${worker}, locked_at = now() where queue_name = 'digests'`
}

async function aHeartbeat({ seconds = 0, ids }: { seconds?: number; ids: string[] | null }) {
  await pool.ctx.sql`
    insert into worker_heartbeat (worker_id, host, process_id, started_at, seen_at, queue_worker_ids)
    values (gen_random_uuid(), 'pool-1', 7, now(), now() - make_interval(secs => ${seconds}), ${ids})`
}

const release = () => releaseJobsOfKilledWorkers(pool.ctx.sql)
const states = async () => (await listQueue(pool.ctx.sql, 10)).jobs.map(({ state }) => state)
const lockedQueues = () =>
  pool.ctx.sql`select 1 from graphile_worker._private_job_queues where locked_at is not null`.then(
    (rows) => rows.length,
  )

test('a job of a killed worker runs again, and so does the rest of its queue', async () => {
  await aRunningJob({ worker: 'killed', seconds: 120 })
  await aHeartbeat({ seconds: 90, ids: ['killed'] })
  await aHeartbeat({ ids: ['alive'] })
  expect([await states(), await lockedQueues()]).toEqual([['running'], 1])
  expect(await release()).toEqual(['send_digests'])
  expect([await states(), await lockedQueues()]).toEqual([['waiting'], 0])
})

test('a job of a killed worker without attempts left is shown as failed', async () => {
  await aRunningJob({ worker: 'killed', seconds: 120, attempts: 2 })
  await aHeartbeat({ ids: ['alive'] })
  await release()
  expect(await states()).toEqual(['failed'])
})

test.each([
  ['its worker is alive', { seconds: 7200, ids: ['busy'] }],
  ['it was started a moment ago, before the worker’s next heartbeat', { seconds: 5, ids: ['other'] }],
  ['a worker of an earlier release runs, whose ids are unknown', { seconds: 120, ids: null }],
])('a job keeps running if %s', async (_, { seconds, ids }) => {
  await aRunningJob({ worker: 'busy', seconds })
  await aHeartbeat({ ids })
  expect(await release()).toEqual([])
  expect(await states()).toEqual(['running'])
})

test('heartbeats are steady from the first one after a gap of a minute, and not during it', () => {
  const steadiness = trackSteadiness(0)
  for (const seconds of [10, 20, 30]) steadiness.beat(seconds * 1000)
  expect(steadiness.steady_ms(40_000)).toBe(40_000)
  // The database was unavailable, or the computer slept.
  expect(steadiness.steady_ms(100_000)).toBe(0)
  steadiness.beat(100_000)
  expect(steadiness.steady_ms(105_000)).toBe(5000)
})
