import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { backupPaths, type Manifest } from './manifest.ts'

/** What PostgreSQL's text format of COPY writes after a backslash (documentation of COPY, "Text Format"). */
const ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const readValue = (text: string): string | null =>
  text === '\\N' ? null : text.replace(/\\(.)/g, (_, sign: string) => ESCAPES[sign] ?? sign)

/**
 * Reads the rows of a table in a backup, each value as PostgreSQL writes it; none when the backup has no such table.
 */
export async function* readDumpedTable(
  folder: string,
  manifest: Manifest,
  table: string,
): AsyncGenerator<Record<string, string | null>> {
  const columns = manifest.tables.find((one) => one.table === table)?.columns
  if (!columns) return
  const text = createReadStream(backupPaths(folder).table(table)).pipe(createGunzip())
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    const values = line.split('\t')
    yield Object.fromEntries(columns.map((column, n) => [column, readValue(values[n] ?? '\\N')]))
  }
}

/** The hex digits of a bytea in PostgreSQL's notation: `\x0a0b`. */
export const hexOf = (value: string | null | undefined): string => (value ?? '').replace(/^\\x/, '')
