/** The member's choice of versions; the lists contain version codes, the most preferred first. */
type Preference = {
  versions: readonly string[]
  /** Adds every version of the list that a song has, instead of the first. */
  add_all: boolean
  /** Lists that replace `versions` for songs of a genre; the first one that matches is used. */
  by_genre: readonly { genre_id: number; versions: readonly string[] }[]
}

type VersionOfKind = { version_code: string; available: boolean }
type SongToChooseFrom<Version> = { genres: readonly { genre_id: number }[]; version: readonly Version[] }

/**
 * Returns the versions that a member prefers of a song, the most preferred first: the first one of their list that the
 * song has, or all of them. Without a match it is the song's first version. Versions whose file is missing are only
 * chosen if there is no other.
 */
export function choosePreferredVersions<Version extends VersionOfKind>(
  { genres, version: all }: SongToChooseFrom<Version>,
  preference: Preference | null | undefined,
): Version[] {
  const available = all.filter((version) => version.available)
  const choices = available.length > 0 ? available : all
  const ofGenre = preference?.by_genre.find(({ genre_id }) => genres.some((genre) => genre.genre_id === genre_id))
  const codes = (ofGenre ?? preference)?.versions ?? []
  const matching = codes.flatMap((code) => choices.filter(({ version_code }) => version_code === code))
  return preference?.add_all && matching.length > 0 ? matching : [...matching, ...choices].slice(0, 1)
}
