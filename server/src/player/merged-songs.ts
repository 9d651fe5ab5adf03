import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/** Listens refer to the song of their version. Part of the caller's transaction. */
export async function mergeListens(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update listen set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

export async function splitListens(sql: Sql, { versionIds, into }: SongSplit): Promise<void> {
  await sql`update listen set entity_id = ${into} where song_version_id = any(${[...versionIds]}::bigint[])`
}
