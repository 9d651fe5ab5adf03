import type { Sql } from '../platform/db.ts'

/** Moves decisions about the list of a merged genre to the other one. Part of the caller's transaction. */
export async function moveDigGenre(sql: Sql, from: number, into: number): Promise<void> {
  await sql`
    with gone as (delete from dig_decision where list = ${`genre-${from}`} returning *)
    insert into dig_decision (customer_id, list, entity_id, action, crate_versions, has_added, decided_at)
    select customer_id, ${`genre-${into}`}, entity_id, action, crate_versions, has_added, decided_at from gone
    on conflict do nothing`
}
