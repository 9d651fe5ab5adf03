import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'
import { rebuildAnchorsOf } from './lists.ts'
import { genreFacet, pairFacet } from './search-index.ts'

/**
 * Updates the listings of songs after changes of the genre tree: many songs at once, each with its search row, in one
 * statement.
 */

const yearPairStart = (genreId: number) => pairFacet(genreFacet(genreId), '#y')
const tempoPairStart = (genreId: number) => pairFacet(genreFacet(genreId), '#B')

/** The facets of a song that name a genre, as an array: see facetsOf. `song` must be in the FROM clause. */
const facetsWithGenre = (sql: Sql, genreId: number) => sql`
  array_remove(array[
    ${genreFacet(genreId)},
    ${yearPairStart(genreId)} || song.year,
    ${tempoPairStart(genreId)} || floor(floor(song.min_bpm + 0.5) / 8)], null)`

/** The facets that name a genre: alone, with a year, and with a tempo. */
const isWithGenre = (sql: Sql, genreId: number) => sql`
  word = ${genreFacet(genreId)} or word like ${`${yearPairStart(genreId)}%`} or word like ${`${tempoPairStart(genreId)}%`}`

/** Lists the songs of a genre in another one as well. */
export async function copyListings(sql: Sql, genreId: number, intoId: number): Promise<void> {
  await sql`
    insert into search_word (word, df)
    select regexp_replace(word, ${`^(#[gG])${genreId}`}, ${`\\1${intoId}`}), df from search_word where ${isWithGenre(sql, genreId)}
    order by 1 on conflict (word) do update set df = search_word.df + excluded.df`
  await sql`
    with added as (
      insert into song_genre (entity_id, genre_id, listed_section, year, min_bpm, max_bpm)
      select entity_id, ${intoId}, listed_section, year, min_bpm, max_bpm from song_genre where genre_id = ${genreId} order by entity_id
      on conflict do nothing returning entity_id)
    update song_search s set tsv = tsv || array_to_tsvector(${facetsWithGenre(sql, intoId)}) from added join song using (entity_id)
    where s.entity_id = added.entity_id`
}

/** Selects the `entity_id` of the songs whose uploader chose a genre. */
export type SongsUploadedIn = (sql: Sql, genreId: number) => PendingQuery<Row[]>

/**
 * Removes the songs of a genre from its main genre, unless another sub-genre of it has them or their uploader chose the
 * main genre itself.
 */
export async function unlistMainGenre(
  sql: Sql,
  genreId: number,
  mainId: number,
  songsUploadedIn: SongsUploadedIn,
): Promise<void> {
  await sql`
    with gone as (
      delete from song_genre main using song_genre sub
      where main.genre_id = ${mainId} and sub.genre_id = ${genreId} and sub.entity_id = main.entity_id
        and not exists (
          select 1 from song_genre other join genre g using (genre_id)
          where other.entity_id = main.entity_id and g.parent_id = ${mainId} and g.genre_id <> ${genreId})
        and not exists (select 1 from (${songsUploadedIn(sql, mainId)}) u where u.entity_id = main.entity_id)
      returning main.entity_id)
    update song_search s set tsv = ts_delete(tsv, ${facetsWithGenre(sql, mainId)}) from gone join song using (entity_id)
    where s.entity_id = gone.entity_id`
}

/** Removes all songs from a genre. */
export async function unlistGenre(sql: Sql, genreId: number): Promise<void> {
  await sql`
    with gone as (delete from song_genre where genre_id = ${genreId} returning entity_id)
    update song_search s set tsv = ts_delete(tsv, ${facetsWithGenre(sql, genreId)}) from gone join song using (entity_id)
    where s.entity_id = gone.entity_id`
}

/**
 * Recounts genres whose songs were moved. A concurrent listing of a song has already been counted, or waits for the
 * lock.
 */
export async function recountGenres(sql: Sql, genreIds: readonly number[]): Promise<void> {
  const ids = [...new Set(genreIds)].sort((a, b) => a - b)
  await sql`
    insert into genre_counter (genre_id, song_section_id)
    select genre_id, section from unnest(${ids}::int[]) genre_id, (values (1), (2)) s (section) order by 1, 2
    on conflict do nothing`
  await sql`select 1 from genre_counter where genre_id = any(${ids}::int[]) order by genre_id, song_section_id for update`
  await sql`
    update genre_counter c set songs = (
      select count(*) from song_genre sg where sg.genre_id = c.genre_id and sg.listed_section = c.song_section_id)
    where genre_id = any(${ids}::int[])`
  await sql`
    insert into search_word (word, df) select '#g' || genre_id, sum(songs)::int from genre_counter
    where genre_id = any(${ids}::int[]) group by genre_id order by 1
    on conflict (word) do update set df = excluded.df`
  await rebuildAnchorsOf(sql, ids)
}

/** Deletes everything about a genre except its name. */
export async function deleteGenreFacets(sql: Sql, genreId: number): Promise<void> {
  await sql`delete from list_anchor where genre_id = ${genreId}`
  await sql`delete from genre_counter where genre_id = ${genreId}`
  await sql`delete from search_word where ${isWithGenre(sql, genreId)}`
  await sql`delete from genre where genre_id = ${genreId}`
}
