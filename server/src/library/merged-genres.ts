import type { Sql } from '../platform/db.ts'

/** Moves mutes of a merged genre to the other one. Part of the caller's transaction. */
export async function moveMutedGenre(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    with gone as (delete from mute where genre_id = ${from} returning customer_id, muted_at)
    insert into mute (customer_id, kind, genre_id, muted_at) select customer_id, 'genre', ${into}, muted_at from gone
    on conflict do nothing`
}
