import { catalogue } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { generatedImage } from './images.ts'

const { HOME_GENRE_ID, SECTIONS } = catalogue

type GenreName = { genre_id: number; name: string }

/** The genre of this id. Refuses `unknown_genre`. */
export async function findGenre(sql: Sql, genreId: number): Promise<GenreName> {
  const [found] = await sql<GenreName[]>`select genre_id, name from genre where genre_id = ${genreId}`
  if (!found) throw new Refusal('unknown_genre', 'There is no such genre. It may have been renamed or removed.')
  return found
}

const CHIPS = 12

/** The chips of the home page in the operator's order; where none were chosen, the main genres with the most songs. */
export async function homeChips(sql: Sql): Promise<GenreName[]> {
  const chosen = await sql<GenreName[]>`select genre_id, name from genre where home_chip order by position, genre_id`
  if (chosen.length > 0) return chosen
  return sql<GenreName[]>`
    select g.genre_id, g.name from genre g join genre_counter c using (genre_id)
    where c.song_section_id = ${SECTIONS.songs} and c.songs > 0 and g.kind = 'genre' and g.parent_id is null
    order by c.songs desc, g.position, g.genre_id limit ${CHIPS}`
}

/** The genre the home page opens on: number 31 where a pool has it, else its first chip; undefined in an empty pool. */
export async function homeGenre(sql: Sql): Promise<GenreName | undefined> {
  const chips = await homeChips(sql)
  return chips.find((genre) => genre.genre_id === HOME_GENRE_ID) ?? chips[0]
}

/** Main genres that have songs in a section. */
export const genresWithSongs = async (sql: Sql, section: number): Promise<GenreName[]> =>
  sql<GenreName[]>`
    select g.genre_id, g.name from genre g join genre_counter c using (genre_id)
    where c.song_section_id = ${section} and c.songs > 0 and g.kind = 'genre' and g.parent_id is null
    order by g.position, g.genre_id`

type Counted = GenreName & { parent_id: number | null; kind: 'genre' | 'mood'; song_count: number }

/** Moods, and main genres with their sub-genres, each with how many songs it lists. */
export async function genresWithCounts(sql: Sql, section: number) {
  const rows = await sql<Counted[]>`
    select g.genre_id, g.name, g.parent_id, g.kind, coalesce(c.songs, 0) as song_count
    from genre g left join genre_counter c on c.genre_id = g.genre_id and c.song_section_id = ${section}
    order by g.position, g.genre_id`
  const show = ({ genre_id, name, song_count }: Counted) => ({
    genre_id,
    name,
    image: generatedImage('genre', genre_id, name),
    song_count,
  })
  const below = (parent: Counted) => rows.filter((row) => row.parent_id === parent.genre_id).map(show)
  const tree = (kind: Counted['kind']): catalogue.GenreWithCount[] =>
    rows
      .filter((row) => row.kind === kind && row.parent_id === null)
      .map((row) => ({ ...show(row), subgenre: below(row) }))
  return { moods: tree('mood'), genres: tree('genre') }
}

/** How many songs a genre lists in a section; genre 0 counts all of them. */
export async function countSongs(sql: Sql, genreId: number, section: number): Promise<number> {
  const [counter] = await sql<{ songs: number }[]>`
    select songs from genre_counter where genre_id = ${genreId} and song_section_id = ${section}`
  return counter?.songs ?? 0
}
