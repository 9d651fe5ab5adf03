import { catalogue } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Settings } from '../platform/settings.ts'
import { genreImage, treeOrder } from './genre-tree.ts'
import { sectionsOf } from './sections.ts'

const { HOME_GENRE_ID, SECTIONS } = catalogue

type GenreName = { genre_id: number; name: string }

/** Returns the genre with this id, or the one it was merged into. Throws `unknown_genre`. */
export async function findGenre(sql: Sql, genreId: number): Promise<GenreName> {
  const [found] = await sql<GenreName[]>`
    select genre_id, name from genre where genre_id = coalesce(
      (select genre_id from genre_alias where former_id = ${genreId}), ${genreId})`
  if (!found) throw new ApiError('unknown_genre', 'This genre doesn’t exist. It may have been renamed or deleted.')
  return found
}

/** Returns the id of the genre that this one was merged into, else the id itself, even if it does not exist. */
export async function currentGenre(sql: Sql, genreId: number): Promise<number> {
  const [formerGenre] = await sql<{ genre_id: number }[]>`select genre_id from genre_alias where former_id = ${genreId}`
  return formerGenre?.genre_id ?? genreId
}

const MAX_HOME_CHIPS = 12

/** Moods are left out when an admin has hidden them. */
type HomeSettings = Pick<Settings, 'hidden'>

/**
 * The genre chips of the home page in the operator's order; the main genres with the most songs when none were chosen.
 */
export async function homeChips(sql: Sql, { hidden }: HomeSettings): Promise<GenreName[]> {
  const chosen = await sql<GenreName[]>`
    select g.genre_id, g.name from genre g left join genre up on up.genre_id = g.parent_id
    where g.home_chip and (g.kind = 'genre' or ${!hidden.has('moods')}) order by ${treeOrder(sql)}`
  if (chosen.length > 0) return chosen
  return sql<GenreName[]>`
    select g.genre_id, g.name from genre g join genre_counter c using (genre_id)
    where c.song_section_id = ${SECTIONS.songs} and c.songs > 0 and g.kind = 'genre' and g.parent_id is null
    order by c.songs desc, g.position, g.genre_id limit ${MAX_HOME_CHIPS}`
}

/**
 * The genre that the home page opens with: number 31 if the pool has it, else its first chip; undefined in an empty
 * pool.
 */
export async function homeGenre(sql: Sql, homeSettings: HomeSettings): Promise<GenreName | undefined> {
  const homeGenres = await homeChips(sql, homeSettings)
  return homeGenres.find((genre) => genre.genre_id === HOME_GENRE_ID) ?? homeGenres[0]
}

/** Main genres that have songs in a section. */
export const genresWithSongs = async (sql: Sql, section: number): Promise<GenreName[]> =>
  sql<GenreName[]>`
    select g.genre_id, g.name from genre g where g.kind = 'genre' and g.parent_id is null and exists (
      select 1 from genre_counter c
      where c.genre_id = g.genre_id and c.song_section_id = any(${sectionsOf(section)}::smallint[]) and c.songs > 0)
    order by g.position, g.genre_id`

type CountedGenre = GenreName & {
  parent_id: number | null
  kind: 'genre' | 'mood'
  song_count: number
  artwork: string | null
}

/** Moods, and main genres with their sub-genres, each with the number of songs. */
export async function genresWithCounts(sql: Sql, section: number) {
  const rows = await sql<CountedGenre[]>`
    select g.genre_id, g.name, g.parent_id, g.kind, encode(a.sha256, 'hex') as artwork,
      coalesce((select sum(c.songs) from genre_counter c
        where c.genre_id = g.genre_id and c.song_section_id = any(${sectionsOf(section)}::smallint[])), 0)::int as song_count
    from genre g left join artwork a using (artwork_id)
    order by g.position, g.genre_id`
  const show = ({ genre_id, name, song_count, artwork }: CountedGenre) => ({
    genre_id,
    name,
    image: genreImage({ genre_id, name, artwork }),
    song_count,
  })
  const below = (parent: CountedGenre) => rows.filter((row) => row.parent_id === parent.genre_id).map(show)
  const tree = (kind: CountedGenre['kind']): catalogue.GenreWithCount[] =>
    rows
      .filter((row) => row.kind === kind && row.parent_id === null)
      .map((row) => ({ ...show(row), subgenre: below(row) }))
  return { moods: tree('mood'), genres: tree('genre') }
}

/** The number of songs of a genre in a section; genre 0 counts all of them. */
export async function countSongs(sql: Sql, genreId: number, section: number): Promise<number> {
  const [counter] = await sql<{ songs: number }[]>`
    select coalesce(sum(songs), 0)::int as songs from genre_counter
    where genre_id = ${genreId} and song_section_id = any(${sectionsOf(section)}::smallint[])`
  return counter?.songs ?? 0
}
