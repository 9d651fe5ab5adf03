import type { Sql } from '../platform/db.ts'

/** Counts the followers of each genre that has any. */
export async function countFollowers(sql: Sql): Promise<Map<number, number>> {
  const rows = await sql<{ genre_id: number; n: number }[]>`
    select genre_id, count(*)::int as n from followed_genre group by genre_id`
  return new Map(rows.map(({ genre_id, n }) => [genre_id, n]))
}

/** Moves the followers of a merged genre, and of its charts, to the other one. Part of the caller's transaction. */
export async function moveFollowers(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    with gone as (delete from followed_genre where genre_id = ${from} returning customer_id, followed_at)
    insert into followed_genre (customer_id, genre_id, followed_at) select customer_id, ${into}, followed_at from gone
    on conflict (customer_id, genre_id) do update set followed_at = least(followed_genre.followed_at, excluded.followed_at)`
  await sql`
    with gone as (delete from followed_list where kind = 'chart' and list_id = ${from} returning *)
    insert into followed_list (customer_id, kind, list_id, chart, song_section_id, followed_at)
    select customer_id, kind, ${into}, chart, song_section_id, followed_at from gone
    on conflict (customer_id, kind, list_id, chart, song_section_id)
      do update set followed_at = least(followed_list.followed_at, excluded.followed_at)`
}
