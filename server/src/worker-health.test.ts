import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../test/pool.ts'
import { listWorkers, startHeartbeat } from './platform/heartbeat.ts'
import { startWorkerHealth } from './worker-health.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { health: { host: '127.0.0.1', port: 0 } } })
})
afterAll(() => pool.close())

const get = async (port: number | undefined, path: string) => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: reply.status, body: await reply.text() }
}

test('a worker reports on HEALTH_PORT whether it works', async () => {
  let problem: string | undefined
  const { port, stop } = await startWorkerHealth(pool.ctx, { findProblem: () => problem })
  try {
    expect(await get(port, '/healthz')).toMatchObject({ status: 200 })
    expect(await get(port, '/readyz')).toMatchObject({ status: 200, body: expect.stringContaining('"ready"') })
    expect((await get(port, '/metrics')).body).toMatch(/^dubplate_disk_free_bytes\{folder="data"\} \d+/m)
    problem = 'The job queue has stopped. Restart the worker.'
    expect(await get(port, '/readyz')).toMatchObject({ status: 503, body: expect.stringContaining(problem) })
    // The process is still alive.
    expect(await get(port, '/healthz')).toMatchObject({ status: 200 })
  } finally {
    await stop()
  }
})

test('a worker without HEALTH_PORT does not listen', async () => {
  const ctx = { ...pool.ctx, config: { ...pool.ctx.config, health: undefined } }
  expect((await startWorkerHealth(ctx, { findProblem: () => undefined })).port).toBeUndefined()
})

const gauge = async (name: string) => {
  const page = (await pool.app.inject('/metrics')).body
  return Number(page.match(new RegExp(`^${name} (.+)$`, 'm'))?.[1])
}

test('a worker is listed while it runs, and not reported as missing after it was stopped', async () => {
  const { sql, log } = pool.ctx
  await sql`insert into worker_heartbeat values (gen_random_uuid(), 'killed', 7, now(), now() - interval '2 minutes')`
  const heartbeat = await startHeartbeat(sql, log, () => [])
  expect(heartbeat.age_ms()).toBeLessThan(60_000)
  const seen = await listWorkers(sql)
  expect(seen.map(({ host }) => host).at(-1)).toBe('killed')
  expect(seen[0]).toMatchObject({ process_id: process.pid })
  expect([await gauge('dubplate_workers'), seen.length]).toEqual([1, 2])
  await heartbeat.stop()
  expect(await listWorkers(sql)).toMatchObject([{ host: 'killed' }])
})
