import { type catalogue, type ParsedInputOf, parseQuery, type QueryPart } from '@dubplate/contract'
import type { Field } from '../catalogue/search-index.ts'
import { normalizePhrase, wordsOf } from '../catalogue/words.ts'
import { ApiError } from '../platform/api-error.ts'
import {
  bpmFacets,
  describeRange,
  intersectRanges,
  joinWithOr,
  type Range,
  readKeys,
  readRange,
  readYears,
  yearFacets,
} from './search-facets.ts'
import { isYear, readPlainWords, tempoOf } from './search-meanings.ts'
import { findGenresByName, findVersionsByName, type NamedItem, type SearchGenre } from './search-names.ts'
import { allOf, anyOf, type RowChecks } from './search-plan.ts'
import { type SearchWord, tokenOf } from './search-vocabulary.ts'
import { choicesOf, type ReadFilter } from './song-filter.ts'

/** A parsed search. */
export type SearchParams = {
  section: number
  words: SearchWord[]
  /** All genres, in which typos and prefixes of words are looked up. */
  genres: readonly SearchGenre[]
  /** Alternatives of facet words: one of each list must match. */
  facets: string[][]
  years?: Range | undefined
  bpm?: Range | undefined
  checks?: Pick<RowChecks, 'without' | 'phrases' | 'downloads' | 'notInLibraryOf' | 'notOwnedBy'>
}

/** The meaning of names and codes in this pool, and the current user. */
export type SearchContext = {
  genres: readonly SearchGenre[]
  kinds: readonly (NamedItem & { version_code: string })[]
  customer_id: number | undefined
  /** The filter of the list of results, besides the form. */
  filter?: ReadFilter | undefined
}

export type SearchForm = Pick<
  ParsedInputOf<typeof catalogue.searchSongs>,
  'SongEntitySearch' | 'song_section_id' | 'genre_id' | 'versions' | 'not_downloaded'
>

/** One part of the query, with a description of it. */
type TermReading = {
  words?: SearchWord[]
  phrase?: string
  choice?: string[]
  years?: Range
  bpm?: Range
  isDownloaded?: true
  meaning: string
}
type InterpretedTerm = { part: QueryPart; reading: TermReading }

const MAX_WORDS = 32

export const wantedWords = (text: string, field: Field = 'any', isExact = false): SearchWord[] =>
  wordsOf(text).map((word) => ({ word, field, isExact }))

/** "“124” or 124 BPM", "“2023” or year 2023". */
const describeWord = (value: string): string => {
  if (isYear(value)) return `“${value}” or year ${value}`
  const tempo = tempoOf(value)
  return tempo ? `“${value}” or ${tempo[0] === tempo[1] ? tempo[0] : tempo.join('–')} BPM` : `“${value}”`
}

/** Interprets one part; undefined when it has no effect. Throws `invalid_filter` for an invalid value. */
function interpretTerm(
  { kind, value, compatible }: QueryPart,
  { genres, kinds }: SearchContext,
): TermReading | undefined {
  if (wordsOf(value).length === 0) return undefined
  switch (kind) {
    case 'word':
      return { words: wantedWords(value), meaning: describeWord(value) }
    case 'phrase':
      return { words: wantedWords(value, 'any', true), phrase: normalizePhrase(value), meaning: `exactly “${value}”` }
    case 'title':
    case 'artist':
    case 'label':
      return { words: wantedWords(value, kind), meaning: `${kind} “${value}”` }
    case 'bpm': {
      const bpm = readRange(value, 'bpm')
      return bpm && { bpm, meaning: describeRange(bpm, 'bpm') }
    }
    case 'year': {
      const years = readRange(value, 'year')
      return years && { years, meaning: describeRange(years, 'year') }
    }
    case 'key': {
      const keys = readKeys(value, compatible)
      return keys && { choice: keys.facets, meaning: keys.meaning }
    }
    case 'genre': {
      const called = findGenresByName(value, genres)
      return {
        choice: called.map(({ id }) => `#g${id}`),
        meaning: `genre ${joinWithOr(called.map(({ name }) => name))}`,
      }
    }
    case 'version': {
      const called = findVersionsByName(value, kinds)
      return {
        choice: called.map(({ id }) => `#v${id}`),
        meaning: `version ${joinWithOr(called.map(({ name }) => name))}`,
      }
    }
    case 'downloaded':
      if (value.toLowerCase() !== 'downloaded')
        throw new ApiError('invalid_filter', 'Only “downloaded” can follow “not:”, as in not:downloaded.')
      return { isDownloaded: true, meaning: 'not downloaded' }
  }
}

function describeTerm({ part, reading: { meaning } }: InterpretedTerm): string {
  if (!part.negated) return meaning
  if (part.kind === 'phrase') return `without “${part.value}”`
  if (part.kind === 'genre') return `excluding ${meaning}`
  if (part.kind === 'downloaded') return 'already downloaded'
  return `${['word', 'title', 'artist', 'label', 'version'].includes(part.kind) ? 'without' : 'not'} ${meaning}`
}

