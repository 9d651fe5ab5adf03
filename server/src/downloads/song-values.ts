import { titleWithVersion } from '../catalogue/file-names.ts'
import { isPlaceholderGenre } from '../catalogue/placeholder-genres.ts'

/** Which of the pool's values are written into members' files: only those that someone named or that are certain. */

/** The label of versions whose files name none. */
const UNNAMED_VERSION = 'Original'

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

export const fileGenres = (genres: readonly string[]): string[] => genres.filter((name) => !isPlaceholderGenre(name))
