import { catalogue } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { requireSection } from '../membership/caller.ts'

/** The parts of the request that an admin can hide. */
type BrowseParams = { song_section_id?: number | undefined; genre_id?: number | undefined }

/**
 * Throws `section_disabled` for kuts and moods if an admin has hidden them. Returns the input, with “all sections”
 * narrowed to songs if kuts are hidden.
 */
export async function applyHiddenParts<T extends BrowseParams>(
  { sql, settings }: Pick<AppContext, 'sql' | 'settings'>,
  browseParams: T,
): Promise<T> {
  const { hidden } = settings
  const { ALL_SECTIONS, SECTIONS } = catalogue
  if (browseParams.song_section_id === SECTIONS.kuts) requireSection({ hidden }, 'kuts')
  if (browseParams.genre_id && hidden.has('moods')) {
    const [mood] = await sql`select 1 from genre where genre_id = ${browseParams.genre_id} and kind = 'mood'`
    if (mood) requireSection({ hidden }, 'moods')
  }
  const isRestricted = browseParams.song_section_id === ALL_SECTIONS && hidden.has('kuts')
  return isRestricted ? { ...browseParams, song_section_id: SECTIONS.songs } : browseParams
}
