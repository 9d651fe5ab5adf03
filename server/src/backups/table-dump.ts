import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { copyOut } from '../platform/copy.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { type Applied, readHistory } from '../platform/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { SequenceDump, TableDump } from './manifest.ts'
import { type ReferencedFile, readAllReferenced } from './referenced-files.ts'

/** The database at one moment. */
export type Snapshot = {
  taken_at: Date
  migrations: Applied[]
  tables: TableDump[]
  sequences: SequenceDump[]
  files: ReferencedFile[]
}

type DumpOptions = {
  fileOf(table: string): string
  signal: AbortSignal
  /** Called and awaited before each table. */
  onTable?: (table: string) => void | Promise<void>
}

/**
 * Writes all tables of the pool from one snapshot; returns its time and the files it references. Other connections can
 * read and write in the meantime; a migration waits. Throws BackupError if there is no pool.
 */
export async function dumpDatabase({ sql: pool, jobs }: DatabaseConnections, options: DumpOptions): Promise<Snapshot> {
  const before = await readTables(pool)
  if ((await readHistory(pool)).length === 0) throw new BackupError('The database has not been set up yet.')
  const snapshot = await pool.begin('isolation level repeatable read read only', async (sql) => {
    // The snapshot is taken by the first statement that reads. Until then no migration may change a table.
    await sql.unsafe(`lock table ${before.map(({ table }) => quoted(table)).join(', ')} in access share mode`)
    await sql.unsafe(NO_TIMEOUT_SETTINGS)
    const [snapshotPoint] = await sql<SnapshotPoint[]>`select now() as taken_at, pg_export_snapshot() as snapshot`
    if (!snapshotPoint) throw new Error('Database returned no time')
    const all = await readTables(sql)
    if (all.map(({ table }) => table).join() !== before.map(({ table }) => table).join())
      throw new BackupError('The database was migrated to a newer version during the backup. Run the backup again.')
    return {
      taken_at: snapshotPoint.taken_at,
      migrations: await readHistory(sql),
      tables: await dumpTables(jobs, snapshotPoint.snapshot, sortByDependency(all), options),
      files: await readAllReferenced(sql),
      // Sequences are not part of the snapshot. Read last, they are beyond every number in a table.
      sequences: await readSequences(sql),
    }
  })
  return snapshot as Snapshot
}

/** The job queue's driver supports COPY: see platform/copy.ts. */
type DatabaseConnections = { sql: Pool; jobs: pg.Pool }

type SnapshotPoint = { taken_at: Date; snapshot: string }

const NO_TIMEOUT_SETTINGS = `
  select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`

/** Fixes how values are written, whatever the server's settings are. */
const PLAIN_OUTPUT_SETTINGS = `
  select set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO, MDY', true), set_config('bytea_output', 'hex', true),
    set_config('IntervalStyle', 'postgres', true), set_config('client_encoding', 'UTF8', true)`

/** Writes the tables as another transaction's snapshot sees them. */
async function dumpTables(
  jobs: pg.Pool,
  snapshot: string,
  tables: readonly TableInfo[],
  options: DumpOptions,
): Promise<TableDump[]> {
  const client = await jobs.connect()
  let isDone = false
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set transaction snapshot '${snapshot}'`)
    for (const settings of [NO_TIMEOUT_SETTINGS, PLAIN_OUTPUT_SETTINGS]) await client.query(settings)
    const dumped: TableDump[] = []
    for (const table of tables) {
      await options.onTable?.(table.table)
      dumped.push(await dumpTable(client, table, options))
    }
    await client.query('commit')
    isDone = true
    return dumped
  } finally {
    // In the middle of a COPY the connection cannot be reused.
    client.release(!isDone)
  }
}

/** `columns` are those with values of their own: PostgreSQL computes generated columns and refuses values for them. */
type TableInfo = { table: string; columns: string[]; key: string[]; refers_to: string[] }

const readTables = (sql: Sql): Promise<TableInfo[]> => sql<TableInfo[]>`
  select c.relname::text as table,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    (select array_agg(a.attname::text order by k.n) from pg_constraint p
      cross join unnest(p.conkey) with ordinality k (attnum, n) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
      where p.conrelid = c.oid and p.contype = 'p') as key,
    array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
      where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`

/** Sorts tables so that each comes after those it refers to. Throws when tables refer to each other in a circle. */
function sortByDependency(tables: readonly TableInfo[]): TableInfo[] {
  const ordered: TableInfo[] = []
  const remaining = [...tables]
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ refers_to }) =>
      refers_to.every((other) => !remaining.some(({ table }) => table === other)),
    )
    if (next < 0)
      throw new Error(`Circular references between tables: ${remaining.map(({ table }) => table).join(', ')}.`)
    ordered.push(...remaining.splice(next, 1))
  }
  return ordered
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const quotedList = (names: readonly string[]): string => names.map(quoted).join(', ')

async function dumpTable(
  client: pg.PoolClient,
  { table, columns, key }: TableInfo,
  { fileOf, signal }: DumpOptions,
): Promise<TableDump> {
  const file = fileOf(table)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const chosen = `select ${quotedList(columns)} from ${quoted(table)} order by ${quotedList(key ?? columns)}`
  const rows = copyOut(client, `copy (${chosen}) to stdout`)
  const measure = measureRows()
  const written = createWriteStream(file, { mode: 0o600 })
  await pipeline(rows, measure.through, createGzip({ level: 3 }), written, { signal })
  await syncFile(file)
  return { table, columns, ...measure.seen() }
}

/**
 * Counts and hashes rows as they pass: one per line, in PostgreSQL's text format, where a line break within a value is
 * `\n`.
 */
export function measureRows() {
  const hash = createHash('sha256')
  let rows = 0
  let bytes = 0
  const rowMeter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
      done(null, chunk)
    },
  })
  return { through: rowMeter, seen: () => ({ rows, bytes, sha256: hash.digest('hex') }) }
}

async function readSequences(sql: Sql): Promise<SequenceDump[]> {
  const sequences = await sql<{ sequence: string }[]>`
    select relname::text as sequence from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`
  const read: SequenceDump[] = []
  for (const { sequence } of sequences) {
    const [sequenceState] = await sql.unsafe<Omit<SequenceDump, 'sequence'>[]>(
      `select last_value::text, is_called from ${quoted(sequence)}`,
    )
    if (sequenceState) read.push({ sequence, ...sequenceState })
  }
  return read
}

export async function syncFile(name: string): Promise<void> {
  const file = await open(name, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
