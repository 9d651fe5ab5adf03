import type { ComparedSong } from './candidates.ts'
import { countForeignWords, similarity } from './compared-text.ts'
import type { EntryReading } from './entry-readings.ts'

/** How alike an entry and a song are: 1 for the same, 0 for those that have nothing to do with each other. */

const TITLE_SHARE = 0.55
const ARTIST_SHARE = 0.45
/** Titles that are less alike are different titles. */
const MIN_TITLE = 0.72
/** The similarity of a title that was cut off, if what is left of it is long enough to be this title. */
const CUT_TITLE = 0.96
const MIN_CUT_CORE = 18
const MAX_CUT_LETTERS = 40
/** With spaces removed from the end. */
const ID3V1_LENGTHS = [29, 30]
/** The same song, encoded by someone else. */
export const SAME_SECONDS = 2.5
/** Artists that are less alike are different artists. */
const MIN_ARTIST = 0.7
/** Without an artist, the song may be by anyone. */
const UNKNOWN_ARTIST = 0.75
/** One of the artists that is not the first one. */
const OTHER_ARTIST = 0.94
const PART_OF_NAME = 0.8
const MIN_REMIXER = 0.8

const FOREIGN_WORD = -0.15
const OTHER_NUMBERS = -0.25
const OTHER_RECORDING = -0.35
const SHORT_TITLE_TYPO = -0.1
const SHORT_TITLE = 7

export function scoreOf(compared: ComparedSong, reading: EntryReading, seconds: number | null): number {
  const isCut = isCutTitle(compared, reading, seconds)
  const title = isCut ? CUT_TITLE : similarity(reading.core, compared.core, 1 - MIN_TITLE)
  if (title < MIN_TITLE) return 0
  const artist = artistSimilarity(compared, reading)
  if (artist < MIN_ARTIST) return TITLE_SHARE * title
  let score = TITLE_SHARE * title + ARTIST_SHARE * artist + lengthPoints(compared, seconds, { title, artist })
  if (!isCut && title < 1) {
    score += FOREIGN_WORD * countForeignWords(reading.core, compared.core)
    // One letter makes another word of 'Blue'.
    if (Math.max(reading.core.length, compared.core.length) < SHORT_TITLE) score += SHORT_TITLE_TYPO
  }
  if (!isCut && reading.numbers !== compared.numbers) score += OTHER_NUMBERS
  if (hasOtherRecording(compared, reading)) score += OTHER_RECORDING
  if (hasOtherRemixer(compared, reading)) score += OTHER_RECORDING
  return Math.min(1, score) * reading.weight
}

/** True if it is another recording or remix than the song and all its versions. */
export const isOtherRecording = (compared: ComparedSong, reading: EntryReading): boolean =>
  hasOtherRecording(compared, reading) || hasOtherRemixer(compared, reading)

/**
 * True for the beginning of the song's title, if it seems to have been cut off: within a word, at the length of ID3v1, or
 * because the length of the file is that of the song. Otherwise 'One More Night' would be 'One More Night With You'.
 */
function isCutTitle({ core: whole, versions }: ComparedSong, { core, length }: EntryReading, seconds: number | null) {
  const missing = whole.length - core.length
  if (core.length < MIN_CUT_CORE || missing <= 0 || missing > MAX_CUT_LETTERS || !whole.startsWith(core)) return false
  return (
    whole[core.length] !== ' ' || ID3V1_LENGTHS.includes(length) || lengthDifference(versions, seconds) <= SAME_SECONDS
  )
}

/** From the version whose length is closest. */
export function lengthDifference(versions: ComparedSong['versions'], seconds: number | null): number {
  let least = Number.POSITIVE_INFINITY
  if (seconds === null) return least
  for (const version of versions) least = Math.min(least, Math.abs(version.duration_seconds - seconds))
  return least
}

function artistSimilarity({ artists, guests, credit }: ComparedSong, reading: EntryReading): number {
  if (reading.artists.length === 0) return UNKNOWN_ARTIST
  // Two songs with the same guest are not by the same artist.
  const isGuestOfBoth = (name: string, other: string) => reading.guests.includes(name) && guests.includes(other)
  const bestOf = (name: string) =>
    Math.max(0, ...artists.map((other) => (isGuestOfBoth(name, other) ? 0 : nameSimilarity(name, other))))
  const [first = 0, ...others] = reading.artists.map(bestOf)
  return Math.max(first, OTHER_ARTIST * Math.max(0, ...others), similarity(reading.credit, credit))
}

const nameSimilarity = (name: string, other: string): number =>
  name === other || !hasSameWords(name, other) ? similarity(name, other) : PART_OF_NAME

const TITLE_OF_NAME = /^(?:the|dj|mc|lil|los|las) /

/** 'Roots' and 'The Roots', 'Carter' and 'Kid Carter'. */
function hasSameWords(a: string, b: string): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a]
  if (shorter.length < 4) return false
  if (a.replace(TITLE_OF_NAME, '') === b.replace(TITLE_OF_NAME, '')) return true
  const words = longer.split(' ')
  return shorter.split(' ').every((word) => words.includes(word))
}

function hasOtherRecording({ recordings, versions }: ComparedSong, { version }: EntryReading): boolean {
  const known = new Set([...recordings, ...versions.flatMap(({ meaning }) => [...meaning.recordings])])
  return (
    [...version.recordings].some((one) => !known.has(one)) ||
    [...recordings].some((one) => !version.recordings.has(one))
  )
}

function hasOtherRemixer({ remixers, versions }: ComparedSong, { version }: EntryReading): boolean {
  if (version.remixers.size === 0) return remixers.size > 0
  const known = [...remixers, ...versions.flatMap(({ meaning }) => [...meaning.remixers])]
  return ![...version.remixers].every((name) => known.some((other) => isSameRemixer(name, other)))
}

export const isSameRemixer = (a: string, b: string): boolean => similarity(a, b) >= MIN_REMIXER

/** Lengths that agree confirm a name that is not quite the same; others raise doubts. */
function lengthPoints(
  { versions }: ComparedSong,
  seconds: number | null,
  { title, artist }: { title: number; artist: number },
): number {
  const isUncertainArtist = artist <= 0.85
  if (seconds === null) return title < 0.85 || isUncertainArtist ? -0.08 : 0
  const difference = lengthDifference(versions, seconds)
  let points = 0
  if (difference <= SAME_SECONDS) points += 0.03
  if (difference > 20) points -= 0.04
  if (title < 0.9 && difference > 6) points -= 0.08
  if (isUncertainArtist && difference > 3) points -= 0.1
  return points
}
