import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'
import { rollUpDownloads } from './chart-outbox.ts'

/** Makes downloads wait: each inserts a row here in its own statement, and every roll-up takes it from here. */
export const lockDownloads = async (sql: Sql): Promise<void> => {
  await sql`lock table download_outbox in share row exclusive mode`
}

/**
 * Downloads refer to the song of their version; grants are per version and do not change. Part of the caller's
 * transaction.
 */
export async function mergeDownloads(sql: Sql, { from, into }: SongMerge): Promise<void> {
  await sql`update download set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
  await sql`update download_outbox set entity_id = ${into} where entity_id = any(${[...from]}::bigint[])`
}

/** Counts the downloads in the outbox first, because it does not store versions. */
export async function splitDownloads(sql: Sql, { versionIds, from, into }: SongSplit): Promise<void> {
  while ((await rollUpDownloads(sql)) > 0);
  // There is no index of the version alone.
  await sql`
    update download set entity_id = ${into}
    where entity_id = ${from} and song_version_id = any(${[...versionIds]}::bigint[])`
}

/** Selects the times of a song's counted downloads. */
export const downloadTimes = (sql: Sql, entityId: number) =>
  sql`select at from download where entity_id = ${entityId} and not free`

/** Returns the number of counted downloads of each version that has any. */
export async function countVersionDownloads(sql: Sql, versionIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await sql<{ song_version_id: number; n: number }[]>`
    select d.song_version_id, count(*)::int as n from song_version v
      join download d on d.entity_id = v.entity_id and d.song_version_id = v.song_version_id
    where v.song_version_id = any(${[...versionIds]}::bigint[]) and not d.free group by 1`
  return new Map(rows.map(({ song_version_id, n }) => [song_version_id, n]))
}
