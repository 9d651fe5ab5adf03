import type { Sql } from '../platform/db.ts'

/** Songs that were merged into another one, and the remaining song. */
export type SongMerge = { from: readonly number[]; into: number }

/** Versions that become a song of their own. */
export type SongSplit = { versionIds: readonly number[]; from: number; into: number }

/** Returns the id of the song that this one was merged into, else the id itself. */
export async function currentSong(sql: Sql, entityId: number): Promise<number> {
  const [merged] = await sql<{ into_entity_id: number }[]>`
    select into_entity_id from merged_song where entity_id = ${entityId}`
  return merged?.into_entity_id ?? entityId
}

/**
 * Returns the song that the one with this name was merged into; undefined when none was merged, or a song with this
 * name exists again.
 */
export async function findMergedSong(sql: Sql, section: number, identity: string): Promise<number | undefined> {
  const [merged] = await sql<{ into_entity_id: number }[]>`
    select into_entity_id from merged_song m where song_section_id = ${section} and song_identity = ${identity}
      and not exists (select 1 from song s where (s.song_section_id, s.song_identity) = (m.song_section_id, m.song_identity))
    order by merged_at desc limit 1`
  return merged?.into_entity_id
}
