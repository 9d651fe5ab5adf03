import { camelotOrder, parseKey } from '@dubplate/contract'
import { editDistance, normalizePhrase, wordsOf } from '../catalogue/words.ts'
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

/** The genres whose name, or one word of it, is one typo away from a word. */
export const genresNear = (word: string, genres: readonly SearchGenre[]): SearchGenre[] =>
  genres.filter((genre) => [...wordsOf(genre.name), ...spellingsOf(genre)].some((own) => isOneTypoAway(own, word)))

const MIN_TYPO_LENGTH = 4
const isOneTypoAway = (own: string, word: string): boolean =>
  Math.min(own.length, word.length) >= MIN_TYPO_LENGTH &&
  Math.abs(own.length - word.length) <= 1 &&
  editDistance(own, word) === 1

const TEMPO = /^\d{2,3}$/
/** As DJs write keys: 8A, 1m, Am, F#m, Bb, "A minor". A single letter is a word. */
const WHEEL_KEY = /^(1[0-2]|[1-9])[abdm]$/i
const MUSICAL_KEY = /^[A-G]([#♯b♭]? ?(m|min|minor|maj|major)|[#♯b♭])$/
const MUSICAL_KEY_ALONE = /^[a-g][#♯b♭]? ?(m|min|minor|maj|major)$/i

/** The tempo in BPM that a bare number means. */
export const tempoOf = (text: string): number | undefined =>
  TEMPO.test(text) && Number(text) >= 60 && Number(text) <= 200 ? Number(text) : undefined

/** The facet of the key that a text means; in small letters only when it is the whole search, because "am" is a word. */
function keyFacetOf(text: string, isWholeSearch: boolean): string | undefined {
  const isKey = WHEEL_KEY.test(text) || MUSICAL_KEY.test(text) || (isWholeSearch && MUSICAL_KEY_ALONE.test(text))
  const key = isKey ? parseKey(text.replace(/^[a-g]/, (letter) => letter.toUpperCase())) : undefined
  return key && `#k${camelotOrder(key)}`
}

/**
 * The words of each plain part of a search, with what they may mean besides themselves: the genres they name, alone or
 * with their neighbours, or a tempo or a key.
 */
export function readPlainWords(parts: readonly string[], genres: readonly SearchGenre[]): SearchWord[][] {
  const wordsOfParts = parts.map((part, at) => {
    const facets = tempoOrKeyOf(parts, at)
    return wordsOf(part).map((word): SearchWord => ({ word, field: 'any', isExact: false, facets }))
  })
  const words = wordsOfParts.flat()
  const plain = words.map(({ word }) => word)
  for (let at = 0; at < words.length; ) {
    const run = genresNamedAt(plain, at, genres)
    const length = run?.length ?? 1
    const named = run?.named ?? []
    const also = length === 1 ? genresWithWord(genres, (own) => own === plain[at]) : []
    for (const word of words.slice(at, at + length)) word.genres = [...new Set([...named, ...also])]
    at += length
  }
  return wordsOfParts
}

function tempoOrKeyOf(parts: readonly string[], at: number): string[] {
  const [before, part = '', after] = [parts[at - 1], parts[at], parts[at + 1]]
  const tempo = tempoOf(part)
  if (tempo !== undefined) return [`#b${tempo}`]
  const pairs = [
    ...(after === undefined ? [] : [[`${part} ${after}`, 2] as const]),
    ...(before === undefined ? [] : [[`${before} ${part}`, 2] as const]),
    [part, 1] as const,
  ]
  for (const [text, length] of pairs) {
    const key = keyFacetOf(text, parts.length === length)
    if (key) return [key]
  }
  return []
}
