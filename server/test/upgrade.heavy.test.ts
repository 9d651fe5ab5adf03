import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/platform/db.ts'
import { describeSchema, migrate, migrateUpTo } from '../src/platform/migrate.ts'
import { projectRoot } from '../src/platform/project-root.ts'
import { fillEveryTable } from './fill-tables.ts'
import { seededRandom } from './fill-values.ts'

/** Databases that hold data are upgraded without losing or changing any of it. */

const MIGRATIONS = readdirSync(path.join(projectRoot, 'server', 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()
const FIRST_MIGRATION = MIGRATIONS[0] as string

/**
 * Everything that migrations are meant to change in existing tables: the columns they rewrite, `added` where they add
 * rows, `removed` where they remove some. Any other difference is lost data.
 */
const INTENDED_CHANGES: Record<string, Record<string, string[]>> = {
  // Adds what a search for single words needs.
  '0007-search.sql': { song_search: ['tsv'], search_word: ['df', 'added'] },
  // Charts count hours and days instead of days, weeks and months: `start` becomes a moment. Snapshots are taken again.
  '0008-charts.sql': { chart_count: ['start', 'added', 'removed'], chart_snapshot: ['removed'] },
  // The kinds of version that uploads may choose from.
  '0013-uploads.sql': { version_kind: ['added'] },
  // Charts without a row here are counted again, for every section.
  '0031-chart-sections.sql': { chart_refresh: ['removed'] },
  // Stored words get the names the product now uses.
  '0032-plain-words.sql': { audit: ['action', 'subject'], import_file: ['reason'], department: ['name'] },
}

/** Tables that a migration renamed: compared under their new name. */
const RENAMED: Record<string, string> = {
  former_genre: 'genre_alias',
  outside_identity: 'external_identity',
  upload_twin: 'upload_duplicate',
  figure_day: 'daily_metric',
}

const socketDir = inject('socketDir')
const adminConnection = connect({ socketDir, database: 'postgres' }, { max: 1 })
const name = `upgrade_${process.pid}_${Date.now()}`
const databases = [`${name}_first`, `${name}_steps`, `${name}_words`, `${name}_fresh`] as const
let first: Pool
let steps: Pool
let rejection: Pool
let freshServer: Pool

beforeAll(async () => {
  for (const database of databases) await adminConnection.unsafe(`create database ${database}`)
  ;[first, steps, rejection, freshServer] = databases.map((database) =>
    connect({ socketDir, database }, { max: 2 }),
  ) as [Pool, Pool, Pool, Pool]
  await migrate(freshServer)
})
afterAll(async () => {
  await Promise.all([first, steps, rejection, freshServer].map((pool) => pool.end()))
  for (const database of databases) await adminConnection.unsafe(`drop database ${database} with (force)`)
  await adminConnection.end()
})

type JsonRow = Record<string, unknown>
type DatabaseContents = Map<string, JsonRow[]>

/** Every row of every table, each value as PostgreSQL writes it in JSON. */
async function readContents(sql: Pool): Promise<DatabaseContents> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration' order by 1`
  const contents: DatabaseContents = new Map()
  for (const { name } of tables) {
    const rows = await sql<{ row: JsonRow }[]>`select to_jsonb(t) as row from ${sql(name)} t`
    contents.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return contents
}

/** The rows as texts of these columns alone, in one order. */
const normaliseRows = (rows: JsonRow[], columns: string[]) =>
  rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))).sort()

async function readColumnNames(sql: Pool): Promise<Map<string, string[]>> {
  const columns = await sql<{ table: string; names: string[] }[]>`
    select table_name as table, array_agg(column_name::text order by column_name) as names
    from information_schema.columns where table_schema = 'public' group by table_name`
  return new Map(columns.map(({ table, names }) => [table, names]))
}

type DatabaseState = { contents: DatabaseContents; columns: Map<string, string[]> }
const readState = async (sql: Pool): Promise<DatabaseState> => ({
  contents: await readContents(sql),
  columns: await readColumnNames(sql),
})

