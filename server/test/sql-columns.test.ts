import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/platform/db.ts'
import { createQueue } from './queue-connections.ts'
import type { Family, Parameter } from './sql-declared-types.ts'
import { type FoundStatements, findStatements, type Statement } from './sql-statements.ts'

/** PostgreSQL prepares every statement of the server, and its columns are those of the declared row type. */

const database = `sql_${process.pid}_${Date.now()}`
const adminConnection = connect({ socketDir: inject('socketDir'), database: 'postgres' }, { max: 1 })
let sql: Pool
let found: FoundStatements
/** Columns of the pool's tables that may be NULL, as "table oid.column number". */
let nullable: Set<string>

beforeAll(async () => {
  await adminConnection.unsafe(`create database ${database} template template_pool`)
  sql = connect({ socketDir: inject('socketDir'), database }, { max: 1 })
  await createQueue(database)
  const columns = await sql<{ name: string }[]>`
    select attrelid || '.' || attnum as name from pg_attribute join pg_class c on c.oid = attrelid
    where not attnotnull and attnum > 0 and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`
  nullable = new Set(columns.map(({ name }) => name))
  found = findStatements()
})
afterAll(async () => {
  await sql?.end()
  await adminConnection.unsafe(`drop database if exists ${database} with (force)`)
  await adminConnection.end()
})

const SAMPLE_VALUES: Record<Parameter, () => unknown> = {
  boolean: () => true,
  date: () => new Date(0),
  bytes: () => Buffer.alloc(0),
  json: () => sql.json({}),
  unknown: () => '',
}

/** PostgreSQL's oids (pg_type.dat) of the types that are not read as text. */
const FAMILIES: Partial<Record<number, Family>> = {
  ...{ 16: 'boolean', 17: 'bytes', 114: 'any', 3802: 'any', 1082: 'date', 1114: 'date', 1184: 'date' },
  ...{ 20: 'number', 21: 'number', 23: 'number', 26: 'number', 700: 'number', 701: 'number', 1700: 'number' },
  ...{ 1000: 'array', 1005: 'array', 1007: 'array', 1009: 'array', 1016: 'array', 1021: 'array', 1022: 'array' },
}
const typeFamily = (oid: number): Family => FAMILIES[oid] ?? 'string'

/** The columns PostgreSQL says a statement returns. */
type DescribedColumn = { name: string; type: number; table: number; number: number }

async function describe({ text, parameters }: Statement): Promise<DescribedColumn[] | Error> {
  const samples = parameters.map((parameter) => SAMPLE_VALUES[parameter]()) as never[]
  try {
    const { columns } = await sql.unsafe(text, samples).describe()
    return columns as unknown as DescribedColumn[]
  } catch (error) {
    return error as Error
  }
}

/** Columns that may be NULL in their table but not in these rows. */
const NEVER_NULL: Record<string, string[]> = {
  // Inserted with the section of a song, which has one.
  'server/src/catalogue/additions.ts': ['listed_section'],
  // Of listed libraries, which have both (own_library_check1).
  'server/src/own-library/libraries.ts': ['imported_at', 'matched_at'],
  // Only products of the store, which all have one (merchandise_external).
  'server/src/site/store-refresh.ts': ['external_id'],
}

/** Returns where a declared row type differs from what PostgreSQL reports. */
async function findTypeProblems(statement: Statement): Promise<string[]> {
  const { columns: declared, text, place: clientAddress } = statement
  const described = await describe(statement)
  if (described instanceof Error) return [described.message]
  if (!declared) return []
  const problems: string[] = []
  const neverNull = NEVER_NULL[clientAddress.replace(/:\d+$/, '')] ?? []
  const returned = new Map(described.map((column) => [column.name, column]))
  for (const [name, { family, isNullable, isOptional, text: type }] of declared) {
    const column = returned.get(name)
    if (!column) {
      if (!isOptional) problems.push(`${name} is declared and not returned`)
      continue
    }
    const actual = typeFamily(column.type)
    if (family !== 'any' && actual !== 'any' && family !== actual) problems.push(`${name} is ${actual}, not ${type}`)
    if (
      !isNullable &&
      nullable.has(`${column.table}.${column.number}`) &&
      !isRestricted(name, text) &&
      !neverNull.includes(name)
    )
      problems.push(`${name} may be null, and is declared as ${type}`)
  }
  // `select *` returns all columns; a row type only has the ones in use.
  if (!/(select|returning|\w\.)\s*\*/.test(text))
    for (const name of returned.keys()) if (!declared.has(name)) problems.push(`${name} is returned and not declared`)
  return problems
}

/** Whether a condition of the statement excludes rows in which this column is NULL. */
const isRestricted = (name: string, text: string): boolean =>
  new RegExp(`\\b${name} *(is not null|=|<|>|~|in\\b)`).test(text) ||
  new RegExp(`using \\((\\w+, )*${name}\\b`).test(text)

test('reads nearly every statement of the sources', () => {
  expect(found.statements.length).toBeGreaterThan(1000)
  expect(found.dynamic.length).toBeLessThan(found.statements.length / 14)
})

test('PostgreSQL prepares every statement, and its columns are the declared ones', async () => {
  const problems: string[] = []
  for (const statement of found.statements)
    for (const problem of await findTypeProblems(statement)) problems.push(`${statement.place}: ${problem}`)
  expect(problems).toEqual([])
})
