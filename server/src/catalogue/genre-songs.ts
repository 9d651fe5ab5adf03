import type { Sql } from '../platform/db.ts'
import { rebuildAnchorsOf } from './lists.ts'
import { addWords } from './search-index.ts'

/** Where songs are listed follows the tree: many at once, each in one statement with its place in the search. */

const genreFacet = (genreId: number) => `#g${genreId}`

/** The songs of a genre are listed in another one as well. */
export async function copyListings(sql: Sql, genreId: number, intoId: number): Promise<void> {
  await addWords(sql, [genreFacet(intoId)])
  await sql`
    with added as (
      insert into song_genre (entity_id, genre_id, listed_section)
      select entity_id, ${intoId}, listed_section from song_genre where genre_id = ${genreId} order by entity_id
      on conflict do nothing returning entity_id)
    update song_search s set tsv = tsv || array_to_tsvector(${[genreFacet(intoId)]}::text[]) from added
    where s.entity_id = added.entity_id`
}

/**
 * The songs of an entry leave the main one it was under, unless another entry below it has them or their uploader chose
 * the main one itself.
 */
export async function unlistMainGenre(sql: Sql, genreId: number, mainId: number): Promise<void> {
  await sql`
    with gone as (
      delete from song_genre main using song_genre sub
      where main.genre_id = ${mainId} and sub.genre_id = ${genreId} and sub.entity_id = main.entity_id
        and not exists (
          select 1 from song_genre other join genre g using (genre_id)
          where other.entity_id = main.entity_id and g.parent_id = ${mainId} and g.genre_id <> ${genreId})
        and not exists (
          select 1 from upload_song u where u.entity_id = main.entity_id and u.deleted_at is null and ${mainId} = any(u.genres))
      returning main.entity_id)
    update song_search s set tsv = ts_delete(tsv, ${genreFacet(mainId)}) from gone where s.entity_id = gone.entity_id`
}

/** The songs of a genre leave it. */
export async function unlistGenre(sql: Sql, genreId: number): Promise<void> {
  await sql`
    with gone as (delete from song_genre where genre_id = ${genreId} returning entity_id)
    update song_search s set tsv = ts_delete(tsv, ${genreFacet(genreId)}) from gone where s.entity_id = gone.entity_id`
}

/** Counts genres anew whose songs were moved. Whoever lists a song meanwhile has counted it, or waits to. */
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

/** Nothing of a genre is left but its name. */
export async function deleteGenreFacets(sql: Sql, genreId: number): Promise<void> {
  await sql`delete from chart_snapshot where genre_id = ${genreId}`
  await sql`delete from list_anchor where genre_id = ${genreId}`
  await sql`delete from genre_counter where genre_id = ${genreId}`
  await sql`delete from search_word where word = ${genreFacet(genreId)}`
  await sql`delete from genre where genre_id = ${genreId}`
}
