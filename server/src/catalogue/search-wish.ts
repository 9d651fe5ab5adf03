import { type catalogue, type ParsedInputOf, parseQuery, type QueryPart } from '@dubplate/contract'
import { Refusal } from '../platform/refusal.ts'
import {
  bpmFacets,
  either,
  meaningOfRange,
  meetOf,
  type Range,
  readKeys,
  readRange,
  yearFacets,
} from './search-facets.ts'
import type { Field } from './search-index.ts'
import { genresCalled, type Named, versionsCalled } from './search-names.ts'
import { allOf, anyOf, type Checks } from './search-plan.ts'
import { tokenOf, type WantedWord } from './search-vocabulary.ts'
import { phraseOf, wordsOf } from './words.ts'

/** A search as the pool understands it. */
export type SearchWish = {
  section: number
  words: WantedWord[]
  /** Choices of facet words: of each choice one must be there. */
  facets: string[][]
  years?: Range | undefined
  bpm?: Range | undefined
  checks?: Pick<Checks, 'without' | 'phrases' | 'downloads'>
}

/** What names and codes mean in this pool, and who asks. */
export type Around = {
  genres: readonly Named[]
  kinds: readonly (Named & { version_code: string })[]
  customer_id: number | undefined
}

export type SearchForm = Pick<
  ParsedInputOf<typeof catalogue.searchSongs>,
  'SongEntitySearch' | 'song_section_id' | 'genre_id' | 'versions' | 'not_downloaded'
>

/** What one part of the text asks for, and that in plain words. */
type Reading = {
  words?: WantedWord[]
  phrase?: string
  choice?: string[]
  years?: Range
  bpm?: Range
  isDownloaded?: true
  meaning: string
}
type ReadPart = { part: QueryPart; reading: Reading }

const MOST_WORDS = 32

export const wantedWords = (text: string, field: Field = 'any', firm = false): WantedWord[] =>
  wordsOf(text).map((word) => ({ word, field, firm }))

/** Reads one part; undefined where it says nothing after all. Refuses `invalid_filter` for a value that makes no sense. */
function readPart({ kind, value, compatible }: QueryPart, { genres, kinds }: Around): Reading | undefined {
  if (wordsOf(value).length === 0) return undefined
  switch (kind) {
    case 'word':
      return { words: wantedWords(value), meaning: `“${value}”` }
    case 'phrase':
      return { words: wantedWords(value, 'any', true), phrase: phraseOf(value), meaning: `exactly “${value}”` }
    case 'title':
    case 'artist':
      return { words: wantedWords(value, kind), meaning: `${kind} “${value}”` }
    case 'bpm': {
      const bpm = readRange(value, 'bpm')
      return bpm && { bpm, meaning: meaningOfRange(bpm, 'bpm') }
    }
    case 'year': {
      const years = readRange(value, 'year')
      return years && { years, meaning: meaningOfRange(years, 'year') }
    }
    case 'key': {
      const keys = readKeys(value, compatible)
      return keys && { choice: keys.facets, meaning: keys.meaning }
    }
    case 'genre': {
      const called = genresCalled(value, genres)
      return { choice: called.map(({ id }) => `#g${id}`), meaning: `genre ${either(called.map(({ name }) => name))}` }
    }
    case 'version': {
      const called = versionsCalled(value, kinds)
      return { choice: called.map(({ id }) => `#v${id}`), meaning: `version ${either(called.map(({ name }) => name))}` }
    }
    case 'downloaded':
      if (value.toLowerCase() !== 'downloaded')
        throw new Refusal('invalid_filter', 'Only “downloaded” can follow “not:”, as in not:downloaded.')
      return { isDownloaded: true, meaning: 'not downloaded' }
  }
}

function meaningOf({ part, reading: { meaning } }: ReadPart): string {
  if (!part.negated) return meaning
  if (part.kind === 'phrase') return `without “${part.value}”`
  if (part.kind === 'genre') return `excluding ${meaning}`
  if (part.kind === 'downloaded') return 'already downloaded'
  return `${['word', 'title', 'artist', 'version'].includes(part.kind) ? 'without' : 'not'} ${meaning}`
}

