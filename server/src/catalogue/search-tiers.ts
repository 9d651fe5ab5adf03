import type { Sql } from '../platform/db.ts'
import { bpmFacets, numbersIn, type Range, reachesAnEnd, yearFacets } from './search-facets.ts'
import { FIELDS } from './search-index.ts'
import { type Added, anyOf, type Checks, type Group, planSearch } from './search-plan.ts'
import { lookUp, tokenOf, type Vocabulary, type WantedWord } from './search-vocabulary.ts'
import type { SearchWish } from './search-wish.ts'
import { sectionsOf } from './sections.ts'

/** Songs whose whole title (or artist) is what was typed: the newest so many of each lead. */
const WHOLE = 24

/** A search on its way: what is wished, and what the vocabulary says about it. */
export type Quest = { sql: Sql; wish: SearchWish; vocabulary: Vocabulary; facets: Group[] }

export type Slice = { offset: number; limit: number }
type Run = Slice & {
  bpm?: Range | undefined
  notWithin?: Range | undefined
  leaveOut?: readonly number[]
  added?: Added | undefined
}

/** Tempos are found at the nearest whole number. */
const around = ([from, to]: Range): Range => [from - 0.5, to + 0.5]

/** A word as a group: whole, in its own field. */
export const groupOf = (wanted: WantedWord, { df }: Vocabulary): Group => {
  const token = tokenOf(wanted)
  return { match: anyOf([token]), expected: df(token) }
}

export const facetGroup = (tokens: readonly string[], { df }: Vocabulary): Group => ({
  match: anyOf(tokens),
  expected: tokens.reduce((sum, token) => sum + df(token), 0),
})

function planOf({ wish, vocabulary, facets }: Quest, words: readonly Group[], run: Run & { count?: boolean }) {
  const bpm = 'bpm' in run ? run.bpm : wish.bpm
  const checks: Checks = {
    ...wish.checks,
    fastest: bpm && around(bpm),
    notWithin: run.notWithin && { match: anyOf(bpmFacets(run.notWithin)), bpmBelow: around(run.notWithin)[1] },
    leaveOut: run.leaveOut,
    added: run.added,
  }
  const tempo = bpm ? [facetGroup(bpmFacets(bpm), vocabulary)] : []
  const { limit, offset, count = false } = run
  return planSearch([...words, ...facets, ...tempo], vocabulary, { limit, offset, checks, count })
}

/**
 * Ids of the songs that match these words and all filters, newest first. Planned anew each time: a kept plan does not
 * know how rare the words are and walks the whole catalogue.
 */
export async function findIds(quest: Quest, words: readonly Group[], run: Run): Promise<number[]> {
  const plan = planOf(quest, words, run)
  const rows = await quest.sql.unsafe<{ entity_id: number }[]>(plan.text, plan.values)
  return rows.map((row) => row.entity_id).sort((a, b) => b - a)
}

async function countTo(quest: Quest, words: readonly Group[], limit: number): Promise<number> {
  const plan = planOf(quest, words, { offset: 0, limit, count: true })
  const [counted] = await quest.sql.unsafe<{ n: number }[]>(plan.text, plan.values)
  return counted?.n ?? 0
}

/**
 * A slice of the songs that have every word, at the tempo asked for: first those whose whole title or artist it is,
 * then the newest. The count, exact up to `most`, costs a statement only where the slice does not tell it.
 */
export async function findExact(quest: Quest, { offset, limit }: Slice, most: number) {
  const words = quest.wish.words.map((wanted) => groupOf(wanted, quest.vocabulary))
  if (words.some(({ expected }) => expected === 0)) return { ids: [], count: 0 }
  const whole = await findWhole(quest)
  const leading = whole.slice(offset, offset + limit)
  const wanted = limit - leading.length
  const skipped = Math.max(0, offset - whole.length)
  const run = { offset: skipped, limit: wanted, leaveOut: whole }
  const behind = wanted > 0 ? await findIds(quest, words, run) : []
  const isEnd = behind.length < wanted && (skipped === 0 || behind.length > 0)
  const count = isEnd ? whole.length + skipped + behind.length : await countTo(quest, words, most)
  return { ids: [...leading, ...behind], count }
}

/** Songs whose whole title, then those whose whole artist is made of the words typed. */
export async function findWhole(quest: Quest): Promise<number[]> {
  const found = await Promise.all([findWholeField(quest, 'title', '#t'), findWholeField(quest, 'artist', '#a')])
  return [...new Set(found.flat())]
}

async function findWholeField(quest: Quest, field: 'title' | 'artist', sign: '#t' | '#a'): Promise<number[]> {
  const { wish, vocabulary } = quest
  const isElsewhere = wish.words.some((wanted) => wanted.field !== 'any' && wanted.field !== field)
  const words = [...new Set(wish.words.map(({ word }) => `${FIELDS[field]}${word}`))]
  if (isElsewhere || words.length === 0 || words.some((word) => vocabulary.df(word) === 0)) return []
  const groups = [...words, `${sign}${words.length}`].map((token) => facetGroup([token], vocabulary))
  return findIds(quest, groups, { offset: 0, limit: WHOLE })
}

/** Looks up what the vocabulary says about a search, before it is planned. */
export async function prepare(sql: Sql, wish: SearchWish): Promise<Quest> {
  const { years } = wish
  const sections = sectionsOf(wish.section)
  const choices = [sections.map((section) => `#s${section}`), ...wish.facets, ...(years ? [yearFacets(years)] : [])]
  const within = years && { sections, years: numbersIn(years) }
  const vocabulary = await lookUp(sql, [...choices.flat(), ...tokensOf(wish)], within)
  return { sql, wish, vocabulary, facets: choices.map((choice) => facetGroup(choice, vocabulary)) }
}

function tokensOf({ words, bpm }: SearchWish): string[] {
  const distinct = new Set(words.map(({ word }) => word)).size
  const whole = words.flatMap(({ word }) => [`${FIELDS.title}${word}`, `${FIELDS.artist}${word}`])
  const tempi = bpm ? [bpm, ...otherTempi(bpm).map(({ range }) => range)].flatMap(bpmFacets) : []
  return [...words.map(tokenOf), ...whole, `#t${distinct}`, `#a${distinct}`, ...tempi]
}

type OtherTempo = { tempo: 'half' | 'double'; range: Range }

/** Half and double of a tempo; none of one that is open at an end: half of "faster than 120" is nearly everything. */
function otherTempi(bpm: Range): OtherTempo[] {
  if (reachesAnEnd(bpm, 'bpm')) return []
  const [from, to] = bpm
  return [
    { tempo: 'half', range: [Math.floor(from / 2), Math.ceil(to / 2)] },
    { tempo: 'double', range: [from * 2, to * 2] },
  ]
}

/** Songs that have every word at half the tempo asked for, then at double; none that have the tempo asked for. */
export async function findOtherTempi(
  quest: Quest,
  room: number,
): Promise<{ tempo: 'half' | 'double'; ids: number[] }[]> {
  const { wish, vocabulary } = quest
  const words = wish.words.map((wanted) => groupOf(wanted, vocabulary))
  if (!wish.bpm || room <= 0 || words.some(({ expected }) => expected === 0)) return []
  const asked = wish.bpm
  return Promise.all(
    otherTempi(asked).map(async ({ tempo, range }) => ({
      tempo,
      ids: await findIds(quest, words, { offset: 0, limit: room, bpm: range, notWithin: asked }),
    })),
  )
}
