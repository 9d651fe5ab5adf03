import { wordsOf } from '../catalogue/words.ts'
import { numbersOf } from './compared-text.ts'
import { readTitle } from './title-reading.ts'
import { namesOf, readVersionLabel, type VersionMeaning } from './version-words.ts'

/** A song of the pool that an entry could be, as it is stored. */
export type CatalogueSong = {
  entity_id: number
  artist: string
  title: string
  remixer: string
  isrc: string
  versions: readonly CatalogueVersion[]
}

type CatalogueVersion = { song_version_id: number; version_label: string; duration_seconds: number }

/**
 * Looks up the songs that entries are compared with, for a whole batch of entries at a time, so that the catalogue may
 * be in memory or in PostgreSQL. Paths are not looked up here: the caller has those of the member's downloads.
 */
export type CandidateSource = {
  /** The songs with these ISRCs, in any order. An ISRC has its 12 letters and digits, without hyphens. */
  findByIsrc(isrcs: readonly string[]): Promise<CatalogueSong[]> | CatalogueSong[]
  /** For each of the names, the songs that are most like it, at most {@link MAX_CANDIDATES}. */
  findByName(names: readonly NameKeys[]): Promise<CatalogueSong[][]> | CatalogueSong[][]
}

export const MAX_CANDIDATES = 15

/**
 * The keys of a look-up by name. First come songs with the same core title, those with a word of the artist before
 * others; then those that share the rarest words. A word that is in no song is replaced by those that are a typing error
 * away (`deletionsOf`). In PostgreSQL, `song_search` has these words, `search_word` their frequencies, and
 * `search_word_del` the typing errors.
 */
export type NameKeys = {
  /** The title without version, remix and guests: {@link songKeys} has that of a song. */
  core: string
  title_words: readonly string[]
  artist_words: readonly string[]
}

export function songKeys(song: CatalogueSong): NameKeys {
  const { core, words } = comparedSong(song)
  return { core, title_words: words, artist_words: wordsOf(song.artist) }
}

/** A song in the form in which it is compared. */
export type ComparedSong = {
  song: CatalogueSong
  core: string
  words: string[]
  numbers: string
  /** With the guests. */
  artists: string[]
  /** The artists that only the title names. */
  guests: string[]
  /** The artists without guests as one text. */
  credit: string
  /** Of the song itself, which all its versions have. */
  remixers: ReadonlySet<string>
  recordings: ReadonlySet<string>
  versions: ComparedVersion[]
}

export type ComparedVersion = CatalogueVersion & { meaning: VersionMeaning }

const comparedSongs = new WeakMap<CatalogueSong, ComparedSong>()

/** The form of a row is stored as long as the row itself, because songs are candidates of many entries. */
export function comparedSong(song: CatalogueSong): ComparedSong {
  const known = comparedSongs.get(song)
  if (known) return known
  const title = readTitle(song.title)
  const names = namesOf(song.artist)
  const artists = [...new Set([...names, ...title.guests])]
  const compared = {
    song,
    core: title.core,
    words: title.words,
    numbers: numbersOf(title.core),
    artists,
    guests: title.guests.filter((name) => !names.includes(name)),
    credit: names.join(' '),
    remixers: new Set([...title.version.remixers, ...namesOf(song.remixer)]),
    recordings: title.version.recordings,
    versions: song.versions.map((version) => ({
      ...version,
      meaning: withWords(labelMeaning(version.version_label), title.version.words),
    })),
  }
  comparedSongs.set(song, compared)
  return compared
}

/** Version words in the title of a song apply to all its versions. */
const withWords = (meaning: VersionMeaning, words: ReadonlySet<string>): VersionMeaning =>
  words.size > 0 ? { ...meaning, words: new Set([...meaning.words, ...words]) } : meaning

const MAX_LABELS = 1000
const labels = new Map<string, VersionMeaning>()

/** Most versions have one of a few labels. */
function labelMeaning(label: string): VersionMeaning {
  const known = labels.get(label)
  if (known) return known
  const meaning = readVersionLabel(label)
  if (labels.size < MAX_LABELS) labels.set(label, meaning)
  return meaning
}
