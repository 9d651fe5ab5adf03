import { genresNear, genresWithWord } from './search-meanings.ts'
import type { SearchGenre } from './search-names.ts'
import { anyOf, prefixOf, type TermGroup } from './search-plan.ts'
import { findIds, groupOf, orGenres, type SearchQuery } from './search-tiers.ts'
import { type Counted, findPrefixMatches, findSimilarWords, type SearchWord, tokenOf } from './search-vocabulary.ts'

/** A word that occurs in this few songs may be a typo that someone else made too. */
const RARE_WORD_LIMIT = 5
const MAX_PREFIX_ROWS = 30_000
/** Maximum number of statements that try a search without one of its words. */
const MAX_DROPPED = 4

/** What a word may match: itself, words and genres one typo away, words and genres that begin with it. */
type WordReading = {
  searchWord: SearchWord
  exactGroup: TermGroup
  similarWords: Counted[]
  similarGenres: SearchGenre[]
  begun: Counted[]
  begunGenres: SearchGenre[]
}
export type WordReadings = WordReading[]

/**
 * Finds similar words for a search: for unknown words; if all are known but there are too few results, for the rare
 * ones; and if there are no results, for all.
 */
export async function readFuzzily({ sql, params, vocabulary }: SearchQuery, found: number): Promise<WordReadings> {
  const read = params.words.map((searchWord) => ({ searchWord, exactGroup: groupOf(searchWord, vocabulary) }))
  const someUnknown = read.some(({ exactGroup }) => exactGroup.expected === 0)
  const limit = someUnknown ? 0 : found === 0 ? Number.POSITIVE_INFINITY : RARE_WORD_LIMIT
  const doubtfulWords = read
    .filter(({ searchWord, exactGroup }) => !searchWord.isExact && exactGroup.expected <= limit)
    .map(({ searchWord }) => searchWord)
  const last = params.words.at(-1)
  const [similarWords, prefixMatches] = await Promise.all([
    findSimilarWords(sql, doubtfulWords),
    last && !last.isExact ? findPrefixMatches(sql, last) : [],
  ])
  return read.map(({ searchWord, exactGroup }) => ({
    searchWord,
    exactGroup,
    similarWords: similarWords.get(searchWord) ?? [],
    similarGenres:
      doubtfulWords.includes(searchWord) && searchWord.field === 'any'
        ? genresNear([searchWord.word], params.genres)
        : [],
    begun: searchWord === last ? prefixMatches : [],
    begunGenres: searchWord === last ? genresBegun(searchWord, params.genres) : [],
  }))
}

const total = (counted: readonly Counted[]): number => counted.reduce((sum, { df }) => sum + df, 0)

const hasSimilar = ({ similarWords, similarGenres }: WordReading): boolean =>
  similarWords.length > 0 || similarGenres.length > 0

function similarGroup({ exactGroup, similarWords, similarGenres }: WordReading): TermGroup {
  if (similarWords.length === 0) return orGenres(exactGroup, similarGenres)
  const match = [
    ...(exactGroup.expected > 0 ? [exactGroup.match] : []),
    anyOf(similarWords.map(({ token }) => token)),
  ].join('|')
  return orGenres({ match, expected: exactGroup.expected + total(similarWords) }, similarGenres)
}

const MIN_PREFIX_LENGTH = 2

/** The genres with a word that begins with the last word of a text that is still being typed. */
export const genresBegun = ({ word, field, isExact }: SearchWord, genres: readonly SearchGenre[]): SearchGenre[] =>
  field === 'any' && !isExact && word.length >= MIN_PREFIX_LENGTH
    ? genresWithWord(genres, (own) => own.startsWith(word))
    : []

/**
 * Every word with this prefix; as a single prefix query while that matches few songs, because the index reads all of
 * them for it.
 */
export function prefixGroup(searchWord: SearchWord, prefixMatches: readonly Counted[]): TermGroup {
  const prefix = prefixOf(tokenOf(searchWord))
  const expected = total(prefixMatches)
  if (expected <= MAX_PREFIX_ROWS || prefixMatches.length === 0) return { match: prefix, expected }
  if (prefixMatches.length <= 16)
    return { match: anyOf(prefixMatches.map(({ token }) => token)), filter: prefix, expected }
  return { match: prefix, expected, onlyFilter: true }
}

/** The last word of a text that is still being typed, as a prefix. */
function begunGroup({ searchWord, exactGroup, begun, begunGenres }: WordReading): TermGroup {
  const beginning = prefixGroup(searchWord, begun)
  const meaning = [...(searchWord.genres ?? []), ...begunGenres]
  return orGenres({ ...beginning, expected: Math.max(beginning.expected, exactGroup.expected) }, [...new Set(meaning)])
}

