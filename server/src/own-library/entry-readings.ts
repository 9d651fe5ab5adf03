import type { LibraryEntry } from '@dubplate/contract/library-files'
import { wordsOf } from '../catalogue/words.ts'
import { parseFileName } from '../imports/file-name.ts'
import { comparedText, numbersOf } from './compared-text.ts'
import { repairText } from './repair-text.ts'
import { bracketLastWord, readTitle, type TitleReading } from './title-reading.ts'
import { namesOf } from './version-words.ts'

/** What is needed to match an entry. */
export type MatchableEntry = Omit<LibraryEntry, 'album' | 'bpm' | 'bytes'>

/** One way to understand an entry. `weight` is lower for ways that are less likely. */
export type EntryReading = TitleReading & {
  numbers: string
  /** With the guests. */
  artists: string[]
  /** The artists without guests as one text. */
  credit: string
  artist_words: string[]
  weight: number
}

/** Tags are more likely right than names of files, and all of them more than artist and title swapped. */
const WEIGHTS = { tags: 1, swapped: 0.95, title: 0.97, file_name: 0.98 }
/** For 'Title Clean' without a bracket. */
const BARE_VERSION_WEIGHT = 0.98

/** What programs write when a tag is missing. */
const PLACEHOLDER =
  /^(?:unknown(?: artist| title)?|untitled|(?:audio ?)?track ?\d*|no (?:artist|title)|various(?: artists)?)$/

/** The ways to understand an entry, the most likely first. Most entries only need the first one. */
export function* readingsOf(entry: MatchableEntry): Generator<EntryReading> {
  for (const name of namesIn(entry)) {
    const reading = readName(entry, name)
    if (reading) yield reading
  }
}

function* namesIn(entry: MatchableEntry): Generator<SongName> {
  const artist = withoutPlaceholder(repairText(entry.artist))
  const title = withoutPlaceholder(repairText(entry.title))
  if (title && artist) return yield* bothOrders({ artist, title, weight: WEIGHTS.tags })
  if (title) yield* parseName(title, { artist, weight: WEIGHTS.title })
  yield* parseName(entry.file_name, { artist, weight: WEIGHTS.file_name })
}

const withoutPlaceholder = (text: string): string => (PLACEHOLDER.test(comparedText(text)) ? '' : text)

type SongName = { artist: string; title: string; weight: number }

/** Artist and title, without and with a version as the last word, and then the other way round. */
function bothOrders({ artist, title, weight }: SongName): SongName[] {
  // The brackets belong to the song, not to the artist.
  const [, name = '', brackets = ''] = /^([^([{]*)(.*)$/s.exec(title) ?? []
  const swapped = { artist: name, title: `${artist}${brackets}`, weight: Math.min(weight, WEIGHTS.swapped) }
  return [...withBareVersion({ artist, title, weight }), ...(name.trim() ? [swapped] : [])]
}

function withBareVersion(name: SongName): SongName[] {
  const title = bracketLastWord(name.title)
  return title ? [name, { ...name, title, weight: name.weight * BARE_VERSION_WEIGHT }] : [name]
}

/** 'Artist - Title (Version)', with the artist that is known already if there is none in the name. */
function parseName(name: string, known: { artist: string; weight: number }): SongName[] {
  const { artist = '', title = '', version, featuring } = parseFileName(repairText(name))
  const label = version ? ` (${version})` : ''
  const guests = featuring ? ` (feat. ${featuring})` : ''
  const parsed = { artist: artist || known.artist, title: `${title}${guests}${label}`, weight: known.weight }
  return artist ? bothOrders(parsed) : withBareVersion(parsed)
}

function readName(entry: MatchableEntry, { artist, title, weight }: SongName): EntryReading | undefined {
  const version = repairText(entry.version)
  const reading = readTitle(version ? `${title} (${version})` : title, artist)
  if (reading.core === '') return undefined
  const names = namesOf(artist)
  const artists = [...new Set([...names, ...reading.guests])]
  return {
    ...withRemixer(
      reading,
      namesOf(repairText(entry.remixer)).filter((name) => !artists.includes(name)),
    ),
    numbers: numbersOf(reading.core),
    artists,
    guests: reading.guests.filter((name) => !names.includes(name)),
    credit: names.join(' '),
    artist_words: wordsOf([artist, ...reading.guests].join(' ')),
    weight,
  }
}

/** Next to version words, the field contains who made the intro or the clean version, who is no remixer of the song. */
function withRemixer(reading: TitleReading, remixers: readonly string[]): TitleReading {
  const { words, remixers: ofTitle } = reading.version
  if (words.size > 0 || ofTitle.size > 0) return reading
  return { ...reading, version: { ...reading.version, remixers: new Set(remixers) } }
}
