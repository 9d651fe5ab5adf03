import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { signIn } from './sign-in.ts'
import { createStaff } from './staff.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const visit = { ip: '127.0.0.1', userAgent: 'test' }

test('staff sign in without an application', async () => {
  const { sql } = pool.world
  expect(await createStaff(sql, { email: ' Boss@Pool.test', name: 'Boss', password: 'long enough' })).toBe(true)
  expect(await signIn(sql, { email: 'boss@pool.test', password: 'long enough' }, visit)).toEqual(expect.any(String))
  const [account] = await sql`select staff_role, dj_name from customer`
  expect(account).toEqual({ staff_role: 'admin', dj_name: 'Boss' })
})

test('an account that is there is left as it is', async () => {
  const { sql } = pool.world
  expect(await createStaff(sql, { email: 'BOSS@pool.test', name: 'Thief', password: 'another one' })).toBe(false)
  await expect(signIn(sql, { email: 'boss@pool.test', password: 'another one' }, visit)).rejects.toThrow('wrong')
})
