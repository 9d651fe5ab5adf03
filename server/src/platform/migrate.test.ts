import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from './db.ts'
import { migrate } from './migrate.ts'

const socketDir = inject('socketDir')
const database = `migrate_${process.pid}_${Date.now()}`
const root = connect({ socketDir, database: 'postgres' }, { max: 1 })
beforeAll(() => root.unsafe(`create database ${database}`))
afterAll(async () => {
  await root.unsafe(`drop database ${database} with (force)`)
  await root.end()
})

test('processes that start together apply each migration once, and hold no lock afterwards', async () => {
  const pools = [1, 2, 3].map(() => connect({ socketDir, database }, { max: 1 }))
  const applied = (await Promise.all(pools.map(migrate))).flat()
  const [sql] = pools
  if (!sql) throw new Error('no pool')
  const kept = await sql<{ name: string }[]>`select name from migration order by name`
  expect(applied.sort()).toEqual(kept.map(({ name }) => name))
  expect(applied.length).toBeGreaterThan(0)
  expect(await sql`select pid from pg_locks where locktype = 'advisory'`).toEqual([])
  await Promise.all(pools.map((pool) => pool.end()))
})
