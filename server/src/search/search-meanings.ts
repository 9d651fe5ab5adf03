import { camelotOrder, parseKey } from '@dubplate/contract'
import { editDistance, normalizePhrase, wordsOf } from '../catalogue/words.ts'
import { bpmFacets, type Range } from './search-facets.ts'
import type { SearchGenre } from './search-names.ts'
import type { SearchWord } from './search-vocabulary.ts'

/** Genres are often written in several ways; each key is compared with `spellingOf` a name. */
const COMMON_SPELLINGS: Record<string, string> = {
  db: 'drumbas',
  dnb: 'drumbas',
  dandb: 'drumbas',
  drumnbas: 'drumbas',
  drumandbas: 'drumbas',
  rnb: 'rb',
  randb: 'rb',
  rhythmblue: 'rb',
  ukg: 'ukgarage',
  lofi: 'lofi',
}
const CONNECTORS = new Set(['and', 'n'])

/** The form in which spellings of one name are equal: "Drum & Bass", "drum and bass" and "dnb", "Hip-Hop" and "hiphop". */
export function spellingOf(words: readonly string[]): string {
  const joined = words
    .filter((word) => words.length === 1 || !CONNECTORS.has(word))
    .join('')
    .replace(/(?<=...)s$/, '')
  return COMMON_SPELLINGS[joined] ?? joined
}

const spellingsOf = ({ name, former_names = [] }: SearchGenre): string[] =>
  [name, ...former_names].map((each) => spellingOf(normalizePhrase(each).split(' ')))

/** The longest genre name that is recognised. */
const MAX_NAME_WORDS = 5

/** The words at `from` that are the whole name of genres, as many as possible. */
function genresNamedAt(
  words: readonly string[],
  from: number,
  genres: readonly SearchGenre[],
): { length: number; named: SearchGenre[] } | undefined {
  for (let length = Math.min(MAX_NAME_WORDS, words.length - from); length > 0; length--) {
    const spelling = spellingOf(words.slice(from, from + length))
    const named = spelling ? genres.filter((genre) => spellingsOf(genre).includes(spelling)) : []
    if (named.length > 0) return { length, named }
  }
  return undefined
}

/** The genres that a text names, as a whole or with some of its words: "house clean" names House. */
export function namedGenres(words: readonly string[], genres: readonly SearchGenre[]): SearchGenre[] {
  const found = new Set<SearchGenre>()
  for (let at = 0; at < words.length; ) {
    const run = genresNamedAt(words, at, genres)
    for (const genre of run?.named ?? []) found.add(genre)
    at += run?.length ?? 1
  }
  return [...found]
}

/** One letter of a genre's name would find songs of it by accident: the B of "R&B". */
const MIN_GENRE_WORD = 2

export const genresWithWord = (genres: readonly SearchGenre[], fits: (own: string) => boolean): SearchGenre[] =>
  genres.filter(({ name }) => wordsOf(name).some((own) => own.length >= MIN_GENRE_WORD && fits(own)))

/** The genres whose name, or for a single word also one word of it, is one typo away from a text. */
export function genresNear(words: readonly string[], genres: readonly SearchGenre[]): SearchGenre[] {
  const typed = [words.join(''), spellingOf(words)]
  const wordsOfName = ({ name }: SearchGenre) => (words.length === 1 ? wordsOf(name) : [])
  return genres.filter((genre) =>
    [...wordsOfName(genre), ...spellingsOf(genre)].some((own) => typed.some((text) => isOneTypoAway(own, text))),
  )
}

const MIN_TYPO_LENGTH = 4
const isOneTypoAway = (own: string, word: string): boolean =>
  Math.min(own.length, word.length) >= MIN_TYPO_LENGTH &&
  Math.abs(own.length - word.length) <= 1 &&
  editDistance(own, word) === 1

