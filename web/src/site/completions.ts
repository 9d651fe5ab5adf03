import { camelot, camelotOrder, catalogue, KEYS, openKey, parseKey, type SongKey } from '@dubplate/contract'
import { OPERATORS, type OperatorName, type QueryToken } from '@dubplate/contract/query'
import { quoteValue } from '../catalogue/searchTerm.ts'
import type { Notation } from '../platform/preferences.ts'
import * as texts from './texts.ts'

/** A completion of the term being typed, with the resulting text. */
export type Completion = {
  /** The completed term: `bpm:120-126`, `key:8A`. */
  label: string
  meaning: string
  songKey?: SongKey
  text: string
  /** The position of the caret in that text. */
  caret: number
}

/** The data that completions are chosen from. */
export type Vocabulary = {
  notation: Notation
  genres: readonly string[]
  versions: readonly string[]
  artists: readonly string[]
  labels: readonly string[]
  year: number
  /** The tempo in BPM and the key of the playing song, if known. */
  playing?: { bpm: number | undefined; key: SongKey | undefined } | undefined
}

const MAX_COMPLETIONS = 8

const KEYS_IN_ORDER = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b))
const KEY_INPUT_FORMATS: Record<Notation, (key: SongKey) => string> = { camelot, musical: (key) => key, open: openKey }

/** The text with a part of it replaced. A finished term is followed by a space. */
function replaceToken(text: string, from: number, to: number, by: string, isFinished: boolean) {
  const textAfter = text.slice(to)
  const word = isFinished && !textAfter.startsWith(' ') ? `${by} ` : by
  const caret = from + word.length + (isFinished && textAfter.startsWith(' ') ? 1 : 0)
  return { text: text.slice(0, from) + word + textAfter, caret }
}

/** The completions of the term at the caret: operators for a word, values after an operator. */
export const completionsOf = (text: string, token: QueryToken | undefined, vocabulary: Vocabulary): Completion[] => {
  if (!token) return []
  return token.operator ? valuesFor(text, token, token.operator, vocabulary) : operatorsFor(text, token)
}

function operatorsFor(text: string, token: QueryToken): Completion[] {
  const typed = token.value.toLowerCase()
  if (!typed || token.quoted) return []
  const matchesInput = ({ name }: { name: string }) => name.startsWith(typed) || name === `~${typed}`
  return OPERATORS.filter(matchesInput).map(({ name, example, meaning }) => {
    const isExpanded = name === 'not'
    const word = `${token.negated ? '-' : ''}${isExpanded ? example : `${name}:`}`
    return { label: example, meaning, ...replaceToken(text, token.start, token.end, word, isExpanded) }
  })
}

type Value = { value: string; meaning: string; songKey?: SongKey }

/** After a comma another key starts; those before it are kept. */
function typedValue({ operator, quoted, value }: QueryToken): { before: string; typed: string } {
  const comma = operator === 'key' && !quoted ? value.lastIndexOf(',') + 1 : 0
  return { before: value.slice(0, comma), typed: value.slice(comma).trim().toLowerCase() }
}

function valuesFor(text: string, token: QueryToken, operator: OperatorName, vocabulary: Vocabulary): Completion[] {
  const { before, typed } = typedValue(token)
  const from = token.start + (token.negated ? 1 : 0) + operator.length + 1
  return VALUES[operator](typed, vocabulary).map(({ value, meaning, songKey }) => {
    const written = before + quoteValue(value)
    return {
      label: `${operator}:${written}`,
      meaning,
      ...(songKey && { songKey }),
      ...replaceToken(text, from, token.end, written, true),
    }
  })
}

/** Names that start with the text, then names with a word that does. */
function nameSuggestions(names: readonly string[], typed: string): Value[] {
  const startingNames = names.filter((name) => name.toLowerCase().startsWith(typed))
  const containingNames = names.filter(
    (name) => !startingNames.includes(name) && ` ${name.toLowerCase()}`.includes(` ${typed}`),
  )
  return [...startingNames, ...containingNames].slice(0, MAX_COMPLETIONS).map((value) => ({ value, meaning: '' }))
}

