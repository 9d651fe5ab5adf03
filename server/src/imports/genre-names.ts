import { findOrAddGenre } from '../catalogue/additions.ts'
import type { Sql } from '../platform/db.ts'

/** 'Hip-Hop', 'hip hop' and 'HipHop' are the same genre, and so are 'Drum & Bass' and 'Drum and Bass'. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^\p{L}\p{N}]+/gu, '')

/** Returns the genres with these current or former names; an unused name becomes a new main genre. */
export async function findGenresByName(sql: Sql, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const known = await sql<{ genre_id: number; name: string }[]>`
    select genre_id, name from (
      select genre_id, name, false as once, parent_id from genre where kind = 'genre'
      union all select genre_id, f.name, true, parent_id from genre_alias f join genre using (genre_id) where kind = 'genre') named
    order by once, parent_id nulls first, genre_id`
  const ids: number[] = []
  for (const name of names) {
    const matchingGenre = known.find((genre) => plain(genre.name) === plain(name))
    ids.push(matchingGenre ? matchingGenre.genre_id : await findOrAddGenre(sql, name))
  }
  return [...new Set(ids)]
}
