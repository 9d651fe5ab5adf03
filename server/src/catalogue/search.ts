import { camelotOrder, parseKey } from '@dubplate/contract'
import type { Pool, Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { anyOf, type Group, planSearch, prefixOf } from './search-plan.ts'
import { deletionsOf, slipsBetween, wordsOf } from './words.ts'

/** A search counts exactly to here; beyond it says "more". */
export const COUNTED_TO = 1000
const MOST_WORDS = 8
/** Fewer exact finds than this, and similar ones are let in behind them. */
const FEW = 24

export type SearchWish = {
  text: string
  section: number
  genreIds?: number[]
  versionCodes?: string[]
  keys?: string[]
  bpm?: [number, number]
  years?: [number, number]
  offset: number
  limit: number
}

type Found = { ids: number[]; totalCount: number; more: boolean; similar: boolean }
type Word = { word: string; df: number; begins: [string, number][] }
type Stand = { songs: number; newest: number }

/**
 * The page of songs that match all words (the last one as a beginning) and all filters, newest first; where nothing, or
 * too little, matches as typed, words one slip away are let in behind the exact ones.
 */
export async function search(sql: Pool, wish: SearchWish): Promise<Found> {
  const words = wordsOf(wish.text).slice(0, MOST_WORDS)
  const stand = await catalogueStand(sql)
  const known = words.length > 0 ? await lookUpWords(sql, words) : []
  const groups = known.map((word, n) => groupOf(word, n === known.length - 1))
  const facets = await facetGroups(sql, wish)
  if (groups.length + facets.length <= 1 || stand.songs === 0)
    return { ids: [], totalCount: 0, more: false, similar: false }
  if (wish.offset >= COUNTED_TO) return { ids: [], totalCount: COUNTED_TO, more: true, similar: false }
  const run = (given: Group[], offset = wish.offset) =>
    runSearch(sql, [...given, ...facets], stand, wish, offset, wish.limit)
  const exact = groups.every((group) => group.expected > 0) ? await run(groups) : { ids: [], totalCount: 0 }
  const forgiving = exact.totalCount < FEW ? await forgive(sql, known, groups, exact.totalCount) : undefined
  if (!forgiving) return { ...exact, more: exact.totalCount >= COUNTED_TO, similar: false }
  const first = wish.offset === 0 || exact.totalCount === 0 ? exact : await run(groups, 0)
  return addSimilar(first.ids, await runSearch(sql, [...forgiving, ...facets], stand, wish, 0, COUNTED_TO), wish)
}

/** Exact finds first, then the similar ones that are not among them: the same row of both for every page. */
function addSimilar(exact: number[], wide: { ids: number[] }, wish: SearchWish): Found {
  const all = [...new Set([...exact, ...wide.ids])]
  return {
    ids: all.slice(wish.offset, wish.offset + wish.limit),
    totalCount: Math.min(all.length, COUNTED_TO),
    more: all.length >= COUNTED_TO,
    similar: all.length > exact.length,
  }
}

/**
 * One page of ids and the count, exact to COUNTED_TO; the count costs a statement only where the page does not tell it.
 * Both are planned anew each time: a kept plan does not know how rare the words are and walks the whole catalogue.
 */
async function runSearch(sql: Sql, groups: Group[], stand: Stand, wish: SearchWish, offset: number, limit: number) {
  const maxBpm = wish.bpm?.[1]
  const page = planSearch(groups, stand, { maxBpm, limit, offset })
  const rows = await sql.unsafe<{ entity_id: number }[]>(page.text, page.values)
  const ids = rows.map((row) => row.entity_id).sort((a, b) => b - a)
  if (limit >= COUNTED_TO) return { ids, totalCount: ids.length }
  if (ids.length < limit && (offset === 0 || ids.length > 0)) return { ids, totalCount: offset + ids.length }
  const count = planSearch(groups, stand, { maxBpm, limit: COUNTED_TO, offset: 0, count: true })
  const [counted] = await sql.unsafe<{ n: number }[]>(count.text, count.values)
  return { ids, totalCount: counted?.n ?? 0 }
}

async function catalogueStand(sql: Sql): Promise<Stand> {
  const [stand] = await sql<Stand[]>`
    select coalesce((select max(entity_id) from song_search), 0)::bigint as newest,
      coalesce((select sum(songs) from genre_counter where genre_id = 0), 0)::bigint as songs`
  return stand ?? { songs: 0, newest: 0 }
}

async function lookUpWords(sql: Sql, words: string[]): Promise<Word[]> {
  const last = words.at(-1) ?? ''
  const rows = await sql<{ word: string; df: number | null; begins: [string, number][] | null }[]>`
    select t.word, (select df from search_word w where w.word = t.word) as df,
      case when t.n = ${words.length} and ${last.length >= 2} then (
        select json_agg(json_build_array(word, df)) from (
          select word, df from search_word where word ^@ ${last} and word >= ${last} and word < ${`${last}\u{10ffff}`} limit 400) b) end as begins
    from unnest(${words}::text[]) with ordinality t (word, n) order by t.n`
  return rows.map(({ word, df, begins }) => ({ word, df: df ?? 0, begins: begins ?? [] }))
}

const LARGE_PREFIX = 30_000

/** A word as a group; the last one stands for every word that begins with it. */
function groupOf(word: Word, isLast: boolean): Group {
  if (!isLast || word.word.length < 2) return { match: anyOf([word.word]), expected: word.df }
  const expected = word.begins.reduce((sum, [, df]) => sum + df, 0)
  const prefix = prefixOf(word.word)
  if (expected <= LARGE_PREFIX || word.begins.length === 0) return { match: prefix, expected }
  if (word.begins.length <= 16) return { match: anyOf(word.begins.map(([begun]) => begun)), filter: prefix, expected }
  return { match: prefix, expected, onlyFilter: true }
}

/** Words nobody uses, or hardly, as themselves or their neighbours. Undefined where no word has any. */
async function forgive(sql: Sql, words: Word[], groups: Group[], found: number): Promise<Group[] | undefined> {
  const unknown = groups.some((group) => group.expected === 0)
  const doubtful = (n: number) => {
    const group = groups[n]
    const word = words[n]
    if (!group || !word) return false
    if (unknown) return group.expected === 0
    return found === 0 || word.df <= 5
  }
  let any = false
  const wide: Group[] = []
  for (const [n, group] of groups.entries()) {
    const near = doubtful(n) ? await neighbours(sql, words[n]?.word ?? '') : []
    any ||= near.length > 0
    if (group.expected === 0 && near.length === 0) return undefined
    const own = group.expected > 0 ? [group.match] : []
    const match = [...own, ...(near.length > 0 ? [anyOf(near.map(({ word }) => word))] : [])].join('|')
    wide.push({
      ...group,
      match,
      ...(near.length > 0 ? { filter: match } : {}),
      expected: group.expected + near.reduce((sum, { df }) => sum + df, 0),
    })
  }
  return any ? wide : undefined
}

async function neighbours(sql: Sql, word: string): Promise<{ word: string; df: number }[]> {
  if (word.length < 4) return []
  const near = await sql<{ word: string; df: number }[]>`
    select distinct w.word, w.df from search_word_del d join search_word w using (word) where d.del = any(${deletionsOf(word)}::text[])`
  return near
    .filter((other) => other.word !== word && slipsBetween(other.word, word) <= 1)
    .sort((a, b) => b.df - a.df)
    .slice(0, 5)
}

/** One group for each filter, with how often its facet words occur. */
async function facetGroups(sql: Sql, wish: SearchWish): Promise<Group[]> {
  const choices = [
    [`#s${wish.section}`],
    (wish.genreIds ?? []).map((genre) => `#g${genre}`),
    await kindFacets(sql, wish.versionCodes ?? []),
    [...new Set((wish.keys ?? []).map(keyFacet))],
    wish.years ? range(wish.years).map((year) => `#y${year}`) : [],
    wish.bpm ? bpmFacets(wish.bpm) : [],
  ].filter((words) => words.length > 0)
  const counted = await sql<
    { word: string; df: number }[]
  >`select word, df from search_word where word = any(${choices.flat()}::text[])`
  const df = new Map(counted.map((row) => [row.word, row.df]))
  return choices.map((words) => ({
    match: anyOf(words),
    expected: words.reduce((sum, word) => sum + (df.get(word) ?? 0), 0),
  }))
}

const range = ([from, to]: [number, number]): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)

