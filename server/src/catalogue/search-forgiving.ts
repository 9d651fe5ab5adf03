import { anyOf, type Group, prefixOf } from './search-plan.ts'
import { findIds, groupOf, type Quest } from './search-tiers.ts'
import { begunBy, type Counted, nearTo, tokenOf, type WantedWord } from './search-vocabulary.ts'

/** A word that occurs in so few songs may be a slip that somebody else made too. */
const HARDLY_USED = 5
const LARGE_PREFIX = 30_000
/** Statements that try a search without one of its words. */
const MOST_DROPPED = 4

/** What may stand for a word: itself, words one slip away, words that begin with it. */
type Reading = { wanted: WantedWord; own: Group; near: Counted[]; begun: Counted[] }
export type Readings = Reading[]

/**
 * Reads the words of a search more kindly: those nobody uses; where all are used but too little was found, the ones
 * hardly used, and where nothing was found, all of them.
 */
export async function readKindly({ sql, wish, vocabulary }: Quest, found: number): Promise<Readings> {
  const read = wish.words.map((wanted) => ({ wanted, own: groupOf(wanted, vocabulary) }))
  const someUnknown = read.some(({ own }) => own.expected === 0)
  const limit = someUnknown ? 0 : found === 0 ? Number.POSITIVE_INFINITY : HARDLY_USED
  const doubted = read.filter(({ wanted, own }) => !wanted.firm && own.expected <= limit).map(({ wanted }) => wanted)
  const last = wish.words.at(-1)
  const [near, begun] = await Promise.all([nearTo(sql, doubted), last && !last.firm ? begunBy(sql, last) : []])
  return read.map(({ wanted, own }) => ({
    wanted,
    own,
    near: near.get(wanted) ?? [],
    begun: wanted === last ? begun : [],
  }))
}

const total = (counted: readonly Counted[]): number => counted.reduce((sum, { df }) => sum + df, 0)

function similarGroup({ own, near }: Reading): Group {
  if (near.length === 0) return own
  const match = [...(own.expected > 0 ? [own.match] : []), anyOf(near.map(({ token }) => token))].join('|')
  return { match, expected: own.expected + total(near) }
}

/** Every word that begins so; as one prefix while that finds few songs, because the index reads all of them for it. */
export function beginningGroup(wanted: WantedWord, begun: readonly Counted[]): Group {
  const prefix = prefixOf(tokenOf(wanted))
  const expected = total(begun)
  if (expected <= LARGE_PREFIX || begun.length === 0) return { match: prefix, expected }
  if (begun.length <= 16) return { match: anyOf(begun.map(({ token }) => token)), filter: prefix, expected }
  return { match: prefix, expected, onlyFilter: true }
}

/** As the last word of a text that is still being typed: its beginnings, or words one slip away. */
function lastGroup(reading: Reading): Group {
  if (reading.near.length === 0) return beginningGroup(reading.wanted, reading.begun)
  const beginning = beginningGroup(reading.wanted, reading.begun)
  const near = anyOf(reading.near.map(({ token }) => token))
  return {
    ...beginning,
    match: `${beginning.match}|${near}`,
    filter: `${beginning.filter ?? beginning.match}|${near}`,
    expected: beginning.expected + total(reading.near),
  }
}

/** Songs that have each word, or one a slip away from it. */
export async function findSimilar(quest: Quest, readings: Readings, most: number): Promise<number[]> {
  const groups = readings.map(similarGroup)
  if (readings.every(({ near }) => near.length === 0) || groups.some(({ expected }) => expected === 0)) return []
  return findIds(quest, groups, { offset: 0, limit: most })
}

/** Songs that have each word as above, and the last one also as a beginning. */
export async function findBegun(quest: Quest, readings: Readings, most: number): Promise<number[]> {
  const last = readings.at(-1)
  if (!last || last.begun.every(({ token }) => token === tokenOf(last.wanted))) return []
  const groups = [...readings.slice(0, -1).map(similarGroup), lastGroup(last)]
  if (groups.some(({ expected }) => expected === 0)) return []
  return findIds(quest, groups, { offset: 0, limit: most })
}

/** Songs that have all words but one; where some are unknown to the pool, all words but these. */
export async function findAllButOne(quest: Quest, readings: Readings, most: number): Promise<number[]> {
  const read = readings.map((reading) => ({ reading, group: kindestGroup(reading) }))
  const known = read.filter(({ group }) => group.expected > 0)
  if (read.some(({ reading, group }) => reading.wanted.firm && group.expected === 0)) return []
  const droppable = known.filter(({ reading }) => !reading.wanted.firm)
  const byRarity = [...droppable].sort((a, b) => a.group.expected - b.group.expected).slice(0, MOST_DROPPED)
  const left =
    known.length < read.length ? [known] : byRarity.map((dropped) => known.filter((other) => other !== dropped))
  const found = await Promise.all(
    left
      .filter((some) => some.length > 0)
      .map((some) =>
        findIds(
          quest,
          some.map(({ group }) => group),
          { offset: 0, limit: most },
        ),
      ),
  )
  return [...new Set(found.flat())].sort((a, b) => b - a).slice(0, most)
}

const kindestGroup = (reading: Reading): Group =>
  reading.begun.length > 0 ? lastGroup(reading) : similarGroup(reading)
