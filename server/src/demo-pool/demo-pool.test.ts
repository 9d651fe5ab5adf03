import { membership, site } from '@dubplate/contract'
import { DEMO_PASSWORD } from '@dubplate/demo/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import type { Config } from '../platform/config.ts'
import { ConfigError } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import { closeDemo, fillEmptyPool, openDemoPool } from './demo-pool.ts'
import { setStaffPasswords } from './staff-passwords.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const configFor = (overrides: Partial<Config>, isEmbedded = true) =>
  [{ ...pool.ctx.config, ...overrides }, pool.ctx.log, { sql: pool.ctx.sql, isEmbedded } as Database] as const

async function aDemoMember() {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set demo = true where customer_id = ${member.customer_id}`
  return async () => {
    const [found] = await pool.ctx.sql`select status from customer where customer_id = ${member.customer_id}`
    return found?.status
  }
}

test('a pool that is reachable from the internet has no demo, even if it listens locally behind a proxy', async () => {
  const status = await aDemoMember()
  expect(await openDemoPool(...configFor({ publicUrl: 'https://pool.example' }))).toBeUndefined()
  expect(await status()).toBe('suspended')
  const databaseUrl = 'postgres://database/pool'
  await expect(openDemoPool(...configFor({ demo: 'on', databaseUrl }, false))).rejects.toThrow(ConfigError)
  await expect(
    openDemoPool(...configFor({ demo: 'on', host: '0.0.0.0', publicUrl: 'http://0.0.0.0:3000' })),
  ).rejects.toThrow('set DEMO=on and PUBLIC_URL')
})

test('creates the demo only in an empty database, and only in the embedded one', async () => {
  const empty = await openTestPool()
  const { config, sql } = empty.ctx
  try {
    const database = { sql, isEmbedded: true }
    await expect(fillEmptyPool(config, { sql, isEmbedded: false })).rejects.toThrow('Can’t create the demo')
    await fillEmptyPool({ ...config, demoSongs: 3 }, database)
    const [filled] = await sql<{ songs: number }[]>`select count(*)::int as songs from song`
    expect(filled?.songs).toBeGreaterThanOrEqual(3)
    await expect(fillEmptyPool(config, database)).rejects.toThrow('is not empty')
    expect((await sql<{ songs: number }[]>`select count(*)::int as songs from song`)[0]).toEqual(filled)
  } finally {
    await empty.close()
  }
})

test('a process that never runs the demo suspends its members where it is not allowed, and nowhere else', async () => {
  const status = await aDemoMember()
  for (const publicUrl of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000']) {
    await closeDemo(...configFor({ publicUrl }))
    expect(await status()).toBe('active')
  }
  await closeDemo(...configFor({}, false))
  expect(await status()).toBe('suspended')
})

test('a public demo gives its staff random passwords and hides them; a local one restores the known one', async () => {
  const { sql } = pool.ctx
  const staff = await aMember(pool.ctx, { email: 'staff@demo.test', staff_role: 'admin' })
  const dj = await aMember(pool.ctx, { email: 'dj@demo.test' })
  await sql`update customer set demo = true where customer_id in (${staff.customer_id}, ${dj.customer_id})`
  const canSignIn = (email: string, password: string) =>
    pool.ask(membership.signIn, { email, password }).then(
      () => true,
      () => false,
    )
  const listed = async () => (await pool.ask(site.getPool, {})).demo_members.map(({ email }) => email)

  const first = await setStaffPasswords(sql, 'public')
  expect(first).toMatch(/^[\w-]{20}$/)
  expect(await listed()).toEqual(['dj@demo.test'])
  expect(await errorOf(pool.ask(membership.getProfile, {}, staff.token))).toMatchObject({ code: 'session_expired' })
  await pool.ask(membership.getProfile, {}, dj.token)
  expect(await canSignIn('staff@demo.test', DEMO_PASSWORD)).toBe(false)
  expect(await canSignIn('staff@demo.test', first!)).toBe(true)

  const second = await setStaffPasswords(sql, 'public')
  expect(second).not.toBe(first)
  expect(await canSignIn('staff@demo.test', first!)).toBe(false)

  expect(await setStaffPasswords(sql, 'local')).toBeUndefined()
  expect(await listed()).toEqual(['staff@demo.test', 'dj@demo.test'])
  expect(await canSignIn('staff@demo.test', DEMO_PASSWORD)).toBe(true)
})
