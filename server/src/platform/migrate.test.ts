import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect } from './db.ts'
import { migrate, migrateAll, migrateUpTo, readPending } from './migrate.ts'

const socketDir = inject('socketDir')
const database = `migrate_${process.pid}_${Date.now()}`
const root = connect({ socketDir, database: 'postgres' }, { max: 1 })
beforeAll(() => root.unsafe(`create database ${database}`))
afterAll(async () => {
  await root.unsafe(`drop database ${database} with (force)`)
  await root.end()
})

test('processes that start together apply each migration once and keep no lock afterwards', async () => {
  const pools = [1, 2, 3].map(() => connect({ socketDir, database }, { max: 1 }))
  const applied = (await Promise.all(pools.map(migrate))).flat()
  const [sql] = pools
  if (!sql) throw new Error('no pool')
  const stored = await sql<{ name: string }[]>`select name from migration order by name`
  expect(applied.sort()).toEqual(stored.map(({ name }) => name))
  expect(applied.length).toBeGreaterThan(0)
  // Other tests use locks in other databases.
  expect(
    await sql`
      select pid from pg_locks join pg_database d on d.oid = database
      where locktype = 'advisory' and datname = current_database()`,
  ).toEqual([])
  await Promise.all(pools.map((pool) => pool.end()))
})

test('deleting a ticket, reply or announcement finds the dependent rows by an index, at any table size', async () => {
  const sql = connect({ socketDir, database }, { max: 1 })
  const bare = await sql<{ what: string }[]>`
    select conrelid::regclass || ' (' || a.attname || ')' as what
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where contype = 'f' and confrelid in ('ticket'::regclass, 'reply'::regclass, 'announcement'::regclass)
      and not exists (select 1 from pg_index i where i.indrelid = k.conrelid and i.indkey[0] = k.conkey[1])`
  await sql.end()
  expect(bare.map(({ what: key }) => key)).toEqual([])
})

test('an upgrade applies all pending migrations or none of them', async () => {
  const fresh = `${database}_upgrade`
  await root.unsafe(`create database ${fresh}`)
  const sql = connect({ socketDir, database: fresh }, { max: 1 })
  const names = await readPending(sql)
  const last = names.slice(-2)
  await migrateUpTo(sql, names.at(-3))
  await sql.unsafe(`alter table migration add constraint fails check (name <> '${last[1]}')`)
  await expect(migrateAll(sql)).rejects.toThrow('fails')
  expect(await readPending(sql)).toEqual(last)
  await sql.unsafe('alter table migration drop constraint fails')
  expect(await migrateAll(sql)).toEqual(last)
  expect(await readPending(sql)).toEqual([])
  await sql.end()
  await root.unsafe(`drop database ${fresh} with (force)`)
})
