import type { Sql } from '../platform/db.ts'

/** Searches in a merged genre now search in the genre it was merged into. Part of the caller's transaction. */
export async function moveSearchGenre(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    update saved_search set query = jsonb_set(query, '{genre_id}', to_jsonb(${into}::int))
    where query -> 'genre_id' = to_jsonb(${from}::int)`
}
