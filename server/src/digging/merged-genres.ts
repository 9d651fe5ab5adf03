import type { Sql } from '../platform/db.ts'

/** Moves mutes of a merged genre, and decisions about its list, to the other one. Part of the caller's transaction. */
export async function moveDigGenre(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    with gone as (delete from mute where genre_id = ${from} returning customer_id, muted_at)
    insert into mute (customer_id, kind, genre_id, muted_at) select customer_id, 'genre', ${into}, muted_at from gone
    on conflict do nothing`
  await sql`
    with gone as (delete from dig_decision where list = ${`genre-${from}`} returning *)
    insert into dig_decision (customer_id, list, entity_id, action, crate_versions, has_added, decided_at)
    select customer_id, ${`genre-${into}`}, entity_id, action, crate_versions, has_added, decided_at from gone
    on conflict do nothing`
}