/** What must not be there, as a tsquery; a phrase is none, its words may stand apart. */
function unwanted({ words, choice, years, bpm, phrase }: Reading): string[] {
  if (phrase !== undefined) return []
  if (words) return [allOf(words.map(tokenOf))]
  const facets = choice ?? (years ? yearFacets(years) : bpm ? bpmFacets(bpm) : [])
  return facets.length > 0 ? [anyOf(facets)] : []
}

/** The filters of the form, which stand beside the text and are not repeated in words. */
function readForm(form: SearchForm, { kinds }: Around) {
  const { bpm, song_key, year } = form.SongEntitySearch
  const ofCodes = kinds.filter(({ version_code }) => form.versions.includes(version_code)).map(({ id }) => `#v${id}`)
  const choices = [
    form.genre_id ? [`#g${form.genre_id}`] : [],
    form.versions.length > 0 && ofCodes.length === 0 ? ['#v0'] : ofCodes,
    readKeys(song_key)?.facets ?? [],
  ]
  return {
    choices: choices.filter((choice) => choice.length > 0),
    years: readRange(String(year), 'year'),
    bpm: readRange(String(bpm), 'bpm'),
  }
}

/**
 * What is searched for, by the text and by the form beside it; `wish` is undefined where both say nothing.
 * Refuses `invalid_filter`, `query_too_short`.
 */
export function readWish(text: string, form: SearchForm, around: Around) {
  const parts = parseQuery(text).flatMap((part): ReadPart[] => {
    const reading = readPart(part, around)
    return reading ? [{ part, reading }] : []
  })
  const { title, artist } = form.SongEntitySearch
  const { choices, years, bpm } = readForm(form, around)
  const isOperator = ({ part }: ReadPart) => part.negated || (part.kind !== 'word' && part.kind !== 'phrase')
  const isFiltered = parts.some(isOperator) || choices.length > 0 || years || bpm || form.not_downloaded
  if (!isFiltered && [...[text, title, artist].join(' ').trim()].length < 3) {
    throw new Refusal('query_too_short', 'Enter at least 3 characters to search.')
  }
  const sought = parts.filter(({ part }) => !part.negated).map(({ reading }) => reading)
  const avoided = parts.filter(({ part }) => part.negated).map(({ reading }) => reading)
  const words = [
    ...wantedWords(title, 'title'),
    ...wantedWords(artist, 'artist'),
    ...sought.flatMap((reading) => reading.words ?? []),
  ]
  const wish: SearchWish = {
    section: form.song_section_id,
    words: distinct(words).slice(0, MOST_WORDS),
    facets: [...choices, ...sought.flatMap(({ choice }) => (choice ? [choice] : []))],
    years: meetOf([years, ...sought.map((reading) => reading.years)]),
    bpm: meetOf([bpm, ...sought.map((reading) => reading.bpm)]),
    checks: {
      without: avoided.flatMap(unwanted),
      phrases: [...phrasesOf(sought, false), ...phrasesOf(avoided, true)],
      downloads: downloadsOf(parts, form, around),
    },
  }
  const understood = parts.map((read) => ({
    kind: read.part.kind,
    source: read.part.source,
    meaning: meaningOf(read),
  }))
  return { wish: isFiltered || words.length > 0 ? wish : undefined, understood }
}

/** Each word once, where it stood last; firm if it was so anywhere. */
function distinct(words: readonly WantedWord[]): WantedWord[] {
  const byToken = new Map<string, WantedWord>()
  for (const wanted of words) {
    const token = tokenOf(wanted)
    const firm = wanted.firm || byToken.get(token)?.firm === true
    byToken.delete(token)
    byToken.set(token, { ...wanted, firm })
  }
  return [...byToken.values()]
}

const phrasesOf = (readings: readonly Reading[], negated: boolean) =>
  readings.flatMap(({ phrase }) => (phrase === undefined ? [] : [{ phrase, negated }]))

/** A visitor has downloaded nothing: for them there is nothing to leave out. */
function downloadsOf(parts: readonly ReadPart[], form: SearchForm, { customer_id }: Around) {
  const asked = parts.find(({ reading }) => reading.isDownloaded)
  if (customer_id === undefined || !(asked || form.not_downloaded)) return undefined
  return { customer_id, downloaded: form.not_downloaded ? false : asked?.part.negated === true }
}
