import type { Sql } from '../platform/db.ts'

/** Songs that went into another one, and the one that stayed. */
export type SongMerge = { from: readonly number[]; into: number }

/** Versions that become a song of their own. */
export type SongSplit = { versionIds: readonly number[]; from: number; into: number }

/** The song this number leads to: the one that stayed, where it was merged, else itself. */
export async function currentSong(sql: Sql, entityId: number): Promise<number> {
  const [merged] = await sql<{ into_entity_id: number }[]>`
    select into_entity_id from merged_song where entity_id = ${entityId}`
  return merged?.into_entity_id ?? entityId
}

/** The song that holds the one of this name; undefined where none was merged, or there is one of this name again. */
export async function findMergedSong(sql: Sql, section: number, identity: string): Promise<number | undefined> {
  const [merged] = await sql<{ into_entity_id: number }[]>`
    select into_entity_id from merged_song m where song_section_id = ${section} and song_identity = ${identity}
      and not exists (select 1 from song s where (s.song_section_id, s.song_identity) = (m.song_section_id, m.song_identity))
    order by merged_at desc limit 1`
  return merged?.into_entity_id
}
