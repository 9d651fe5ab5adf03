import type { songsDesk } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Source } from './additions.ts'

/** Values of a song whose source stands in `song.origins`; tempo and key have columns of their own. */
export type Traced = Exclude<songsDesk.Field, 'bpm' | 'song_key' | 'song_section_id'> | 'artwork'

/** Where each came from; what is not named came in before anybody kept it. */
export type Origins = { [field in Traced]?: Source }

/** Whether staff chose the genres of a song, be it none: what imports bring is not added to them. */
export async function areGenresStaffs(sql: Sql, entityId: number): Promise<boolean> {
  const [song] = await sql`select 1 from song where entity_id = ${entityId} and origins ->> 'genres' = 'staff'`
  return song !== undefined
}
