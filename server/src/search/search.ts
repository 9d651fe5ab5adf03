import type { Pool } from '../platform/db.ts'
import { findByFirstWords, findByPrefix, findSimilar, findWithoutOneWord, readFuzzily } from './search-fuzzy.ts'
import type { SearchParams } from './search-params.ts'
import { findExact, findOtherTempos, prepareSearch, type ResultSlice, type SearchQuery } from './search-tiers.ts'

/** A search counts exactly up to this number; beyond it says "more". */
export const MAX_COUNT = 1000
const MOST = MAX_COUNT + 1
/** With fewer results than this, similar ones are added after them. */
export const FEW_RESULTS = 24

export type SearchHit = {
  entity_id: number
  words: 'exact' | 'similar' | 'partial'
  tempo: 'same' | 'half' | 'double'
}

export type SearchResult = {
  songs: SearchHit[]
  exactCount: number
  totalCount: number
  more: boolean
  /** No song has all the words: there are none, or all of them lack a word. */
  hasNoMatch: boolean
}

export const NO_RESULTS: SearchResult = { songs: [], exactCount: 0, totalCount: 0, more: false, hasNoMatch: true }

/**
 * Returns a slice of one stable list of songs: those that have every word (first the ones whose full title or artist it
 * is, then those with all words in title and artist), the same at half and at double tempo, and if these are few, songs
 * with words that only begin with the last one, then with words one typo away. Each group is sorted newest first.
 */
export async function search(sql: Pool, params: SearchParams, slice: ResultSlice): Promise<SearchResult> {
  const searchQuery = await prepareSearch(sql, params)
  if (searchQuery.vocabulary.newest === 0) return NO_RESULTS
  const isBeyond = slice.offset >= MAX_COUNT
  const exact = await findExact(searchQuery, isBeyond ? { offset: 0, limit: 0 } : slice, MOST)
  const { similarHits, hasNoMatch } =
    exact.count < MOST ? await findSimilarHits(searchQuery, exact, slice) : { similarHits: [], hasNoMatch: false }
  const total = exact.count + similarHits.length
  const from = Math.max(0, slice.offset - exact.count)
  const shown = similarHits.slice(from, from + slice.limit - exact.ids.length)
  return {
    songs: isBeyond ? [] : [...exact.ids.map((entity_id) => mark(entity_id, 'exact')), ...shown],
    exactCount: Math.min(exact.count, MAX_COUNT),
    totalCount: Math.min(total, MAX_COUNT),
    more: total > MAX_COUNT,
    hasNoMatch,
  }
}

const mark = (entity_id: number, words: SearchHit['words'], tempo: SearchHit['tempo'] = 'same'): SearchHit => ({
  entity_id,
  words,
  tempo,
})

/** All songs of the list after the exact ones, as far as it is counted. */
async function findSimilarHits(
  searchQuery: SearchQuery,
  exact: { ids: number[]; count: number },
  slice: ResultSlice,
): Promise<{ similarHits: SearchHit[]; hasNoMatch: boolean }> {
  const others = await findOtherTempos(searchQuery, MOST - exact.count)
  const similarHits = others.flatMap(({ tempo, ids }) => ids.map((id) => mark(id, 'exact', tempo)))
  const hasFewResults = () => exact.count + similarHits.length < FEW_RESULTS
  const take = (hasNoMatch = false) => ({ similarHits: similarHits.slice(0, MOST - exact.count), hasNoMatch })
  if (!hasFewResults() || searchQuery.params.words.length === 0) return take(exact.count + similarHits.length === 0)
  const leading =
    slice.offset === 0 && slice.limit >= FEW_RESULTS
      ? exact
      : await findExact(searchQuery, { offset: 0, limit: FEW_RESULTS }, MOST)
  const seen = new Set([...leading.ids, ...similarHits.map(({ entity_id }) => entity_id)])
  const add = (ids: readonly number[], words: SearchHit['words']) => {
    const fresh = ids.filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    similarHits.push(...fresh.map((id) => mark(id, words)))
  }
  const readings = await readFuzzily(searchQuery, exact.count + similarHits.length)
  add(await findByPrefix(searchQuery, readings, MOST), 'partial')
  if (hasFewResults()) add(await findSimilar(searchQuery, readings, MOST), 'similar')
  if (seen.size > 0) return take()
  add(await findByFirstWords(searchQuery, readings, FEW_RESULTS), 'partial')
  add(await findWithoutOneWord(searchQuery, readings, MOST), 'partial')
  return take(true)
}
