import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import type { Config } from '../platform/config.ts'
import { ConfigError } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { closeDemo, fillEmptyPool, openDemoPool } from './demo-pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const given = (wish: Partial<Config>, isEmbedded = true) =>
  [{ ...pool.world.config, ...wish }, pool.world.log, { sql: pool.world.sql, isEmbedded } as Database] as const

async function aDemoMember() {
  const member = await aMember(pool.world)
  await pool.world.sql`update customer set demo = true where customer_id = ${member.customer_id}`
  return async () => {
    const [found] = await pool.world.sql`select status from customer where customer_id = ${member.customer_id}`
    return found?.status
  }
}

test('a pool that is reached from the internet has no demo, though it listens locally behind a proxy', async () => {
  const status = await aDemoMember()
  expect(await openDemoPool(...given({ publicUrl: 'https://pool.example' }))).toBeUndefined()
  expect(await status()).toBe('suspended')
  const forced = openDemoPool(...given({ demo: 'on', publicUrl: 'https://pool.example' }))
  await expect(forced).rejects.toThrow(ConfigError)
})

test('a demo is made in an empty pool alone, and nowhere but on one machine', async () => {
  const empty = await openTestPool()
  const { config, sql } = empty.world
  try {
    const there = { sql, isEmbedded: true }
    await expect(fillEmptyPool(config, { sql, isEmbedded: false })).rejects.toThrow('There can be no demo here')
    await fillEmptyPool({ ...config, demoSongs: 3 }, there)
    const [filled] = await sql<{ songs: number }[]>`select count(*)::int as songs from song`
    expect(filled?.songs).toBeGreaterThanOrEqual(3)
    await expect(fillEmptyPool(config, there)).rejects.toThrow('is not empty')
    expect((await sql<{ songs: number }[]>`select count(*)::int as songs from song`)[0]).toEqual(filled)
  } finally {
    await empty.close()
  }
})

test('a process that never runs the demo closes its members where it may not be, and nowhere else', async () => {
  const status = await aDemoMember()
  for (const publicUrl of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    await closeDemo(...given({ publicUrl }))
    expect(await status()).toBe('active')
  }
  await closeDemo(...given({}, false))
  expect(await status()).toBe('suspended')
})
