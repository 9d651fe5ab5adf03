import { makeWorkerUtils } from 'graphile-worker'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aMember } from '../test/makers.ts'
import { openTestPool, type TestPool } from '../test/pool.ts'
import { openQueueFor } from '../test/queue-connections.ts'
import { anUpload } from '../test/upload-makers.ts'
import { poolMetrics } from './metrics.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

/** Returns the metrics, after the cached counts have expired. */
async function metrics(): Promise<Record<string, number>> {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now() * 1000)
  const text = (await pool.app.inject({ url: '/metrics' })).body
  clock.mockRestore()
  const lines = text.split('\n').filter((line) => /^dubplate_[a-z_]+ /.test(line))
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]))
}

test('counts what needs attention and reports for how long', async () => {
  const { sql } = pool.ctx
  const empty = await metrics()
  expect(empty).toMatchObject({ dubplate_mail_due: 0, dubplate_tickets_waiting: 0, dubplate_uploads_queued: 0 })
  expect(empty).not.toHaveProperty('dubplate_mail_due_age_seconds')
  const { customer_id } = await aMember(pool.ctx, { application: 'pending' })
  await anUpload(pool.ctx, { customer_id }, { analysed: false })
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, next_attempt_at, state)
    values ('a@example.test', '', '', '', now() - interval '1 hour', 'waiting'),
      ('b@example.test', '', '', '', now() + interval '1 hour', 'waiting'), ('c@example.test', '', '', '', now(), 'failed')`
  await sql`
    insert into ticket (customer_id, department_id, priority_id, subject, details)
    select ${customer_id}, min(department_id), (select min(priority_id) from priority), 'Help', 'me' from department`
  const values = await metrics()
  expect(values).toMatchObject({
    ...{ dubplate_mail_due: 1, dubplate_mail_failed: 1, dubplate_uploads_queued: 1 },
    ...{ dubplate_applications_waiting: 1, dubplate_tickets_waiting: 1, dubplate_folding_waiting: 0 },
  })
  expect(values.dubplate_mail_due_age_seconds).toBeGreaterThanOrEqual(3600)
})

test('reports the queue once it exists, with permanently failed jobs', async () => {
  expect(await metrics()).not.toHaveProperty('dubplate_jobs_failed')
  const pgPool = await openQueueFor(pool.ctx.sql)
  try {
    const queue = await makeWorkerUtils({ pgPool })
    await queue.migrate()
    const job = await queue.addJob('sweep', {})
    await queue.permanentlyFailJobs([job.id])
    await queue.release()
    expect(await metrics()).toMatchObject({ dubplate_jobs_failed: 1, dubplate_jobs_due: 0 })
  } finally {
    await pgPool.end()
  }
})

test('returns cached counts to a repeated request, without a database query', async () => {
  await metrics()
  const asked = vi.spyOn(pool.ctx.sql, 'unsafe')
  await pool.app.inject({ url: '/metrics' })
  await pool.app.inject({ url: '/metrics' })
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
})

test('each gauge has its own name and description', () => {
  expect(new Set(poolMetrics.map(({ name }) => name)).size).toBe(poolMetrics.length)
  for (const { name, help } of poolMetrics) {
    expect(name).toMatch(/^dubplate_[a-z_]+$/)
    expect(help).toMatch(/\.$/)
  }
})
