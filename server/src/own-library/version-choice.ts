import type { ComparedSong, ComparedVersion } from './candidates.ts'
import type { EntryReading } from './entry-readings.ts'
import { isSameRemixer } from './scoring.ts'
import { equivalentWords, type VersionMeaning } from './version-words.ts'

/** Versions with the same words differ in length when one of them is another edit. */
const SAME_EDIT_SECONDS = 12
/** Of several versions with the same words, and of those that are called the usual one, the length decides. */
const CLOSE_SECONDS = 2.5
/** For a version with more words than the entry: 'Intro Clean' for 'Clean'. */
const MORE_WORDS_SECONDS = 2
/** Without version words, the length alone decides, if no other version is nearly as long. */
const SAME_LENGTH_SECONDS = 1.2
const OTHER_LENGTH_SECONDS = 3.5

/**
 * The version of the song that an entry is; undefined if it cannot be told, or is one that the song does not have. That
 * the song is certain is never enough.
 */
export function chooseVersion(
  compared: ComparedSong,
  reading: EntryReading,
  seconds: number | null,
): ComparedVersion | undefined {
  const versions = compared.versions.filter((version) => isSameRecording(compared, version, reading))
  const within = (limit: number) => (version: ComparedVersion) =>
    seconds !== null && Math.abs(version.duration_seconds - seconds) <= limit
  const { words } = reading.version
  if (words.size === 0) {
    const named = versions.filter(({ meaning }) => isNamedUsual(meaning, reading.version)).filter(within(CLOSE_SECONDS))
    if (named.length === 1) return named[0]
    const [only, ...others] = versions.filter(within(OTHER_LENGTH_SECONDS))
    return only && others.length === 0 && within(SAME_LENGTH_SECONDS)(only) ? only : undefined
  }
  const sameWords = withSameWords(versions, words)
  const [only, ...others] = sameWords
  if (only && others.length === 0) return seconds === null || within(SAME_EDIT_SECONDS)(only) ? only : undefined
  const close =
    sameWords.length > 0
      ? sameWords.filter(within(CLOSE_SECONDS))
      : versions.filter((version) => hasAll(version.meaning.words, words)).filter(within(MORE_WORDS_SECONDS))
  return close.length === 1 ? close[0] : undefined
}

/** Exactly these words; otherwise words that other services use for them. */
function withSameWords(versions: readonly ComparedVersion[], words: ReadonlySet<string>): ComparedVersion[] {
  const exact = versions.filter(({ meaning }) => isEqual(meaning.words, words))
  if (exact.length > 0) return exact
  const equivalent = equivalentWords(words)
  return versions.filter(({ meaning }) => isEqual(equivalentWords(meaning.words), equivalent))
}

function isSameRecording(compared: ComparedSong, { meaning }: ComparedVersion, { version }: EntryReading): boolean {
  const recordings = new Set([...meaning.recordings, ...compared.recordings])
  if (!isEqual(recordings, version.recordings)) return false
  if (version.remixers.size === 0) return meaning.remixers.size === 0
  const remixers = [...meaning.remixers, ...compared.remixers]
  return [...version.remixers].every((name) => remixers.some((other) => isSameRemixer(name, other)))
}

/** Both are called the usual version by the same word: 'Original' and 'Original Mix'. */
const isNamedUsual = (version: VersionMeaning, entry: VersionMeaning): boolean =>
  version.words.size === 0 && [...entry.usual].some((word) => version.usual.has(word))

const hasAll = (all: ReadonlySet<string>, words: ReadonlySet<string>) => [...words].every((word) => all.has(word))
const isEqual = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && hasAll(a, b)
