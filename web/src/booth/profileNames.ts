import type { downloadProfiles, Placeholder } from '@dubplate/contract'
import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import type { DownloadFormat } from '../downloads/downloadFormats.ts'
import { format } from '../format/message.ts'
import type { DownloadProfile } from './newProfile.ts'
import { SYSTEM_NAMES } from './systems.ts'
import * as texts from './texts.ts'

/** The names of what a profile can contain. */

export const PLACEHOLDER_NAMES: Record<Placeholder, string> = {
  artist: texts.artist,
  title: texts.title,
  version: texts.version,
  remixer: texts.remixer,
  genre: texts.genre,
  album: texts.album,
  label: texts.label,
  year: texts.year,
  bpm: texts.bpm,
  key: texts.key,
  camelot: texts.camelot,
  open_key: texts.openKey,
  energy: texts.energy,
  isrc: texts.isrc,
}

export const TAG_NAMES: Record<downloadProfiles.OptionalTag, string> = {
  album: texts.album,
  genre: texts.genre,
  year: texts.year,
  bpm: texts.bpm,
  label: texts.label,
  isrc: texts.isrc,
  remixer: texts.remixer,
  replaygain: texts.loudness,
  energy: texts.energy,
  cover: texts.cover,
}

export const NOTATION_NAMES: Record<DownloadProfile['key_notation'], string> = {
  musical: texts.musicalExample,
  camelot: texts.camelotExample,
  open: texts.openKeyExample,
}

export const KEY_FIELD_NAMES: Record<DownloadProfile['key_field'], string> = {
  key: texts.keyTag,
  comment: texts.comment,
  both: texts.keyTagAndComment,
}

export const RATING_NAMES: Record<DownloadProfile['rating'], string> = {
  none: texts.noStars,
  energy: texts.energyStars,
  favourites: texts.favouriteStars,
}

export const FORMAT_NAMES: Record<DownloadFormat, string> = {
  original: texts.originalFiles,
  mp3: texts.mp3Files,
  aiff: texts.aiffFiles,
}

/** 'macOS · Traktor 4'. */
export function describeProfile({ system, software, traktor_version }: DownloadProfile): string {
  const program =
    software === 'traktor' ? format(texts.traktorVersionName, { version: traktor_version }) : SOFTWARE_NAMES[software]
  return `${SYSTEM_NAMES[system]} · ${program}`
}

/** The options of a select with these names. */
export const optionsOf = <T extends string>(names: Record<T, string>): { value: T; label: string }[] =>
  (Object.entries(names) as [T, string][]).map(([value, label]) => ({ value, label }))
