import { camelot, camelotOrder, catalogue, KEYS, openKey, parseKey, type SongKey } from '@dubplate/contract'
import { OPERATORS, type OperatorName, type QueryToken } from '@dubplate/contract/query'
import { quoteValue } from '../catalogue/searchTerm.ts'
import type { Notation } from '../platform/preferences.ts'
import * as texts from './texts.ts'

/** One way to go on with the piece that is being typed, and the text it leads to. */
export type Completion = {
  /** What the piece becomes: `bpm:120-126`, `key:8A`. */
  label: string
  meaning: string
  songKey?: SongKey
  text: string
  /** Where typing goes on in that text. */
  caret: number
}

/** What completions are chosen from. */
export type Vocabulary = {
  notation: Notation
  genres: readonly string[]
  versions: readonly string[]
  artists: readonly string[]
  year: number
  /** What plays now: its tempo in BPM and its key, where they are known. */
  playing?: { bpm: number | undefined; key: SongKey | undefined } | undefined
}

const SHOWN = 8

const KEYS_IN_ORDER = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b))
const TYPED: Record<Notation, (key: SongKey) => string> = { camelot, musical: (key) => key, open: openKey }

/** The text with a part of it replaced. What is finished has a space behind it, to go on behind. */
function replaced(text: string, from: number, to: number, by: string, isFinished: boolean) {
  const behind = text.slice(to)
  const piece = isFinished && !behind.startsWith(' ') ? `${by} ` : by
  const caret = from + piece.length + (isFinished && behind.startsWith(' ') ? 1 : 0)
  return { text: text.slice(0, from) + piece + behind, caret }
}

/** How one goes on in the piece at the caret: names of operators for a word, values behind an operator. */
export const completionsOf = (text: string, token: QueryToken | undefined, vocabulary: Vocabulary): Completion[] => {
  if (!token) return []
  return token.operator ? valuesFor(text, token, token.operator, vocabulary) : operatorsFor(text, token)
}

function operatorsFor(text: string, token: QueryToken): Completion[] {
  const typed = token.value.toLowerCase()
  if (!typed || token.quoted) return []
  const fits = ({ name }: { name: string }) => name.startsWith(typed) || name === `~${typed}`
  return OPERATORS.filter(fits).map(({ name, example, meaning }) => {
    const isWhole = name === 'not'
    const piece = `${token.negated ? '-' : ''}${isWhole ? example : `${name}:`}`
    return { label: example, meaning, ...replaced(text, token.start, token.end, piece, isWhole) }
  })
}

type Value = { value: string; meaning: string; songKey?: SongKey }

/** Behind a comma a further key begins; the ones before it stay. */
function typedPart({ operator, quoted, value }: QueryToken): { before: string; typed: string } {
  const comma = operator === 'key' && !quoted ? value.lastIndexOf(',') + 1 : 0
  return { before: value.slice(0, comma), typed: value.slice(comma).trim().toLowerCase() }
}

function valuesFor(text: string, token: QueryToken, operator: OperatorName, vocabulary: Vocabulary): Completion[] {
  const { before, typed } = typedPart(token)
  const from = token.start + (token.negated ? 1 : 0) + operator.length + 1
  return VALUES[operator](typed, vocabulary).map(({ value, meaning, songKey }) => {
    const written = before + quoteValue(value)
    return {
      label: `${operator}:${written}`,
      meaning,
      ...(songKey && { songKey }),
      ...replaced(text, from, token.end, written, true),
    }
  })
}

/** Names that begin so, then names with a word that begins so. */
function namesLike(names: readonly string[], typed: string): Value[] {
  const begins = names.filter((name) => name.toLowerCase().startsWith(typed))
  const within = names.filter((name) => !begins.includes(name) && ` ${name.toLowerCase()}`.includes(` ${typed}`))
  return [...begins, ...within].slice(0, SHOWN).map((value) => ({ value, meaning: '' }))
}

const everySpelling = (key: SongKey) => Object.values(TYPED).map((write) => write(key).toLowerCase())

/** Keys as this person writes them; in another notation only where nothing of theirs begins so. */
function keysLike(typed: string, { notation }: Vocabulary): Value[] {
  const write = TYPED[notation]
  const own = KEYS_IN_ORDER.filter((key) => write(key).toLowerCase().startsWith(typed))
  const keys = own.length
    ? own
    : KEYS_IN_ORDER.filter((key) => everySpelling(key).some((spelling) => spelling.startsWith(typed)))
  return keys.map((key) => ({ value: write(key), meaning: spelledOtherwise(key, notation), songKey: key }))
}

const spelledOtherwise = (key: SongKey, notation: Notation) =>
  Object.entries(TYPED)
    .filter(([other]) => other !== notation)
    .map(([, write]) => write(key))
    .join(' · ')

/** How far a pitch fader reaches, as whole BPM either side. */
const around = (bpm: number, share: number) => `${Math.ceil(bpm * (1 - share))}-${Math.floor(bpm * (1 + share))}`

const startingWith = (typed: string, values: Value[]) => values.filter(({ value }) => value.startsWith(typed))

function temposLike(typed: string, { playing }: Vocabulary): Value[] {
  const bpm = /^\d{2,3}$/.test(typed) ? Number(typed) : 0
  const reach = playing?.bpm
    ? [{ value: around(playing.bpm, catalogue.TEMPO_REACH), meaning: texts.withinTempoRangeOfThe }]
    : []
  if (bpm >= 40) {
    return [
      { value: typed, meaning: texts.exactTempo },
      { value: around(bpm, 0.03), meaning: texts.within3 },
      { value: around(bpm, catalogue.TEMPO_REACH), meaning: texts.withinPitchFaderRange },
    ]
  }
  return startingWith(typed, [
    ...reach,
    { value: '120-126', meaning: texts.n120To126Bpm },
    { value: '>140', meaning: texts.above140Bpm },
    { value: '<100', meaning: texts.below100Bpm },
  ])
}

const yearsLike = (typed: string, { year }: Vocabulary): Value[] =>
  startingWith(typed, [
    { value: String(year), meaning: texts.thisYear },
    { value: `${year - 4}-${year}`, meaning: texts.last5Years },
    { value: '1990-1999', meaning: '1990s' },
    { value: '<2000', meaning: texts.before2000 },
  ])

function mixingKeysLike(typed: string, vocabulary: Vocabulary): Value[] {
  const keys = keysLike(typed, vocabulary)
  const playing = vocabulary.playing?.key
  if (typed || !playing) return keys
  const first = {
    value: TYPED[vocabulary.notation](playing),
    meaning: texts.compatibleWithTheCurrentSong,
    songKey: playing,
  }
  return [first, ...keys.filter(({ songKey }) => songKey !== playing)]
}

const VALUES: Record<OperatorName, (typed: string, vocabulary: Vocabulary) => Value[]> = {
  bpm: temposLike,
  year: yearsLike,
  key: keysLike,
  '~key': mixingKeysLike,
  genre: (typed, { genres }) => namesLike(genres, typed),
  version: (typed, { versions }) => namesLike(versions, typed),
  artist: (_, { artists }) => artists.map((value) => ({ value, meaning: '' })),
  title: () => [],
  not: () => [{ value: 'downloaded', meaning: texts.excludesSongsYouveAlreadyDownloaded }],
}

/** The tempo and the key of a song, as completions take them. */
export const mixingOf = ({
  max_bpm,
  min_bpm,
  song_key,
}: {
  max_bpm: number | null
  min_bpm: number | null
  song_key: string | null
}) => ({ bpm: max_bpm ?? min_bpm ?? undefined, key: parseKey(song_key ?? '') })
