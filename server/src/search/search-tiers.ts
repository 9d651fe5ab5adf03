import { FIELDS, GENRE_FACET } from '../catalogue/search-index.ts'
import { sectionsOf } from '../catalogue/sections.ts'
import type { Sql } from '../platform/db.ts'
import { facetGroup, filterGroups, filterTokens } from './filter-groups.ts'
import { bpmFacets, isOpenEnded, type Range, yearFacets } from './search-facets.ts'
import type { SearchGenre } from './search-names.ts'
import type { SearchParams } from './search-params.ts'
import {
  type AddedRange,
  anyOf,
  type GenreYears,
  likelyMatches,
  planGenreYears,
  planSearch,
  type RowChecks,
  type TermGroup,
} from './search-plan.ts'
import { loadVocabulary, type SearchWord, tokenOf, type Vocabulary } from './search-vocabulary.ts'

/** Songs whose full title (or artist) was typed: the newest of each lead, up to this many. */
const MAX_EXACT_PHRASE = 24

/** A prepared search: its parameters, and what the vocabulary says about it. */
export type SearchQuery = { sql: Sql; params: SearchParams; vocabulary: Vocabulary; choices: string[][] }

export type ResultSlice = { offset: number; limit: number }
type TierOptions = ResultSlice & {
  bpm?: Range | undefined
  notWithin?: Range | undefined
  leaveOut?: readonly number[]
  /** tsqueries that must not match. */
  without?: readonly string[]
  added?: AddedRange | undefined
}

/** Tempos match at the nearest whole number. */
export const around = ([from, to]: Range): Range => [from - 0.5, to + 0.5]

const genreFacets = (genres: readonly SearchGenre[]): string[] => genres.map(({ id }) => `#g${id}`)
const songsIn = (genres: readonly SearchGenre[]): number => genres.reduce((sum, { total }) => sum + total, 0)

/** A group that songs of these genres match too. */
export const orGenres = (group: TermGroup, genres: readonly SearchGenre[]): TermGroup =>
  genres.length === 0
    ? group
    : {
        ...group,
        match: `${group.match}|${anyOf(genreFacets(genres))}`,
        ...(group.filter === undefined ? {} : { filter: `${group.filter}|${anyOf(genreFacets(genres))}` }),
        expected: group.expected + songsIn(genres),
      }

/** A word as a group: exact, in its own field, or as the genres, the tempo or the key that it may mean. */
export const groupOf = (wanted: SearchWord, vocabulary: Vocabulary): TermGroup =>
  orGenres(orFacets([tokenOf(wanted)], wanted, vocabulary), wanted.genres ?? [])

/** The same in the title or the artist only; a tempo or a key counts as part of the title. */
const leadingGroupOf = (wanted: SearchWord, vocabulary: Vocabulary): TermGroup =>
  orFacets(
    wanted.field === 'any' ? [`${FIELDS.title}${wanted.word}`, `${FIELDS.artist}${wanted.word}`] : [tokenOf(wanted)],
    wanted,
    vocabulary,
  )

function orFacets(tokens: readonly string[], { facets = [] }: SearchWord, vocabulary: Vocabulary): TermGroup {
  const group = facetGroup([...tokens, ...facets], vocabulary)
  // Facets are counted at night; a new one has songs although its count is still zero.
  return facets.length > 0 ? { ...group, expected: Math.max(1, group.expected) } : group
}

/** The words of a search and its filters. */
function groupsOf({ params, vocabulary, choices }: SearchQuery, words: readonly TermGroup[], bpm = params.bpm) {
  return [...words, ...filterGroups(bpm ? [...choices, bpmFacets(bpm)] : choices, vocabulary)]
}

function planOf(
  searchQuery: SearchQuery,
  words: readonly TermGroup[],
  run: TierOptions & { count?: boolean; leading?: string },
) {
  const { params, vocabulary } = searchQuery
  const bpm = run.bpm ?? params.bpm
  const checks = {
    ...params.checks,
    without: [...(params.checks?.without ?? []), ...(run.without ?? [])],
    fastest: bpm && around(bpm),
    notOverlapping: run.notWithin && { match: anyOf(bpmFacets(run.notWithin)), bpmBelow: around(run.notWithin)[1] },
    excludedIds: run.leaveOut,
    added: run.added,
  } satisfies RowChecks
  const { limit, offset, count = false, leading } = run
  const isOnlyFiltered = words.length === 0 && leading === undefined
  const hasTermChecks = checks.notOverlapping !== undefined || checks.without.length > 0
  const listed = isOnlyFiltered && !hasTermChecks ? genreYearsOf(searchQuery) : undefined
  if (listed) return planGenreYears(listed, { limit, offset, checks, count })
  return planSearch(groupsOf(searchQuery, words, bpm), vocabulary, { limit, offset, checks, count, leading })
}

/** With more years, most songs of the genre match, and are found by scanning the newest. */
const MAX_LISTED_YEARS = 20