/** Compares the tables and columns that both states have, except for what these migrations are meant to change. */
function expectUnchanged(before: DatabaseState, after: DatabaseState, migrations: string[]): void {
  for (const [table, rows] of before.contents) {
    const intendedColumns = migrations.flatMap((migration) => INTENDED_CHANGES[migration]?.[table] ?? [])
    const tableAfter = after.contents.has(table) ? table : (RENAMED[table] ?? table)
    const columns = (before.columns.get(table) ?? []).filter(
      (column) => after.columns.get(tableAfter)?.includes(column) && !intendedColumns.includes(column),
    )
    const [old, current] = [normaliseRows(rows, columns), normaliseRows(after.contents.get(tableAfter) ?? [], columns)]
    const what = `${table} after ${migrations.at(-1)}`
    if (!intendedColumns.includes('removed'))
      expect(describeDifference(old, current), `lost or changed rows of ${what}`).toEqual([])
    if (!intendedColumns.includes('added'))
      expect(describeDifference(current, old), `new or changed rows of ${what}`).toEqual([])
  }
}

/** What is in the first list more often than in the second; shortened, as rows with long texts fill a screen each. */
function describeDifference(rows: string[], others: string[]): string[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows
    .filter((row) => {
      const count = counts.get(row) ?? 0
      counts.set(row, count - 1)
      return count <= 0
    })
    .map((row) => row.slice(0, 300))
}

const expectEveryTableFilled = (contents: DatabaseContents) =>
  expect([...contents].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([])

test('a filled database of the first migration keeps every row through all later migrations', async () => {
  await migrateUpTo(first, FIRST_MIGRATION)
  await fillEveryTable(first, { random: seededRandom(1) })
  const before = await readState(first)
  expectEveryTableFilled(before.contents)
  await migrate(first)
  expectUnchanged(before, await readState(first), MIGRATIONS)
  expect(await describeSchema(first)).toBe(await describeSchema(freshServer))
})

test('each migration keeps the rows of every table that existed before it', async () => {
  const random = seededRandom(2)
  for (const migration of MIGRATIONS) {
    const before = await readState(steps)
    await migrateUpTo(steps, migration)
    const after = await readState(steps)
    expectUnchanged(before, after, [migration])
    const hasNewColumns = (table: string) => `${before.columns.get(table)}` !== `${after.columns.get(table)}`
    await fillEveryTable(steps, { random, topUp: hasNewColumns })
  }
  expectEveryTableFilled(await readContents(steps))
  expect(await describeSchema(steps)).toBe(await describeSchema(freshServer))
})

test('renames stored actions and skip reasons, so that filters and rules find the old rows, too', async () => {
  await migrateUpTo(rejection, '0031-chart-sections.sql')
  await rejection`insert into audit ${rejection([
    { action: 'plan made', subject: 'plan 1' },
    { action: 'saved answer written', subject: 'saved answer 4' },
    { action: 'member suspended', subject: 'customer 7' },
  ])}`
  const [run] = await rejection<{ import_run_id: string }[]>`
    insert into import_run (source, folder, state) values ('browser', 'Crate', 'done') returning import_run_id`
  const files = ['withdrawn', 'not sent', 'damaged'].map((reason, n) => ({
    ...{ import_run_id: run?.import_run_id, n, path: `${n}.mp3`, bytes: 1, outcome: 'skipped', reason },
  }))
  await rejection`insert into import_file ${rejection(files)}`
  await migrate(rejection)

  expect(await rejection`select action, subject from audit order by audit_id`).toEqual([
    { action: 'plan created', subject: 'plan 1' },
    { action: 'saved reply created', subject: 'saved reply 4' },
    { action: 'member suspended', subject: 'customer 7' },
  ])
  expect((await rejection`select reason from import_file order by n`).map(({ reason }) => reason)).toEqual([
    'unpublished',
    'not uploaded',
    'damaged',
  ])
  expect((await rejection`select name from department order by position`).at(-1)).toEqual({ name: 'Other' })
})
