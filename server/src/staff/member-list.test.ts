import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { MAX_FEW_ROWS } from '../platform/few-rows.ts'
import { listMembers } from './member-list.ts'

/** More than are looked up by their ids. */
const CREW = MAX_FEW_ROWS + 1

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  // Every hundredth is suspended.
  await pool.ctx.sql`
    insert into customer (email, dj_name, password_hash, group_id, status)
    select 'crew-' || n || '@example.test', 'Crew ' || lpad(n::text, 4, '0'), '!', 2,
      case when n % 100 = 0 then 'suspended' else 'active' end
    from generate_series(1, ${CREW}::int) n`
})
afterAll(() => pool.close())

const list = (params: Partial<Parameters<typeof listMembers>[1]>) =>
  listMembers(pool.ctx.sql, { state: 'all', search: '', sort: 'name', page: 1, ...params })

const names = ({ members }: Awaited<ReturnType<typeof list>>) => members.map(({ dj_name }) => dj_name)

test('a search that many members match has all of their pages, and counts in every state', async () => {
  const last = await list({ search: 'crew', page: 11 })
  expect(names(last)).toEqual(['Crew 0501'])
  expect(last.pagination).toMatchObject({ page: 11, totalCount: CREW })
  expect(last.counts).toMatchObject({ all: CREW, suspended: 5, staff: 0 })
})

test('so does a search that few match', async () => {
  const found = await list({ search: 'crew 01', state: 'suspended' })
  expect(names(found)).toEqual(['Crew 0100'])
  expect(found.counts).toMatchObject({ all: 100, suspended: 1, staff: 0 })
  expect(names(await list({ search: 'crew 01', sort: '-name', page: 2 })).at(-1)).toBe('Crew 0100')
})
