import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'
import { rollUpListens } from './chart-outbox.ts'

/** Makes listens wait: each inserts a row here in its own statement, and every roll-up takes it from here. */
export const lockListens = async (sql: Sql): Promise<void> => {
  await sql`lock table listen_outbox in share row exclusive mode`
}

/** Listens refer to the song of their version. Part of the caller's transaction. */
export async function mergeListens(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update listen set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
  await sql`update listen_outbox set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

/** Counts the listens in the outbox first, because it does not store versions. */
export async function splitListens(sql: Sql, { versionIds, from, into }: SongSplit): Promise<void> {
  while ((await rollUpListens(sql)) > 0);
  await sql`
    update listen set entity_id = ${into}
    where entity_id = ${from} and song_version_id = any(${[...versionIds]}::bigint[])`
}

/** Selects the times of a song's listens. */
export const listenTimes = (sql: Sql, entityId: number) => sql`select at from listen where entity_id = ${entityId}`
