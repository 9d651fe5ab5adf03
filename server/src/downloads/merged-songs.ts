import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/**
 * Downloads refer to the song of their version; grants are per version and do not change. Part of the caller's
 * transaction.
 */
export async function mergeDownloads(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update download set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

export async function splitDownloads(sql: Sql, { versionIds, into }: SongSplit): Promise<void> {
  await sql`update download set entity_id = ${into} where song_version_id = any(${[...versionIds]}::bigint[])`
}
