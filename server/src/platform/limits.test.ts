import { membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { makeApp } from '../app.ts'

let pool: TestPool
let second: Awaited<ReturnType<typeof makeApp>>
beforeAll(async () => {
  pool = await openTestPool()
  second = await makeApp(pool.ctx)
  await second.ready()
})
afterAll(async () => {
  await second.close()
  await pool.close()
})

const signIn = (app: TestPool['app'], from: string) =>
  app.inject({
    method: 'POST',
    url: `/api/${membership.signIn.path}`,
    payload: { email: '', password: '' },
    remoteAddress: from,
  })

test('a limit applies across all processes, and to each key separately', async () => {
  const codes: number[] = []
  for (let n = 0; n < 34; n++) codes.push((await signIn(n % 2 ? pool.app : second, '10.7.0.1')).statusCode)
  expect(codes.slice(0, 30)).not.toContain(429)
  expect(codes.slice(30)).toEqual([429, 429, 429, 429])
  expect((await signIn(pool.app, '10.7.0.2')).statusCode).not.toBe(429)
})

test('a caller over a limit gets the waiting time and causes no more database queries', async () => {
  const from = '10.7.0.3'
  for (let n = 0; n < 31; n++) await signIn(pool.app, from)
  const counted = async () => (await pool.ctx.sql`select count from rate_counter where key = ${from}`)[0]?.count
  const before = await counted()
  const refused = await signIn(pool.app, from)
  expect(refused.statusCode).toBe(429)
  const wait_seconds = Number(refused.headers['retry-after'])
  expect(wait_seconds).toBeGreaterThan(50)
  expect(wait_seconds).toBeLessThanOrEqual(60)
  expect(await counted()).toBe(before)
})

test('starts a new count after a minute', async () => {
  const from = '10.7.0.4'
  for (let n = 0; n < 30; n++) await signIn(pool.app, from)
  await pool.ctx
    .sql`update rate_counter set window_started_at = window_started_at - interval '61 seconds' where key = ${from}`
  expect((await signIn(second, from)).statusCode).not.toBe(429)
  expect((await pool.ctx.sql`select count from rate_counter where key = ${from}`)[0]?.count).toBe(1)
})

test('counts endpoints separately', async () => {
  const from = '10.7.0.5'
  for (let n = 0; n < 31; n++) await signIn(pool.app, from)
  const other = await pool.app.inject({
    method: 'POST',
    url: `/api/${membership.secondStep.path}`,
    payload: {},
    remoteAddress: from,
  })
  expect(other.statusCode).not.toBe(429)
})
