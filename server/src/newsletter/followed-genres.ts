import { findGenre } from '../catalogue/genres.ts'
import type { Sql } from '../platform/db.ts'

type FollowedGenre = { genre_id: number; name: string }

/** Returns the genres a member follows, by name. */
export const listFollowed = async (sql: Sql, customerId: number): Promise<FollowedGenre[]> =>
  sql<FollowedGenre[]>`
    select genre_id, name from followed_genre join genre using (genre_id)
    where customer_id = ${customerId} order by lower(name), genre_id`

/** Follows or unfollows a genre, and returns all followed genres. Throws `unknown_genre`. */
export async function followGenre(
  sql: Sql,
  customerId: number,
  { genre_id: genreId, follow }: { genre_id: number; follow: boolean },
): Promise<FollowedGenre[]> {
  const { genre_id } = await findGenre(sql, genreId)
  if (follow) {
    await sql`
      insert into followed_genre (customer_id, genre_id) values (${customerId}, ${genre_id}) on conflict do nothing`
  } else {
    await sql`delete from followed_genre where customer_id = ${customerId} and genre_id = ${genre_id}`
  }
  return listFollowed(sql, customerId)
}
