import type { SongMerge } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/** Moves decisions to the song that remains, each only once. Part of the caller's transaction. */
export async function mergeDigging(sql: Sql, { from, into }: SongMerge): Promise<void> {
  const ids = [...from]
  await sql`
    with gone as (delete from dig_decision where entity_id = any(${ids}::bigint[]) returning *)
    insert into dig_decision (customer_id, list, entity_id, action, crate_versions, has_added, decided_at)
    select customer_id, list, ${into}, action, crate_versions, has_added, decided_at from gone order by decided_at desc
    on conflict do nothing`
}