/** The same, or words and genres one typo away. */
function lastGroup(wordReading: WordReading): TermGroup {
  const beginning = begunGroup(wordReading)
  if (wordReading.similarWords.length === 0) return orGenres(beginning, wordReading.similarGenres)
  const similarWords = anyOf(wordReading.similarWords.map(({ token }) => token))
  return orGenres(
    {
      ...beginning,
      match: `${beginning.match}|${similarWords}`,
      filter: `${beginning.filter ?? beginning.match}|${similarWords}`,
      expected: beginning.expected + total(wordReading.similarWords),
    },
    wordReading.similarGenres,
  )
}

const isPrefix = ({ searchWord, begun, begunGenres }: WordReading): boolean =>
  begunGenres.length > 0 || begun.some(({ token }) => token !== tokenOf(searchWord))

/** Songs that have each word as typed, where the last one may also be a prefix. */
export async function findByPrefix(
  searchQuery: SearchQuery,
  wordReadings: WordReadings,
  maxCount: number,
): Promise<number[]> {
  const last = wordReadings.at(-1)
  if (!last || !isPrefix(last)) return []
  const groups = [...wordReadings.slice(0, -1).map(({ exactGroup }) => exactGroup), begunGroup(last)]
  if (groups.some(({ expected }) => expected === 0)) return []
  return findIds(searchQuery, groups, { offset: 0, limit: maxCount })
}

/** Songs that have each word, or one that is one typo away; the last one may also be a prefix. */
export async function findSimilar(
  searchQuery: SearchQuery,
  wordReadings: WordReadings,
  maxCount: number,
): Promise<number[]> {
  const last = wordReadings.at(-1)
  const groups = [
    ...wordReadings.slice(0, -1).map(similarGroup),
    ...(last ? [isPrefix(last) ? lastGroup(last) : similarGroup(last)] : []),
  ]
  if (!wordReadings.some(hasSimilar) || groups.some(({ expected }) => expected === 0)) return []
  return findIds(searchQuery, groups, { offset: 0, limit: maxCount })
}

/** A single word at the beginning of a search says which song is meant only if few songs have it. */
const FEW_SONGS = 24

/**
 * Songs that have the beginning of the search, as long as possible: "afterglow intro clean" means Afterglow, also when it
 * has no such version.
 */
export async function findByFirstWords(
  searchQuery: SearchQuery,
  wordReadings: WordReadings,
  maxCount: number,
): Promise<number[]> {
  const groups = wordReadings.map(({ exactGroup }) => exactGroup)
  if (wordReadings.some(({ searchWord, exactGroup }) => searchWord.isExact && exactGroup.expected === 0)) return []
  for (let length = groups.length - 1; length > 0 && groups.length - length <= MAX_DROPPED; length--) {
    const first = groups.slice(0, length)
    const isUsable =
      first.every(({ expected }) => expected > 0) && (length > 1 || (first[0]?.expected ?? 0) <= FEW_SONGS)
    const ids = isUsable ? await findIds(searchQuery, first, { offset: 0, limit: maxCount }) : []
    if (ids.length > 0) return ids
  }
  return []
}

/** Songs that have all words but one; if some are unknown to the pool, all words but these. */
export async function findWithoutOneWord(
  searchQuery: SearchQuery,
  wordReadings: WordReadings,
  maxCount: number,
): Promise<number[]> {
  const read = wordReadings.map((wordReading) => ({ reading: wordReading, group: broadestGroup(wordReading) }))
  const known = read.filter(({ group }) => group.expected > 0)
  if (read.some(({ reading: wordReading, group }) => wordReading.searchWord.isExact && group.expected === 0)) return []
  const droppable = known.filter(({ reading: wordReading }) => !wordReading.searchWord.isExact)
  const byRarity = [...droppable].sort((a, b) => a.group.expected - b.group.expected).slice(0, MAX_DROPPED)
  const left =
    known.length < read.length ? [known] : byRarity.map((dropped) => known.filter((other) => other !== dropped))
  const found = await Promise.all(
    left
      .filter((some) => some.length > 0)
      .map((some) =>
        findIds(
          searchQuery,
          some.map(({ group }) => group),
          { offset: 0, limit: maxCount },
        ),
      ),
  )
  return [...new Set(found.flat())].sort((a, b) => b - a).slice(0, maxCount)
}

const broadestGroup = (wordReading: WordReading): TermGroup =>
  isPrefix(wordReading) ? lastGroup(wordReading) : similarGroup(wordReading)
