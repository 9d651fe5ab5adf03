import type { staffSongs } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Source } from './additions.ts'

/** Values of a song whose source is in `song.origins`; the sources of tempo and key have their own columns. */
export type Traced = Exclude<staffSongs.Field, 'bpm' | 'song_key' | 'song_section_id'> | 'artwork'

/** The source of each value; a value without one was added before sources were stored. */
export type Origins = { [field in Traced]?: Source }

/** Whether staff chose the genres of a song, or chose none: imports then add none. */
export async function areGenresStaffs(sql: Sql, entityId: number): Promise<boolean> {
  const [song] = await sql`select 1 from song where entity_id = ${entityId} and origins ->> 'genres' = 'staff'`
  return song !== undefined
}
