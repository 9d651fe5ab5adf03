import { commentOf, type NamedVersion } from './file-paths.ts'
import { camelot, openKey, parseKey, type SongKey } from './keys.ts'
import type { Display } from './membership.ts'

/** How a download profile writes keys and comments: one function for tags, library files and previews. */

type Notation = Display['notation']

const KEY_TEXT: Record<Notation, (key: SongKey) => string> = { musical: (key) => key, camelot, open: openKey }

/** The key in the profile's notation; a key that cannot be parsed as it is, and '' without one. */
export function keyText({ key_notation }: { key_notation: Notation }, songKey: string | null): string {
  const key = songKey === null ? undefined : parseKey(songKey)
  return key ? KEY_TEXT[key_notation](key) : (songKey ?? '')
}

type CommentProfile = { key_notation: Notation; key_field: 'key' | 'comment' | 'both'; comment_template: string }

/**
 * The comment of a version: the profile's template, or else that of the uploaded file; the key before it if the profile
 * writes keys into comments.
 */
export function commentText(profile: CommentProfile, version: NamedVersion, uploadedComment: string): string {
  const { key_field, comment_template } = profile
  const comment = comment_template === '' ? uploadedComment : commentOf(comment_template, version)
  const key = key_field === 'key' ? '' : keyText(profile, version.song_key ?? null)
  return [key, comment].filter((part) => part !== '').join(' - ')
}
