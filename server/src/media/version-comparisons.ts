import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { findChangedPlaces, type LevelPrint } from '../analysis/changed-places.ts'
import { MAX_PRINT_BYTES, unpackCodes } from '../analysis/fingerprint.ts'
import type { Sql } from '../platform/db.ts'

/** Raised when the comparison would find other places, so that stored ones are repeated. */
export const COMPARISON_METHOD = 1

export type FilePair = { clean_file_id: number; dirty_file_id: number }

const inflate = promisify(inflateRaw)

async function readPrint(sql: Sql, fileId: number): Promise<LevelPrint | undefined> {
  const [row] = await sql<{ codes: Buffer; levels: Buffer }[]>`
    select codes, levels from fingerprint where file_id = ${fileId} and levels is not null`
  if (!row) return undefined
  return { codes: unpackCodes(row.codes), levels: await inflate(row.levels, { maxOutputLength: MAX_PRINT_BYTES }) }
}

/** Compares two files and stores the result. Does nothing if one of them has not been analysed for it. */
export async function compareFiles(sql: Sql, { clean_file_id, dirty_file_id }: FilePair): Promise<void> {
  const [clean, dirty] = [await readPrint(sql, clean_file_id), await readPrint(sql, dirty_file_id)]
  if (!clean || !dirty) return
  const difference = findChangedPlaces(clean, dirty)
  const places = difference ? sql.json(difference.places) : null
  // Files may be deleted in the meantime.
  await sql`
    insert into version_comparison (clean_file_id, dirty_file_id, method, places, is_same)
    select c.file_id, d.file_id, ${COMPARISON_METHOD}, ${places}, ${difference?.is_same ?? false}
    from file c, file d where c.file_id = ${clean_file_id} and d.file_id = ${dirty_file_id}
    on conflict (clean_file_id, dirty_file_id) do update set method = excluded.method, places = excluded.places,
      is_same = excluded.is_same, compared_at = now()`
}

/** Removes the comparisons of a file whose analysis has changed. They are repeated in the background. */
export const removeComparisons = (sql: Sql, fileId: number) =>
  sql`delete from version_comparison where clean_file_id = ${fileId} or dirty_file_id = ${fileId}`
