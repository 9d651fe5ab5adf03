import { randomUUID } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/platform/db.ts'
import { findChanges, resetDatabase } from './clean-database.ts'
import { acquireDatabase } from './database-pool.ts'
import { aGenre, aMember, aSong } from './makers.ts'
import { openTestPool } from './pool.ts'

const socketDir = inject('socketDir')
const snapshot = inject('snapshot')

/** Runs with a new clone of the template, which no other test has used. */
async function withFreshDatabase<T>(run: (sql: Pool) => Promise<T>): Promise<T> {
  const name = `clean_${randomUUID().replaceAll('-', '')}`
  const adminConnection = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await adminConnection.unsafe(`create database ${name} template template_pool`)
  const sql = connect({ socketDir, database: name }, { max: 2 })
  try {
    return await run(sql)
  } finally {
    // A test that failed may not have released its connection.
    await sql.end({ timeout: 1 })
    await adminConnection.unsafe(`drop database ${name} with (force)`)
    await adminConnection.end()
  }
}

/** All rows of all tables and the state of all sequences. */
async function readAllTables(sql: Pool) {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  const content: Record<string, unknown> = {}
  for (const { name } of tables) content[name] = await sql.unsafe(`select t::text from ${name} t order by 1`).values()
  content.sequences = await sql`select schemaname, sequencename, last_value from pg_sequences order by 1, 2`.values()
  return content
}

/** Adds rows to many tables, and changes and deletes rows that the migrations inserted. */
async function useDatabase(sql: Pool): Promise<void> {
  await sql`update department set name = name || ' (renamed)'`
  await sql`delete from version_kind where version_kind_id = (select min(version_kind_id) from version_kind)`
  await sql`insert into department (name, position) values ('Press', 99)`
}

test('a database that was reset holds the same rows and sequences as a new one', async () => {
  const expected = await withFreshDatabase(readAllTables)
  const pool = await openTestPool()
  await aMember(pool.ctx)
  await aSong(pool.ctx, { genres: [await aGenre(pool.ctx, 'House')] })
  await useDatabase(pool.ctx.sql)
  expect(await readAllTables(pool.ctx.sql)).not.toEqual(expected)
  expect(await findChanges(pool.ctx.sql, snapshot)).toEqual(
    expect.arrayContaining(['public.song', 'public.department', 'public.version_kind', 'public.song_entity_id_seq']),
  )
  expect(await resetDatabase(pool.ctx.sql, snapshot)).toBe(true)
  expect(await readAllTables(pool.ctx.sql)).toEqual(expected)
  await pool.close()
})

test.each([
  ['a new column', 'alter table song add column added int'],
  ['a trigger that is switched off', 'alter table song disable trigger all'],
  ['statistics', 'insert into department (name, position) values (1, 1); analyze department'],
])('a database with %s is not used again', (_, statement) =>
  withFreshDatabase(async (sql) => {
    await sql.unsafe(statement)
    expect(await resetDatabase(sql, snapshot)).toBe(false)
  }),
)

test('a database with an open transaction is not used again', () =>
  withFreshDatabase(async (sql) => {
    const other = await sql.reserve()
    await other`begin`
    await other`select 1`
    expect(await resetDatabase(sql, snapshot)).toBe(false)
    await other`rollback`
    expect(await resetDatabase(sql, snapshot)).toBe(true)
    other.release()
  }))

test('what a test left running cannot read or write a database that was released', async () => {
  const { sql, release } = await acquireDatabase(socketDir, snapshot)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await release()
  await expect(sql`select 1`).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
  await expect(sql.begin((transaction) => transaction`select 1`)).rejects.toMatchObject({ code: 'CONNECTION_ENDED' })
})
