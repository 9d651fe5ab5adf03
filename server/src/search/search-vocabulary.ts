import { FIELDS, type Field, MIN_FUZZY_LENGTH } from '../catalogue/search-index.ts'
import { deletionsOf, editDistance } from '../catalogue/words.ts'
import type { Sql } from '../platform/db.ts'
import type { SearchGenre } from './search-names.ts'

/** A word of a search, in the whole song or in one of its fields; an exact one matches only as typed. */
export type SearchWord = {
  word: string
  field: Field
  isExact: boolean
  /** The genres that the word, alone or with its neighbours, may name: their songs match too. */
  genres?: readonly SearchGenre[]
  /** The facet of the tempo or the key that the word may mean: songs with it match as if their title had the word. */
  facets?: readonly string[]
}

export const tokenOf = ({ word, field }: Pick<SearchWord, 'word' | 'field'>): string => `${FIELDS[field]}${word}`

/**
 * In how many songs words and facets occur, the number of songs, and the highest id to start a scan at. The numbers
 * affect only the planning; only zero decides a result.
 */
export type Vocabulary = { df(token: string): number; songs: number; newest: number }

type VocabularyRow = { known: Record<string, number> | null; newest: number; songs: number }

/**
 * @param within when all songs searched for are of some years: the search starts at the newest one of these, because
 * songs are often added year by year and the newest songs may be of none of these years
 */
export async function loadVocabulary(
  sql: Sql,
  tokens: readonly string[],
  within?: { sections: readonly number[]; years: readonly number[] },
): Promise<Vocabulary> {
  const newest = within
    ? sql`select max(s.entity_id) from unnest(${[...within.years]}::smallint[]) given (year)
        cross join unnest(${[...within.sections]}::smallint[]) of (section) cross join lateral (
        select entity_id from song where status = 'published' and song_section_id = of.section and year = given.year
        order by entity_id desc limit 1) s`
    : sql`select max(entity_id) from song_search`
  const [vocabularyRow] = await sql<VocabularyRow[]>`
    select (select json_object_agg(word, df) from search_word where word = any(${[...new Set(tokens)]}::text[])) as known,
      coalesce((${newest}), 0)::bigint as newest,
      coalesce((select sum(songs) from genre_counter where genre_id = 0), 0)::bigint as songs`
  const known = new Map(Object.entries(vocabularyRow?.known ?? {}))
  return { df: (token) => known.get(token) ?? 0, songs: vocabularyRow?.songs ?? 0, newest: vocabularyRow?.newest ?? 0 }
}

export type Counted = { token: string; df: number }

const MAX_PREFIX_MATCHES = 400

/** The words of the vocabulary with this prefix. */
export async function findPrefixMatches(sql: Sql, searchWord: SearchWord): Promise<Counted[]> {
  if (searchWord.word.length < 2) return []
  const token = tokenOf(searchWord)
  return sql<Counted[]>`
    select word as token, df from search_word where word >= ${token} and word < ${`${token}\u{10ffff}`} order by word limit ${MAX_PREFIX_MATCHES}`
}

const MAX_FUZZY_WORDS = 8
const MAX_SIMILAR_WORDS = 5

/** For each word the most frequent ones a single typo away, in its own field; none for the shortest words. */
export async function findSimilarWords(
  sql: Sql,
  doubtfulWords: readonly SearchWord[],
): Promise<Map<SearchWord, Counted[]>> {
  const long = doubtfulWords.filter(({ word }) => word.length >= MIN_FUZZY_LENGTH).slice(0, MAX_FUZZY_WORDS)
  if (long.length === 0) return new Map()
  const probes = long.flatMap((searchWord, n) =>
    deletionsOf(searchWord.word).map((del) => ({ del, n, sign: FIELDS[searchWord.field] })),
  )
  const near = await sql<{ n: number; word: string; df: number }[]>`
    select distinct probe.n, d.word, w.df
    from unnest(${probes.map(({ del }) => del)}::text[], ${probes.map(({ n }) => n)}::int[], ${probes.map(({ sign }) => sign)}::text[])
      as probe (del, n, sign)
    join search_word_del d using (del) join search_word w on w.word = probe.sign || d.word`
  const closestWords = (searchWord: SearchWord, n: number): Counted[] =>
    near
      .filter(
        (other) => other.n === n && other.word !== searchWord.word && editDistance(other.word, searchWord.word) <= 1,
      )
      .sort((a, b) => b.df - a.df || (a.word < b.word ? -1 : 1))
      .slice(0, MAX_SIMILAR_WORDS)
      .map(({ word, df }) => ({ token: tokenOf({ word, field: searchWord.field }), df }))
  return new Map(long.map((searchWord, n) => [searchWord, closestWords(searchWord, n)]))
}
