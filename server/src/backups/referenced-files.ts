import type { Sql } from '../platform/db.ts'
import type { StorageKind } from '../platform/storage.ts'

/** A stored file that the database references. `bytes` is null when its length is in no table. */
export type ReferencedFile = { kind: StorageKind; sha256: string; ending: string; bytes: number | null; whose: string }

type FileColumn = {
  kind: StorageKind
  table: string
  column: string
  type: 'bytea' | 'text'
  ending: string
  hasBytes: boolean
}

/** Every column that references stored files. A test checks that the list is complete. */
export const FILE_COLUMNS: readonly FileColumn[] = [
  { kind: 'audio', table: 'file', column: 'sha256', type: 'bytea', ending: '', hasBytes: true },
  { kind: 'audio', table: 'upload', column: 'sha256', type: 'bytea', ending: '', hasBytes: true },
  { kind: 'audio', table: 'import_file', column: 'held_sha256', type: 'bytea', ending: '', hasBytes: true },
  { kind: 'previews', table: 'preview', column: 'sha256', type: 'bytea', ending: '.mp3', hasBytes: true },
  { kind: 'conversions', table: 'conversion', column: 'sha256', type: 'bytea', ending: '', hasBytes: true },
  { kind: 'images', table: 'artwork', column: 'sha256', type: 'bytea', ending: '', hasBytes: false },
  { kind: 'images', table: 'customer', column: 'profile_picture', type: 'text', ending: '', hasBytes: false },
  { kind: 'images', table: 'merchandise', column: 'picture_sha256', type: 'bytea', ending: '', hasBytes: false },
  { kind: 'images', table: 'import_cover', column: 'picture_sha256', type: 'bytea', ending: '.sent', hasBytes: false },
  { kind: 'images', table: 'setting', column: 'picture_sha256', type: 'bytea', ending: '', hasBytes: false },
  { kind: 'attachments', table: 'ticket_file', column: 'sha256', type: 'bytea', ending: '', hasBytes: true },
]

/** The kinds that backups contain: conversions can be made again. */
export const KINDS: readonly StorageKind[] = ['audio', 'previews', 'images', 'attachments']

/** The columns that a database has: one with pending migrations may lack the newest. */
async function columnsIn(sql: Sql, kind: StorageKind): Promise<FileColumn[]> {
  const columns = await sql<{ place: string }[]>`
    select table_name || '.' || column_name as place from information_schema.columns where table_schema = 'public'`
  const there = new Set(columns.map(({ place: location }) => location))
  return FILE_COLUMNS.filter((location) => location.kind === kind && there.has(`${location.table}.${location.column}`))
}

const select = ({ table, column, type, ending, hasBytes }: FileColumn): string => `
  select ${type === 'bytea' ? `encode(${column}, 'hex')` : column} as sha256, '${ending}' as ending,
    ${hasBytes ? 'bytes::bigint' : 'null::bigint'} as bytes, '${table}' as whose
  from ${table} where ${column} is not null`

/** Hashes in hex, in the range [from, to). */
type HashRange = { from: string; to: string }

const EVERY_HASH: HashRange = { from: '', to: '~' }

/** The files of a kind that the database references, each once, by SHA-256 and ending in byte order. */
export async function readReferenced(
  sql: Sql,
  kind: StorageKind,
  { from, to } = EVERY_HASH,
): Promise<ReferencedFile[]> {
  const tableColumns = await columnsIn(sql, kind)
  if (tableColumns.length === 0) return []
  return sql.unsafe<ReferencedFile[]>(
    `
    select '${kind}' as kind, sha256, ending, max(bytes)::bigint as bytes, min(whose) as whose
    from (${tableColumns.map(select).join(' union all ')}) named
    where sha256 collate "C" >= $1 and sha256 collate "C" < $2
    group by sha256, ending order by sha256 collate "C", ending collate "C"`,
    [from, to],
  )
}

/** The referenced files of every kind. */
export async function readAllReferenced(sql: Sql): Promise<ReferencedFile[]> {
  const all: ReferencedFile[] = []
  for (const kind of KINDS) for (const file of await readReferenced(sql, kind)) all.push(file)
  return all
}

/** Whether the database still references a file. */
export async function isReferenced(
  sql: Sql,
  { kind, sha256 }: Pick<ReferencedFile, 'kind' | 'sha256'>,
): Promise<boolean> {
  const queries = (await columnsIn(sql, kind)).map(({ table, column, type }) => {
    const value = type === 'bytea' ? `decode('${sha256}', 'hex')` : `'${sha256}'`
    return `select 1 from ${table} where ${column} = ${value}`
  })
  if (queries.length === 0) return false
  const found = await sql.unsafe(`${queries.join(' union all ')} limit 1`)
  return found.length > 0
}