const TEMPO = /^(\d{2,3})(?:[-–](\d{2,3}))?(?:bpm)?$/i
const MIN_TEMPO = 60
const MAX_TEMPO = 200
const TEMPO_UNIT = /^bpm$/i
/** Words that people add to a genre, as in "house music". They name nothing else there. */
const GENRE_NOUNS = new Set(['music', 'songs', 'song', 'tracks', 'track', 'tunes'])
/** As DJs write keys: 8A, 1m, Am, F#m, Bb, "A minor". A single letter is a word. */
const WHEEL_KEY = /^(1[0-2]|[1-9])[abdm]$/i
const MUSICAL_KEY = /^[A-G]([#♯b♭]? ?(m|min|minor|maj|major)|[#♯b♭])$/
const MUSICAL_KEY_ALONE = /^[a-g][#♯b♭]? ?(m|min|minor|maj|major)$/i

/** The tempo in BPM that a bare number or range means: "124", "124bpm" or "120-125". */
export function tempoOf(text: string): Range | undefined {
  const [, from, to = from] = TEMPO.exec(text) ?? []
  const tempo: Range = [Number(from), Number(to)]
  return tempo[0] >= MIN_TEMPO && tempo[0] <= tempo[1] && tempo[1] <= MAX_TEMPO ? tempo : undefined
}

const YEAR = /^(19[5-9]|20\d)\d$/

/** Whether a bare number is a year in which songs are released. */
export const isYear = (text: string): boolean => YEAR.test(text)

/**
 * The facet of the key that a text means. In small letters it is one only when nothing else in the search is a word,
 * because "am" is a word.
 */
function keyFacetOf(text: string, isWithoutWords: boolean): string | undefined {
  const isKey = WHEEL_KEY.test(text) || MUSICAL_KEY.test(text) || (isWithoutWords && MUSICAL_KEY_ALONE.test(text))
  const key = isKey ? parseKey(text.replace(/^[a-g]/, (letter) => letter.toUpperCase())) : undefined
  return key && `#k${camelotOrder(key)}`
}

/**
 * The words of each plain part of a search, with what they may mean besides themselves: the genres they name, alone or
 * with their neighbours, or a tempo or a key.
 */
export function readPlainWords(parts: readonly string[], genres: readonly SearchGenre[]): SearchWord[][] {
  const wordsOfParts = parts.map((part) =>
    wordsOf(part).map((word): SearchWord => ({ word, field: 'any', isExact: false })),
  )
  addGenres(wordsOfParts.flat(), genres)
  const namesGenre = wordsOfParts.map((words) => words.some((word) => (word.genres?.length ?? 0) > 0))
  for (const [at, words] of wordsOfParts.entries()) {
    const isWithoutWords = (own: readonly number[]) =>
      parts.every((part, n) => own.includes(n) || namesGenre[n] || tempoOf(part) || TEMPO_UNIT.test(part))
    const facets = tempoFacetsOf(parts, at) ?? yearFacetOf(parts[at]) ?? keyFacetsOf(parts, at, isWithoutWords)
    for (const word of words) word.facets = facets
  }
  return wordsOfParts
}

/** Adds the genres that words name, also to a noun beside them: "house music" means House. */
function addGenres(words: readonly SearchWord[], genres: readonly SearchGenre[]): void {
  const plain = words.map(({ word }) => word)
  for (let at = 0; at < words.length; ) {
    const run = genresNamedAt(plain, at, genres)
    const named = run?.named ?? []
    const length = run?.length ?? 1
    const also = length === 1 ? genresWithWord(genres, (own) => own === plain[at]) : []
    const hasNoun = named.length > 0 && GENRE_NOUNS.has(plain[at + length] ?? '')
    const end = at + length + (hasNoun ? 1 : 0)
    for (const word of words.slice(at, end)) word.genres = [...new Set([...named, ...also])]
    at = end
  }
}

const yearFacetOf = (part = ''): string[] | undefined => (isYear(part) ? [`#y${part}`] : undefined)

/** The tempo of a number, also for the unit beside it: "124 bpm". */
function tempoFacetsOf(parts: readonly string[], at: number): string[] | undefined {
  const own = parts[at] ?? ''
  const tempo = TEMPO_UNIT.test(own) ? (tempoOf(parts[at - 1] ?? '') ?? tempoOf(parts[at + 1] ?? '')) : tempoOf(own)
  return tempo && bpmFacets(tempo)
}

function keyFacetsOf(
  parts: readonly string[],
  at: number,
  isWithoutWords: (own: readonly number[]) => boolean,
): string[] {
  const runs = [[at, at + 1], [at - 1, at], [at]].filter((run) => run.every((n) => parts[n] !== undefined))
  for (const run of runs) {
    const key = keyFacetOf(run.map((n) => parts[n]).join(' '), isWithoutWords(run))
    if (key) return [key]
  }
  return []
}
