import type { SongMerge, SongSplit } from '../catalogue/merged-songs.ts'
import type { Sql } from '../platform/db.ts'

/** Matches follow the song that remains, and the versions that replace others. Part of the caller's transaction. */
export async function mergeOwnLibraries(
  sql: Sql,
  { from, into }: SongMerge,
  replaced: readonly { gone: number; stays: number }[],
): Promise<void> {
  const ids = [...from]
  const pairs = sql`
    unnest(${replaced.map(({ gone }) => gone)}::bigint[], ${replaced.map(({ stays }) => stays)}::bigint[]) as pair (gone, stays)`
  await sql`update own_library_entry set entity_id = ${into} where entity_id = any(${ids}::bigint[])`
  await sql`
    update own_library_entry e set song_version_id = pair.stays from ${pairs} where e.entity_id = ${into} and e.song_version_id = pair.gone`
  await sql`update own_library_candidate set entity_id = ${into} where entity_id = any(${ids}::bigint[])`
  await sql`
    update own_library_candidate c set song_version_id = pair.stays from ${pairs} where c.entity_id = ${into} and c.song_version_id = pair.gone`
  await sql`
    delete from own_library_candidate c where c.entity_id = ${into} and exists (
      select 1 from own_library_candidate other
      where other.entry_id = c.entry_id and other.entity_id = c.entity_id and other.rank < c.rank)`
}

/** Matches follow their versions to a new song. Those whose version is unknown stay with the original song. */
export async function splitOwnLibraries(sql: Sql, { versionIds, from, into }: SongSplit): Promise<void> {
  const ids = [...versionIds]
  await sql`update own_library_entry set entity_id = ${into}
    where entity_id = ${from} and song_version_id = any(${ids}::bigint[])`
  await sql`update own_library_candidate set entity_id = ${into}
    where entity_id = ${from} and song_version_id = any(${ids}::bigint[])`
}