/** What must not match, as a tsquery. A phrase has none, because its words may occur separately. */
function excludedExpression({ words, choice, years, bpm, phrase }: TermReading): string[] {
  if (phrase !== undefined) return []
  if (words) return [allOf(words.map(tokenOf))]
  const facets = choice ?? (years ? yearFacets(years) : bpm ? bpmFacets(bpm) : [])
  return facets.length > 0 ? [anyOf(facets)] : []
}

const isSeveral = (year: string | number): boolean => String(year).includes(',')

/** The filters of the form, which are shown beside the text and are not described in words. */
function parseSearchForm(form: SearchForm, { kinds }: SearchContext) {
  const { bpm, song_key, year } = form.SongEntitySearch
  const versionNames = kinds
    .filter(({ version_code }) => form.versions.includes(version_code))
    .map(({ id }) => `#v${id}`)
  const choices = [
    form.genre_id ? [`#g${form.genre_id}`] : [],
    form.versions.length > 0 && versionNames.length === 0 ? ['#v0'] : versionNames,
    readKeys(song_key)?.facets ?? [],
    isSeveral(year) ? (readYears(String(year)) ?? []) : [],
  ]
  return {
    choices: choices.filter((choice) => choice.length > 0),
    years: isSeveral(year) ? undefined : readRange(String(year), 'year'),
    bpm: readRange(String(bpm), 'bpm'),
  }
}

/**
 * Parses a search from its text and its form; `params` is undefined when both are empty. Throws `invalid_filter` or
 * `query_too_short`.
 */
export function parseSearch(text: string, form: SearchForm, searchContext: SearchContext) {
  const parts = parseQuery(text).flatMap((part): InterpretedTerm[] => {
    const reading = interpretTerm(part, searchContext)
    return reading ? [{ part, reading }] : []
  })
  const { title, artist } = form.SongEntitySearch
  const { choices, years, bpm } = parseSearchForm(form, searchContext)
  const isOperator = ({ part }: InterpretedTerm) => part.negated || (part.kind !== 'word' && part.kind !== 'phrase')
  const { filter } = searchContext
  const isFiltered = parts.some(isOperator) || choices.length > 0 || years || bpm || form.not_downloaded || filter
  const plain = readPlainWords(
    parts.filter(isPlain).map(({ part }) => part.value),
    searchContext.genres,
  )
  const hasMeaning = plain.flat().some(({ facets = [] }) => facets.length > 0)
  if (!isFiltered && !hasMeaning && [...[text, title, artist].join(' ').trim()].length < 3) {
    throw new ApiError('query_too_short', 'Enter at least 3 characters to search.')
  }
  const includedReadings = parts.filter(({ part }) => !part.negated).map(({ reading }) => reading)
  const excludedReadings = parts.filter(({ part }) => part.negated).map(({ reading }) => reading)
  const words = [
    ...wantedWords(title, 'title'),
    ...wantedWords(artist, 'artist'),
    ...parts
      .filter(({ part }) => !part.negated)
      .flatMap((read) => (isPlain(read) ? plain.shift() : read.reading.words) ?? []),
  ]
  const params: SearchParams = {
    section: form.song_section_id,
    words: distinct(words).slice(0, MAX_WORDS),
    genres: searchContext.genres,
    facets: [
      ...choices,
      ...(filter ? choicesOf(filter) : []),
      ...includedReadings.flatMap(({ choice }) => (choice ? [choice] : [])),
    ],
    years: intersectRanges([years, ...includedReadings.map((reading) => reading.years)]),
    bpm: intersectRanges([bpm, filter?.bpm, ...includedReadings.map((reading) => reading.bpm)]),
    checks: {
      without: excludedReadings.flatMap(excludedExpression),
      phrases: [...phrasesOf(includedReadings, false), ...phrasesOf(excludedReadings, true)],
      downloads: filter?.checks.downloads ?? downloadsOf(parts, form, searchContext),
      notInLibraryOf: filter?.checks.notInLibraryOf,
      notOwnedBy: filter?.checks.notOwnedBy,
    },
  }
  const understood = parts.map((read) => ({
    kind: read.part.kind,
    source: read.part.source,
    meaning: describeTerm(read),
  }))
  return { params: isFiltered || words.length > 0 ? params : undefined, understood }
}

const isPlain = ({ part }: InterpretedTerm): boolean => part.kind === 'word' && !part.negated

/** Each word once, at its last position; exact if it was exact anywhere. */
function distinct(words: readonly SearchWord[]): SearchWord[] {
  const byToken = new Map<string, SearchWord>()
  for (const wanted of words) {
    const token = tokenOf(wanted)
    const isExact = wanted.isExact || byToken.get(token)?.isExact === true
    byToken.delete(token)
    byToken.set(token, { ...wanted, isExact })
  }
  return [...byToken.values()]
}

const phrasesOf = (readings: readonly TermReading[], negated: boolean) =>
  readings.flatMap(({ phrase }) => (phrase === undefined ? [] : [{ phrase, negated }]))

/** A visitor has downloaded nothing, so there is nothing to leave out. */
function downloadsOf(parts: readonly InterpretedTerm[], form: SearchForm, { customer_id }: SearchContext) {
  const downloadTerm = parts.find(({ reading }) => reading.isDownloaded)
  if (customer_id === undefined || !(downloadTerm || form.not_downloaded)) return undefined
  return { customer_id, downloaded: form.not_downloaded ? false : downloadTerm?.part.negated === true }
}
