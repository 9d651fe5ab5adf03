import type { Sql } from '../platform/db.ts'
import { countListed } from './additions.ts'

/** Removes a song from every list and from the counts, if it is listed. Part of the caller's transaction. */
export async function removeFromLists(sql: Sql, entityId: number): Promise<void> {
  const [song] = await sql<{ song_section_id: number }[]>`
    select song_section_id from song where entity_id = ${entityId} and status = 'published' for update`
  if (!song) return
  const genres = await sql<{ genre_id: number }[]>`
    with listed as (
      select genre_id from song_genre where entity_id = ${entityId} and listed_section is not null order by genre_id)
    update song_genre set listed_section = null from listed
    where song_genre.entity_id = ${entityId} and song_genre.genre_id = listed.genre_id returning song_genre.genre_id`
  for (const id of counterGenres(genres))
    await sql`update genre_counter set songs = songs - 1 where genre_id = ${id} and song_section_id = ${song.song_section_id}`
}

/** Lists a published song that is not listed yet under its genres, and adds it to the counts. */
export async function addToLists(sql: Sql, entityId: number): Promise<void> {
  const [song] = await sql<{ song_section_id: number }[]>`
    select song_section_id from song where entity_id = ${entityId} and status = 'published'`
  if (!song) return
  const genres = await sql<{ genre_id: number }[]>`
    update song_genre set listed_section = ${song.song_section_id} where entity_id = ${entityId} returning genre_id`
  for (const id of counterGenres(genres)) await countListed(sql, id, song.song_section_id)
}

/** The counters of a song's genres and that of all songs, in the order in which every transaction locks them. */
const counterGenres = (genres: readonly { genre_id: number }[]): number[] =>
  [0, ...genres.map(({ genre_id }) => genre_id)].sort((a, b) => a - b)