/** Whole buckets of eight beats a minute where they fit, single ones at the edges. */
export function bpmFacets([from, to]: [number, number]): string[] {
  const facets: string[] = []
  for (let bpm = Math.floor(from); bpm <= to; ) {
    const whole = bpm % 8 === 0 && bpm + 7 <= to
    facets.push(whole ? `#B${bpm / 8}` : `#b${bpm}`)
    bpm += whole ? 8 : 1
  }
  return facets
}

function keyFacet(text: string): string {
  const key = parseKey(text)
  if (!key) throw new Refusal('bad_filter', `"${text}" is not a key. Write it like 8A, 1m or Am.`)
  return `#k${camelotOrder(key)}`
}

async function kindFacets(sql: Sql, codes: string[]): Promise<string[]> {
  if (codes.length === 0) return []
  const kinds = await sql<
    { version_kind_id: number }[]
  >`select version_kind_id from version_kind where version_code = any(${codes}::text[])`
  return kinds.length > 0 ? kinds.map((kind) => `#v${kind.version_kind_id}`) : ['#v0']
}

/** Reads "124" or "120-126", within bounds. Refuses `bad_filter`. */
export function readRange(text: string, name: string, lowest: number, highest: number): [number, number] | undefined {
  const plain = text.trim()
  if (plain === '') return undefined
  const match = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/.exec(plain)
  const from = Number(match?.[1])
  const to = Number(match?.[2] ?? match?.[1])
  if (!match || from < lowest || to > highest || from > to) {
    throw new Refusal(
      'bad_filter',
      `${name} must be a number or a range from ${lowest} to ${highest}, such as ${lowest + 60}-${lowest + 66}.`,
    )
  }
  return [from, to]
}