/** The genre and the years that a search asks for, if it asks for nothing else but a tempo. */
function genreYearsOf({ params, choices }: SearchQuery): GenreYears | undefined {
  const sections = sectionsOf(params.section)
  const [, ...others] = choices
  const [genre, another] = others.find((choice) => choice.some((facet) => GENRE_FACET.test(facet))) ?? []
  const years = yearsOf(others)
  if (others.length !== 2 || !genre || another || !years || years.length > MAX_LISTED_YEARS) return undefined
  return { genreId: Number(genre.slice(2)), sections, years }
}

/**
 * Ids of the songs that match these words and all filters, newest first. Planned for each search, because a cached plan
 * does not know how rare the words are and scans the whole catalogue.
 */
export async function findIds(
  searchQuery: SearchQuery,
  words: readonly TermGroup[],
  run: TierOptions,
): Promise<number[]> {
  const plan = planOf(searchQuery, words, run)
  const rows = await searchQuery.sql.unsafe<{ entity_id: number }[]>(plan.text, plan.values)
  return rows.map((row) => row.entity_id).sort((a, b) => b - a)
}

async function countTo(searchQuery: SearchQuery, words: readonly TermGroup[], run: TierOptions): Promise<number> {
  const plan = planOf(searchQuery, words, { ...run, count: true })
  const [counted] = await searchQuery.sql.unsafe<{ n: number }[]>(plan.text, plan.values)
  return counted?.n ?? 0
}

/**
 * A slice of the songs that have every word, at the requested tempo: first those whose full title or artist it is, then
 * those with all words in title and artist, then the others, each newest first. The count, exact up to `maxCount`,
 * needs a query only if the slice does not give it.
 */
export async function findExact(searchQuery: SearchQuery, { offset, limit }: ResultSlice, maxCount: number) {
  const { params, vocabulary } = searchQuery
  const words = params.words.map((wanted) => groupOf(wanted, vocabulary))
  if (words.some(({ expected }) => expected === 0)) return { ids: [], count: 0 }
  const whole = await findExactPhrase(searchQuery)
  const tiers = tiersOf(searchQuery, words)
  const all = await findAll(searchQuery, tiers, { whole, maxCount, end: offset + limit })
  if (all) return { ids: all.slice(offset, offset + limit), count: Math.min(all.length, maxCount) }
  const ids = whole.slice(offset, offset + limit)
  let [toSkip, count, isEnd] = [Math.max(0, offset - whole.length), whole.length, true]
  for (const { groups, without } of tiers) {
    isEnd = false
    const wanted = limit - ids.length
    if (wanted <= 0) break
    const tier = { offset: toSkip, limit: wanted, leaveOut: whole, without }
    const found = await findIds(searchQuery, groups, tier)
    ids.push(...found)
    isEnd = found.length < wanted
    if (!isEnd) break
    const tierCount =
      toSkip > 0 && found.length === 0
        ? await countTo(searchQuery, groups, { ...tier, offset: 0, limit: maxCount })
        : toSkip + found.length
    count += tierCount
    toSkip = Math.max(0, toSkip - tierCount)
  }
  return {
    ids,
    count: isEnd ? Math.min(count, maxCount) : await countTo(searchQuery, words, { offset: 0, limit: maxCount }),
  }
}

/**
 * The first `maxCount` songs of a search from one statement, if these are probably all: it serves both the page and
 * the count, each of which would take as long. Undefined if there may be more, or if the page ends beyond them.
 */
async function findAll(
  searchQuery: SearchQuery,
  tiers: ReturnType<typeof tiersOf>,
  { whole, maxCount, end }: { whole: readonly number[]; maxCount: number; end: number },
): Promise<number[] | undefined> {
  const [{ groups }, others] = tiers
  if (others) {
    const few = await findFew(searchQuery, tiers, whole)
    return few && [...whole, ...few]
  }
  const isLikely = likelyMatches(groupsOf(searchQuery, groups), searchQuery.vocabulary) < maxCount
  if (!isLikely || end > maxCount) return undefined
  return [...whole, ...(await findIds(searchQuery, groups, { offset: 0, limit: maxCount, leaveOut: whole }))]
}

/** With fewer songs than this, both tiers are read at once: cheaper than one statement for each. */
const MAX_FEW = 300

/** The songs of both tiers when there are few, from one statement; undefined when there may be many. */
async function findFew(
  searchQuery: SearchQuery,
  [leading, all]: ReturnType<typeof tiersOf>,
  whole: readonly number[],
): Promise<number[] | undefined> {
  if (!leading || !all || Math.min(...all.groups.map(({ expected }) => expected)) > MAX_FEW) return undefined
  const plan = planOf(searchQuery, all.groups, {
    ...{ offset: 0, limit: MAX_FEW, leaveOut: whole },
    leading: all.without.join('&'),
  })
  const rows = await searchQuery.sql.unsafe<{ entity_id: number; is_leading: boolean }[]>(plan.text, plan.values)
  if (rows.length >= MAX_FEW) return undefined
  return rows
    .sort((a, b) => Number(b.is_leading) - Number(a.is_leading) || b.entity_id - a.entity_id)
    .map((row) => row.entity_id)
}

