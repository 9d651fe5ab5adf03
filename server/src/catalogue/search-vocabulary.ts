import type { Sql } from '../platform/db.ts'
import { FIELDS, type Field, SHORTEST_SLIP } from './search-index.ts'
import { deletionsOf, slipsBetween } from './words.ts'

/** A word that is searched for, in the whole song or in one of its fields; a firm one only as it was typed. */
export type WantedWord = { word: string; field: Field; firm: boolean }

export const tokenOf = ({ word, field }: Pick<WantedWord, 'word' | 'field'>): string => `${FIELDS[field]}${word}`

/** In how many songs words and facets occur, and where the catalogue stands. The numbers steer; only zero decides. */
export type Vocabulary = { df(token: string): number; songs: number; newest: number }

type Looked = { known: Record<string, number> | null; newest: number; songs: number }

/**
 * @param within where all songs sought are of some years: the newest one of these is where a search begins, because years
 * come into a pool one after another and the newest songs may be of none of them
 */
export async function lookUp(
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
  const [looked] = await sql<Looked[]>`
    select (select json_object_agg(word, df) from search_word where word = any(${[...new Set(tokens)]}::text[])) as known,
      coalesce((${newest}), 0)::bigint as newest,
      coalesce((select sum(songs) from genre_counter where genre_id = 0), 0)::bigint as songs`
  const known = new Map(Object.entries(looked?.known ?? {}))
  return { df: (token) => known.get(token) ?? 0, songs: looked?.songs ?? 0, newest: looked?.newest ?? 0 }
}

export type Counted = { token: string; df: number }

const MOST_BEGUN = 400

/** The words of the vocabulary that begin like this one. */
export async function begunBy(sql: Sql, wanted: WantedWord): Promise<Counted[]> {
  if (wanted.word.length < 2) return []
  const token = tokenOf(wanted)
  return sql<Counted[]>`
    select word as token, df from search_word where word >= ${token} and word < ${`${token}\u{10ffff}`} order by word limit ${MOST_BEGUN}`
}

const MOST_DOUBTED = 8
const MOST_NEAR = 5

/** For each word the most frequent ones a single slip away, in its own field; none for the shortest words. */
export async function nearTo(sql: Sql, doubted: readonly WantedWord[]): Promise<Map<WantedWord, Counted[]>> {
  const long = doubted.filter(({ word }) => word.length >= SHORTEST_SLIP).slice(0, MOST_DOUBTED)
  if (long.length === 0) return new Map()
  const probes = long.flatMap((wanted, n) =>
    deletionsOf(wanted.word).map((del) => ({ del, n, sign: FIELDS[wanted.field] })),
  )
  const near = await sql<{ n: number; word: string; df: number }[]>`
    select distinct probe.n, d.word, w.df
    from unnest(${probes.map(({ del }) => del)}::text[], ${probes.map(({ n }) => n)}::int[], ${probes.map(({ sign }) => sign)}::text[])
      as probe (del, n, sign)
    join search_word_del d using (del) join search_word w on w.word = probe.sign || d.word`
  const nearest = (wanted: WantedWord, n: number): Counted[] =>
    near
      .filter((other) => other.n === n && other.word !== wanted.word && slipsBetween(other.word, wanted.word) <= 1)
      .sort((a, b) => b.df - a.df || (a.word < b.word ? -1 : 1))
      .slice(0, MOST_NEAR)
      .map(({ word, df }) => ({ token: tokenOf({ word, field: wanted.field }), df }))
  return new Map(long.map((wanted, n) => [wanted, nearest(wanted, n)]))
}
