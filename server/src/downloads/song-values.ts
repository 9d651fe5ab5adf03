import { titleWithVersion } from '../catalogue/file-names.ts'
import { isPlaceholderGenre } from '../catalogue/placeholder-genres.ts'

/** Which of the pool's values are written into members' files: only those that someone named or that are certain. */

/** The label of versions whose files name none. */
const UNNAMED_VERSION = 'Original'
/** Below this, a measured tempo is wrong more often than right. */
const MIN_BPM_CONFIDENCE = 0.5

type NamedFile = {
  title: string
  version_label: string
  /** Whether the song has other published versions. */
  has_other_versions: boolean
  /** The title in the tags of the original file; null if unknown. */
  tagged_title: string | null
  uploaded_name: string
}

/** 'Title (Version)'; without '(Original)' when there is nothing to tell apart, or the original file did not say so. */
export function fileTitle({
  title,
  version_label,
  has_other_versions,
  tagged_title,
  uploaded_name,
}: NamedFile): string {
  if (version_label !== UNNAMED_VERSION) return titleWithVersion(title, version_label)
  const isNamedInFile = /\boriginal\b/i.test(`${tagged_title ?? ''} ${uploaded_name}`)
  return has_other_versions && isNamedInFile ? titleWithVersion(title, version_label) : title
}

type MeasuredTempo = {
  min_bpm: number | null
  bpm_source: string | null
  /** The highest of the song's versions, without short clips; null if none was analysed. */
  bpm_confidence: number | null
}

/** The tempo; undefined when it was only measured, and not reliably. */
export function fileTempo({ min_bpm, bpm_source, bpm_confidence }: MeasuredTempo): number | undefined {
  const isUncertain = bpm_source === 'analysis' && (bpm_confidence ?? 0) < MIN_BPM_CONFIDENCE
  return isUncertain ? undefined : (min_bpm ?? undefined)
}

export const fileGenres = (genres: readonly string[]): string[] => genres.filter((name) => !isPlaceholderGenre(name))