const allSpellings = (key: SongKey) => Object.values(KEY_INPUT_FORMATS).map((write) => write(key).toLowerCase())

/** Keys in the user's notation; in another one only if no key of theirs starts with the text. */
function keySuggestions(typed: string, { notation }: Vocabulary): Value[] {
  const write = KEY_INPUT_FORMATS[notation]
  const own = KEYS_IN_ORDER.filter((key) => write(key).toLowerCase().startsWith(typed))
  const keys = own.length
    ? own
    : KEYS_IN_ORDER.filter((key) => allSpellings(key).some((spelling) => spelling.startsWith(typed)))
  return keys.map((key) => ({ value: write(key), meaning: otherSpellings(key, notation), songKey: key }))
}

const otherSpellings = (key: SongKey, notation: Notation) =>
  Object.entries(KEY_INPUT_FORMATS)
    .filter(([other]) => other !== notation)
    .map(([, write]) => write(key))
    .join(' · ')

/** The tempo range within a fraction of the tempo, as whole BPM. */
const nearbyTempos = (bpm: number, share: number) => `${Math.ceil(bpm * (1 - share))}-${Math.floor(bpm * (1 + share))}`

const startingWith = (typed: string, values: Value[]) => values.filter(({ value }) => value.startsWith(typed))

function tempoSuggestions(typed: string, { playing }: Vocabulary): Value[] {
  const bpm = /^\d{2,3}$/.test(typed) ? Number(typed) : 0
  const playingBpm = playing?.bpm
    ? [{ value: nearbyTempos(playing.bpm, catalogue.MIXABLE_TEMPO_RATIO), meaning: texts.withinTempoRange }]
    : []
  if (bpm >= 40) {
    return [
      { value: typed, meaning: texts.exactTempo },
      { value: nearbyTempos(bpm, 0.03), meaning: texts.withinThreePercent },
      { value: nearbyTempos(bpm, catalogue.MIXABLE_TEMPO_RATIO), meaning: texts.withinPitchFaderRange },
    ]
  }
  return startingWith(typed, [
    ...playingBpm,
    { value: '120-126', meaning: texts.n120To126Bpm },
    { value: '>140', meaning: texts.above140Bpm },
    { value: '<100', meaning: texts.below100Bpm },
  ])
}

const yearSuggestions = (typed: string, { year }: Vocabulary): Value[] =>
  startingWith(typed, [
    { value: String(year), meaning: texts.thisYear },
    { value: `${year - 4}-${year}`, meaning: texts.last5Years },
    { value: '1990-1999', meaning: texts.the1990s },
    { value: '<2000', meaning: texts.beforeYear2000 },
  ])

function mixingKeySuggestions(typed: string, vocabulary: Vocabulary): Value[] {
  const keys = keySuggestions(typed, vocabulary)
  const playing = vocabulary.playing?.key
  if (typed || !playing) return keys
  const first = {
    value: KEY_INPUT_FORMATS[vocabulary.notation](playing),
    meaning: texts.compatibleWithTheCurrentSong,
    songKey: playing,
  }
  return [first, ...keys.filter(({ songKey }) => songKey !== playing)]
}

const VALUES: Record<OperatorName, (typed: string, vocabulary: Vocabulary) => Value[]> = {
  bpm: tempoSuggestions,
  year: yearSuggestions,
  key: keySuggestions,
  '~key': mixingKeySuggestions,
  genre: (typed, { genres }) => nameSuggestions(genres, typed),
  version: (typed, { versions }) => nameSuggestions(versions, typed),
  artist: (_, { artists }) => artists.map((value) => ({ value, meaning: '' })),
  label: (_, { labels }) => labels.map((value) => ({ value, meaning: '' })),
  title: () => [],
  not: () => [{ value: 'downloaded', meaning: texts.excludesSongsYouveAlreadyDownloaded }],
}

/** The tempo and key of a song, as completions take them. */
export const mixingOf = ({
  max_bpm,
  min_bpm,
  song_key,
}: {
  max_bpm: number | null
  min_bpm: number | null
  song_key: string | null
}) => ({ bpm: max_bpm ?? min_bpm ?? undefined, key: parseKey(song_key ?? '') })
