import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { idsIfFew, MAX_FEW_ROWS } from './few-rows.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const idsUpTo = (n: number) => idsIfFew(pool.ctx.sql, pool.ctx.sql`select id from generate_series(1, ${n}::int) id`)

test('returns all ids, unless there are too many to look them up one by one', async () => {
  expect(await idsUpTo(0)).toEqual([])
  expect(await idsUpTo(3)).toEqual([1, 2, 3])
  expect(await idsUpTo(MAX_FEW_ROWS)).toHaveLength(MAX_FEW_ROWS)
  expect(await idsUpTo(MAX_FEW_ROWS + 1)).toBeUndefined()
})
