import { MAX_COUNTED_ROWS } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { countPages, countUpTo } from './count-up-to.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const rows = (n: number) => pool.ctx.sql`select 1 from generate_series(1, ${n}::int)`

test('counts exactly up to a number; one more means any larger number', async () => {
  const { sql } = pool.ctx
  expect(await countUpTo(sql, rows(0), 3)).toBe(0)
  expect(await countUpTo(sql, rows(3), 3)).toBe(3)
  expect(await countUpTo(sql, rows(4), 3)).toBe(4)
  expect(await countUpTo(sql, rows(500), 3)).toBe(4)
})

test('the pages of a list end where the count ends', async () => {
  const { sql } = pool.ctx
  expect(await countPages(sql, rows(MAX_COUNTED_ROWS))).toEqual({ totalCount: MAX_COUNTED_ROWS })
  expect(await countPages(sql, rows(MAX_COUNTED_ROWS + 1))).toEqual({ totalCount: MAX_COUNTED_ROWS, more: true })
})
