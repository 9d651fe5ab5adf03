import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/**
 * The ledger names the song its version belongs to; grants are of versions, and stay. Part of the caller's transaction.
 */
export async function mergeDownloads(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update download set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

export async function splitDownloads(sql: Sql, { versionIds, into }: SongSplit): Promise<void> {
  await sql`update download set entity_id = ${into} where song_version_id = any(${[...versionIds]}::bigint[])`
}