type Tier = { groups: readonly TermGroup[]; without: readonly string[] }

/** Songs with all words in title and artist, then the others that have them; one tier when there is no difference. */
function tiersOf({ params, vocabulary }: SearchQuery, words: readonly TermGroup[]): [Tier] | [Tier, Tier] {
  const leading = params.words.map((wanted) => leadingGroupOf(wanted, vocabulary))
  const isSame = params.words.every(({ field }) => field !== 'any')
  if (isSame || leading.some(({ expected }) => expected === 0)) return [{ groups: words, without: [] }]
  return [
    { groups: leading, without: [] },
    { groups: words, without: [leading.map(({ match }) => `(${match})`).join('&')] },
  ]
}

/** Songs whose full title, then those whose full artist consists of the words typed. */
export async function findExactPhrase(searchQuery: SearchQuery): Promise<number[]> {
  const found = await Promise.all([
    findExactField(searchQuery, 'title', '#t'),
    findExactField(searchQuery, 'artist', '#a'),
  ])
  return [...new Set(found.flat())]
}

async function findExactField(
  searchQuery: SearchQuery,
  field: 'title' | 'artist',
  sign: '#t' | '#a',
): Promise<number[]> {
  const { params, vocabulary } = searchQuery
  const isElsewhere = params.words.some((wanted) => wanted.field !== 'any' && wanted.field !== field)
  const words = [...new Set(params.words.map(({ word }) => `${FIELDS[field]}${word}`))]
  if (isElsewhere || words.length === 0 || words.some((word) => vocabulary.df(word) === 0)) return []
  const groups = [...words, `${sign}${words.length}`].map((token) => facetGroup([token], vocabulary))
  return findIds(searchQuery, groups, { offset: 0, limit: MAX_EXACT_PHRASE })
}

/** Looks up what the vocabulary says about a search, before it is planned. */
export async function prepareSearch(sql: Sql, params: SearchParams): Promise<SearchQuery> {
  const sections = sectionsOf(params.section)
  const choices = [sections.map((section) => `#s${section}`), ...params.facets]
  if (params.years) choices.push(yearFacets(params.years))
  const years = yearsOf(choices)
  const tokens = [...tokensOf(params), ...tokensOfFilters(choices, params.bpm)]
  const vocabulary = await loadVocabulary(sql, tokens, years && { sections, years })
  return { sql, params, vocabulary, choices }
}

/** The years that one of these choices between facets allows, if there is such a choice. */
function yearsOf(choices: readonly string[][]): number[] | undefined {
  const years = choices.find((facets) => facets.length > 0 && facets.every((facet) => facet.startsWith('#y')))
  return years?.map((facet) => Number(facet.slice(2)))
}

/** The facets of the filters at the requested tempo, at half and at double. */
function tokensOfFilters(choices: readonly string[][], bpm: Range | undefined): string[] {
  if (!bpm) return filterTokens(choices)
  const tempos = [bpm, ...otherTempos(bpm).map(({ range }) => range)].map(bpmFacets)
  return [...tempos.flat(), ...tempos.flatMap((tempo) => filterTokens([...choices, tempo]))]
}

function tokensOf({ words }: SearchParams): string[] {
  const distinct = new Set(words.map(({ word }) => word)).size
  const whole = words.flatMap(({ word }) => [`${FIELDS.title}${word}`, `${FIELDS.artist}${word}`])
  return [
    ...words.map(tokenOf),
    ...words.flatMap(({ facets = [] }) => facets),
    ...whole,
    `#t${distinct}`,
    `#a${distinct}`,
  ]
}

type OtherTempo = { tempo: 'half' | 'double'; range: Range }

/** Half and double of a tempo; none for an open range, because half of "faster than 120" is nearly everything. */
function otherTempos(bpm: Range): OtherTempo[] {
  if (isOpenEnded(bpm, 'bpm')) return []
  const [from, to] = bpm
  return [
    { tempo: 'half', range: [Math.floor(from / 2), Math.ceil(to / 2)] },
    { tempo: 'double', range: [from * 2, to * 2] },
  ]
}

/**
 * Songs that have every word at half the requested tempo, then at double; none that have the requested tempo. A tempo that no
 * song has is not searched for: PostgreSQL does not know that it is rare, and would read the catalogue.
 */
export async function findOtherTempos(
  searchQuery: SearchQuery,
  room: number,
): Promise<{ tempo: 'half' | 'double'; ids: number[] }[]> {
  const { params, vocabulary } = searchQuery
  const words = params.words.map((wanted) => groupOf(wanted, vocabulary))
  if (!params.bpm || room <= 0 || words.some(({ expected }) => expected === 0)) return []
  const requested = params.bpm
  const existing = otherTempos(requested).filter(({ range }) =>
    bpmFacets(range).some((facet) => vocabulary.df(facet) > 0),
  )
  return Promise.all(
    existing.map(async ({ tempo, range }) => ({
      tempo,
      ids: await findIds(searchQuery, words, { offset: 0, limit: room, bpm: range, notWithin: requested }),
    })),
  )
}
