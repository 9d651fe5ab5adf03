import type { Sql } from '../platform/db.ts'

/** Replaces a merged genre in members' songs, without duplicates. Part of the caller's transaction. */
export async function moveUploadGenre(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    update upload_song set genres = array(
      select distinct unnest(array_replace(genres, ${from}::int, ${into}::int)) order by 1)
    where ${from}::int = any(genres)`
  await sql`
    update upload set tag = jsonb_set(tag, '{genre_ids}', (
      select jsonb_agg(distinct case when id = to_jsonb(${from}::int) then to_jsonb(${into}::int) else id end)
      from jsonb_array_elements(tag -> 'genre_ids') id))
    where tag -> 'genre_ids' @> to_jsonb(array[${from}::int])`
}

/** Selects the songs whose uploader chose a genre. */
export const songsUploadedIn = (sql: Sql, genreId: number) =>
  sql`select entity_id from upload_song where deleted_at is null and ${genreId} = any(genres)`
