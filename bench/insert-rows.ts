import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool, Sql } from '../server/src/platform/db.ts'

/**
 * Fills tables on one connection as fast as possible: indexes are dropped first and created again afterwards (much
 * faster, above all for a GIN index), foreign keys are not checked, and commits do not wait for the disk, because an
 * interrupted fill is discarded.
 */
export async function withoutIndexes(
  pool: Pool,
  tables: string[],
  insertRows: (sql: Sql) => Promise<void>,
): Promise<void> {
  const sql = await pool.reserve()
  try {
    await sql`set synchronous_commit = off`
    await sql`set session_replication_role = replica`
    await sql`set maintenance_work_mem = '512MB'`
    const indexes = await sql<{ indexname: string; indexdef: string }[]>`
      select indexname, indexdef from pg_indexes
      where tablename = any(${tables}) and not exists (select 1 from pg_constraint where conname = indexname)`
    for (const { indexname } of indexes) await sql.unsafe(`drop index ${indexname}`)
    await insertRows(sql)
    for (const { indexdef } of indexes) await sql.unsafe(indexdef)
  } finally {
    await sql`reset all`
    sql.release()
  }
}

export type Cell = string | number | null

const cell = (value: Cell): string =>
  value === null
    ? '\\N'
    : String(value).replace(/[\\\t\n]/g, (character) =>
        character === '\\' ? '\\\\' : character === '\t' ? '\\t' : '\\n',
      )

/** Inserts rows with PostgreSQL's COPY in text format, the fastest way to insert. */
export async function copy(sql: Sql, tableName: string, rows: Cell[][]): Promise<void> {
  const lines = rows.map((row) => `${row.map(cell).join('\t')}\n`)
  await pipeline(Readable.from([lines.join('')]), await sql`copy ${sql.unsafe(tableName)} from stdin`.writable())
}
