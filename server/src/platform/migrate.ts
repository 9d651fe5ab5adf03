import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Pool, Sql } from './db.ts'
import { projectRoot } from './project-root.ts'

const folder = path.join(projectRoot, 'server', 'migrations')
export const schemaFile = path.join(projectRoot, 'server', 'schema.sql')

type Migration = { name: string; text: string; hash: string }

const written = (): Migration[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(folder, name), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    })

/**
 * Applies the pending migrations, each in its own transaction; processes that start together take turns. Throws if an
 * applied migration has since been changed, or if the database is newer than this program.
 */
export const migrate = (pool: Pool): Promise<string[]> => migrateUpTo(pool, undefined)

/** The same up to the migration with this name; to the newest if undefined. */
export async function migrateUpTo(pool: Pool, newest: string | undefined): Promise<string[]> {
  await pool.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`
    await sql`create table if not exists migration (
      name text collate "C" primary key, hash text not null, applied_at timestamptz not null default now())`
  })
  const migrations = written()
  checkHistory(await readApplied(pool), migrations)
  const fresh: string[] = []
  for (const migration of migrations) {
    if (newest !== undefined && migration.name > newest) break
    if (await pool.begin((sql) => apply(sql, migration))) fresh.push(migration.name)
  }
  return fresh
}

/** Returns the migrations the database does not have yet, oldest first. Throws as `migrate` does. */
export async function readPending(sql: Sql): Promise<string[]> {
  const applied = new Set((await readHistory(sql)).map(({ name }) => name))
  return written()
    .map(({ name }) => name)
    .filter((name) => !applied.has(name))
}

/** Applies every pending migration in one transaction: if one of them fails, the older program still works. */
export async function migrateAll(pool: Pool): Promise<string[]> {
  const pending = new Set(await readPending(pool))
  const migrations = written().filter(({ name }) => pending.has(name))
  await pool.begin(async (sql) => {
    for (const migration of migrations) await apply(sql, migration)
  })
  return [...pending]
}

/** Processes that start together take turns; the lock ends with its transaction, so it also works behind a pooler. */
const LOCK = 727_274

const readApplied = async (sql: Sql): Promise<Map<string, string>> => {
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from migration`
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

export type Applied = { name: string; hash: string }

/** Returns the migrations of a database, oldest first; none if it was never migrated. Throws as `migrate` does. */
export async function readHistory(sql: Sql): Promise<Applied[]> {
  const [found] = await sql<{ exists: boolean }[]>`select to_regclass('public.migration') is not null as exists`
  if (!found?.exists) return []
  const applied = await readApplied(sql)
  checkHistory(applied, written())
  return [...applied].map(([name, hash]) => ({ name, hash })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Throws, as `migrate` does, unless this program has each of these migrations with the same content. */
export const checkKnown = (applied: readonly Applied[]): void =>
  checkHistory(new Map(applied.map(({ name, hash }) => [name, hash])), written())

/** Applies a migration; returns false if another process already has. */
async function apply(sql: Sql, { name, text, hash }: Migration): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${LOCK})`
  if ((await readApplied(sql)).has(name)) return false
  await sql.unsafe(text).simple()
  await sql`insert into migration (name, hash) values (${name}, ${hash})`
  return true
}

function checkHistory(applied: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map(({ name, hash }) => [name, hash]))
  for (const [name, hash] of applied) {
    if (!known.has(name))
      throw new Error(`The database contains migration ${name}, which this version doesn’t know. Run a newer version.`)
    if (known.get(name) !== hash)
      throw new Error(`Migration ${name} was changed after it was applied. Add a new migration instead.`)
  }
}

/** Describes the current tables as one text: the content of schema.sql, which the tests compare. */
export async function describeSchema(sql: Sql): Promise<string> {
  const columns = await sql<{ table: string; line: string }[]>`
    select c.relname as table, format('  %s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation and co.collname is not null then format(' collate "%s"', co.collname) else '' end,
      case when a.attnotnull then ' not null' else '' end,
      case when a.attidentity <> '' then ' generated ' || case a.attidentity when 'a' then 'always' else 'by default' end || ' as identity'
        when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid left join pg_collation co on co.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname, a.attnum`
  const constraints = await sql<{ table: string; line: string }[]>`
    select c.relname as table, format('  constraint %s %s', k.conname, pg_get_constraintdef(k.oid)) as line
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype <> 'n' order by c.relname, k.contype, k.conname`
  const indexes = await sql<{ table: string; line: string }[]>`
    select i.tablename as table, i.indexdef || ';' as line from pg_indexes i
    where i.schemaname = 'public' and not exists (
      select 1 from pg_constraint k join pg_class c on c.oid = k.conindid where c.relname = i.indexname and k.contype <> 'f')
    order by i.tablename, i.indexname`
  const tables = [...new Set(columns.map((row) => row.table))]
  const of = (rows: readonly { table: string; line: string }[], table: string) =>
    rows.filter((row) => row.table === table).map((row) => row.line)
  const described = tables.map((table) => {
    const body = [...of(columns, table), ...of(constraints, table)].join(',\n')
    return [`create table ${table} (\n${body}\n);`, ...of(indexes, table)].join('\n')
  })
  return `-- Database schema after the last migration. Generated by \`npm run pool -- migrate --write-schema\`.\n\n${described.join('\n\n')}\n`
}

export const saveSchema = async (sql: Sql): Promise<void> => writeFileSync(schemaFile, await describeSchema(sql))
