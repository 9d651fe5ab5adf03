import { camelot, commentOf, type NamedVersion, openKey, parseKey, type SongKey } from '@dubplate/contract'
import type { DownloadProfile } from './profiles.ts'

/** How a profile writes the values of a version, in tags and in library files. */

type Notation = DownloadProfile['key_notation']

const KEY_TEXT: Record<Notation, (key: SongKey) => string> = { musical: (key) => key, camelot, open: openKey }

/** The key in the profile's notation; a key that cannot be parsed as it is, and '' without one. */
export function keyText({ key_notation }: Pick<DownloadProfile, 'key_notation'>, songKey: string | null): string {
  const key = songKey === null ? undefined : parseKey(songKey)
  return key ? KEY_TEXT[key_notation](key) : (songKey ?? '')
}

type CommentProfile = Pick<DownloadProfile, 'key_notation' | 'key_field' | 'comment_template'>

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

const MAX_STARS = 5

/** 0 to 5 stars. */
export function starsOf(
  { rating }: Pick<DownloadProfile, 'rating'>,
  { energy, isFavourite }: { energy: number | null; isFavourite: boolean },
): number {
  if (rating === 'favourites') return isFavourite ? MAX_STARS : 0
  return rating === 'energy' && energy !== null ? Math.ceil(energy / 2) : 0
}

/** rekordbox’s colours, from calm to energetic, each up to an energy. */
const ENERGY_COLOURS: readonly [energy: number, colour: string][] = [
  [2, '#0000FF'],
  [4, '#25FDE9'],
  [6, '#00FF00'],
  [7, '#FFFF00'],
  [8, '#FFA500'],
  [10, '#FF0000'],
]

/** The colour of a track by its energy; null if that is unknown. */
export const energyColour = (energy: number | null): string | null =>
  energy === null ? null : (ENERGY_COLOURS.find(([limit]) => energy <= limit)?.[1] ?? null)
