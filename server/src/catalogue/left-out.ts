import { catalogue } from '@dubplate/contract'
import { admitSection } from '../membership/asker.ts'
import type { World } from '../world.ts'

/** What of the catalogue is asked for, as far as an admin can leave it out of the site. */
type Asked = { song_section_id?: number | undefined; genre_id?: number | undefined }

/**
 * Refuses `section_disabled` for kuts and moods where an admin has left them out. Returns the input, with “all sections”
 * narrowed to songs where kuts are left out.
 */
export async function admitParts<T extends Asked>(
  { sql, settings }: Pick<World, 'sql' | 'settings'>,
  asked: T,
): Promise<T> {
  const { hidden } = settings
  const { ALL_SECTIONS, SECTIONS } = catalogue
  if (asked.song_section_id === SECTIONS.kuts) admitSection({ hidden }, 'kuts')
  if (asked.genre_id && hidden.has('moods')) {
    const [mood] = await sql`select 1 from genre where genre_id = ${asked.genre_id} and kind = 'mood'`
    if (mood) admitSection({ hidden }, 'moods')
  }
  const isNarrowed = asked.song_section_id === ALL_SECTIONS && hidden.has('kuts')
  return isNarrowed ? { ...asked, song_section_id: SECTIONS.songs } : asked
}
