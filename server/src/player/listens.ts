import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'

/** Counts one listen; the same key again counts nothing. Refuses `unknown_version`. */
export async function countListen(
  sql: Sql,
  customerId: number,
  listen: { song_version_id: number; listen_key: string },
): Promise<boolean> {
  const [version] = await sql<
    { entity_id: number }[]
  >`select entity_id from song_version where song_version_id = ${listen.song_version_id}`
  if (!version) throw new Refusal('unknown_version', 'There is no such version. It may have been withdrawn.')
  const [counted] = await sql`
    insert into listen (listen_key, customer_id, song_version_id, entity_id)
    values (${listen.listen_key}, ${customerId}, ${listen.song_version_id}, ${version.entity_id})
    on conflict do nothing returning 1`
  return counted !== undefined
}
