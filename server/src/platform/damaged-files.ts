import type { Sql } from './db.ts'
import type { StorageKind } from './storage.ts'

/**
 * `missing`: not in storage. `truncated`: shorter than recorded in the database. `altered`: its content does not match
 * its hash.
 */
export type DamageKind = 'missing' | 'truncated' | 'altered'

export type StoredName = { kind: StorageKind; ending?: string }

export type DamagedFile = { stored_as: StorageKind; sha256: string; ending: string; kind: DamageKind; found_at: Date }

const ORIGINAL: StoredName = { kind: 'audio' }

/**
 * Records that a stored file is damaged; a source file unless another kind is given. Returns true if this was not known
 * yet.
 */
export async function recordDamagedFile(
  sql: Sql,
  sha256: string,
  kind: DamageKind,
  { kind: stored_as, ending = '' }: StoredName = ORIGINAL,
): Promise<boolean> {
  const [recorded] = await sql<{ is_new: boolean }[]>`
    insert into damaged_file (stored_as, sha256, ending, kind) values (${stored_as}, decode(${sha256}, 'hex'), ${ending}, ${kind})
    on conflict (stored_as, sha256, ending) do update set kind = excluded.kind
    returning xmax = 0 as is_new`
  return recorded?.is_new ?? false
}

/** Removes the damage record of a file that is intact again or no longer needed. Returns true if there was one. */
export async function clearDamagedFile(
  sql: Sql,
  sha256: string,
  { kind: stored_as, ending = '' }: StoredName = ORIGINAL,
): Promise<boolean> {
  const cleared = await sql`
    delete from damaged_file
    where stored_as = ${stored_as} and sha256 = decode(${sha256}, 'hex') and ending = ${ending} returning 1`
  return cleared.length > 0
}

/** Returns the files known to be damaged, those known longest first. */
export const listDamagedFiles = async (sql: Sql, max: number): Promise<DamagedFile[]> => sql<DamagedFile[]>`
  select stored_as, encode(sha256, 'hex') as sha256, ending, kind, found_at from damaged_file
  order by found_at, stored_as, damaged_file.sha256 limit ${max}`

/**
 * Returns how many there are and since when the first has been known. Missing source files are counted separately: see
 * file.missing_since.
 */
export async function countDamagedFiles(sql: Sql): Promise<{ count: number; since: Date | null }> {
  const [row] = await sql<{ count: number; since: Date | null }[]>`
    select count(*)::int as count, min(found_at) as since from damaged_file
    where not (stored_as = 'audio' and kind = 'missing')`
  return row ?? { count: 0, since: null }
}
