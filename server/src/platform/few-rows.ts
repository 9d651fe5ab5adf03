import type { Sql, SqlFragment } from './db.ts'

/** Up to this many rows are looked up by their ids. */
export const MAX_FEW_ROWS = 500

/**
 * Returns the ids that a SELECT of `id` finds; undefined if there are more than MAX_FEW_ROWS. A search for words that many
 * rows have takes long even if few rows have all of them: the page and the counts of a list need not each run it.
 */
export async function idsIfFew(sql: Sql, select: SqlFragment): Promise<number[] | undefined> {
  const rows = await sql<{ id: number }[]>`${select} limit ${MAX_FEW_ROWS + 1}`
  return rows.length <= MAX_FEW_ROWS ? rows.map(({ id }) => id) : undefined
}
