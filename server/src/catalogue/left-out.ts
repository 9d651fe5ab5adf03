import { catalogue } from '@dubplate/contract'
import { admitSection } from '../membership/asker.ts'
import type { World } from '../world.ts'

/** What of the catalogue is asked for, as far as an admin can leave it out of the site. */
type Asked = { song_section_id?: number | undefined; genre_id?: number | undefined }

/** Refuses `section_hidden` for kuts and moods where an admin has left them out. */
export async function admitParts({ sql, settings }: Pick<World, 'sql' | 'settings'>, asked: Asked): Promise<void> {
  const { hidden } = settings
  if (asked.song_section_id === catalogue.SECTIONS.kuts) admitSection({ hidden }, 'kuts')
  if (!asked.genre_id || !hidden.has('moods')) return
  const [mood] = await sql`select 1 from genre where genre_id = ${asked.genre_id} and kind = 'mood'`
  if (mood) admitSection({ hidden }, 'moods')
}
