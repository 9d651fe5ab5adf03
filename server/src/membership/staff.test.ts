import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { signIn } from './sign-in.ts'
import { createStaff } from './staff.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const client = { ip: '127.0.0.1', userAgent: 'test' }

test('staff sign in without an application', async () => {
  const { sql } = pool.ctx
  expect(await createStaff(sql, { email: ' Boss@Pool.test', name: 'Boss', password: 'a good long password' })).toBe(
    true,
  )
  expect(await signIn(pool.ctx, { email: 'boss@pool.test', password: 'a good long password' }, client)).toEqual(
    expect.any(String),
  )
  const [account] = await sql`select staff_role, dj_name from customer`
  expect(account).toEqual({ staff_role: 'admin', dj_name: 'Boss' })
})

test('an easily guessed password creates no account', async () => {
  const { sql } = pool.ctx
  for (const password of ['xkjw9fh2l', 'password123', 'okonkwo1990']) {
    const added = createStaff(sql, { email: 'ada@pool.test', name: 'Ada Okonkwo', password })
    await expect(added).rejects.toMatchObject({ code: 'weak_password' })
  }
  expect(await sql`select 1 from customer where email = 'ada@pool.test'`).toHaveLength(0)
})

test('leaves an existing account unchanged', async () => {
  const { sql } = pool.ctx
  expect(await createStaff(sql, { email: 'BOSS@pool.test', name: 'Thief', password: 'another good password' })).toBe(
    false,
  )
  await expect(
    signIn(pool.ctx, { email: 'boss@pool.test', password: 'another good password' }, client),
  ).rejects.toThrow('Incorrect email address or password.')
})
