import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { rowsOfMembers } from './member-search.ts'

const MANY = 501
/** More than are listed once. */
const MOST = 20_001

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  await pool.ctx.sql`
    insert into customer (email, dj_name, password_hash, group_id)
    select 'crew-' || n || '@example.test', 'Crew ' || n, '!', 2 from generate_series(1, ${MANY}::int) n
    union all select 'solo@example.test', '100% Vinyl Solo', '!', 2`
  await pool.ctx.sql`insert into dj_application (customer_id) select customer_id from customer`
})
afterAll(() => pool.close())

async function find(search: string): Promise<string[]> {
  const { sql } = pool.ctx
  const ofMembers = await rowsOfMembers(sql, search)
  const rows = await sql<{ email: string }[]>`
    select email from dj_application a join customer using (customer_id)
    where ${ofMembers(sql`a.customer_id`)} order by customer_id`
  return rows.map(({ email }) => email)
}

test('finds the rows of the members whose name or address has words that begin with those of the search', async () => {
  expect(await find('vin 100')).toEqual(['solo@example.test'])
  expect(await find('SOLO@example.test')).toEqual(['solo@example.test'])
  expect(await find('inyl')).toEqual([])
})

test('finds all of them when there are more members than are looked up first', async () => {
  expect(await find('crew')).toHaveLength(MANY)
})

test('finds all of them when each row is checked', async () => {
  await pool.ctx.sql`
    with added as (
      insert into customer (email, dj_name, password_hash, group_id)
      select 'guest-' || n || '@example.test', 'Guest ' || n, '!', 2 from generate_series(1, ${MOST}::int) n returning customer_id)
    insert into dj_application (customer_id) select customer_id from added`
  expect(await find('guest')).toHaveLength(MOST)
})

test('a search without words is looked for as it is', async () => {
  expect(await find('%')).toEqual(['solo@example.test'])
})
