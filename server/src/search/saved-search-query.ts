import { sectionsOf } from '../catalogue/sections.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { versionKinds } from './search-call.ts'
import { allGenres } from './search-names.ts'
import { parseSearch, type SearchContext, type SearchForm, type SearchParams } from './search-params.ts'
import type { AddedRange } from './search-plan.ts'
import { findIds, groupOf, prepareSearch } from './search-tiers.ts'

/** The current meaning of names and codes in the pool, read once for many searches. */
export type SearchEnvironment = Omit<SearchContext, 'customer_id'>

export async function readSearchEnvironment(sql: Sql): Promise<SearchEnvironment> {
  const [genres, kinds] = await Promise.all([allGenres(sql), versionKinds(sql)])
  return { genres, kinds }
}

export type SavedSearchInput = SearchForm & { searchTerm: string }

/**
 * Parses a saved search for a member. Throws `invalid_filter`, also if what it refers to no longer exists, and
 * `query_too_short`.
 */
export function reparseSearch(savedSearch: SavedSearchInput, searchContext: SearchContext): SearchParams {
  const { genre_id, versions } = savedSearch
  if (genre_id && !searchContext.genres.some(({ id }) => id === genre_id))
    throw new ApiError('invalid_filter', 'The genre in this search no longer exists.')
  if (versions.length > 0 && !searchContext.kinds.some(({ version_code }) => versions.includes(version_code)))
    throw new ApiError('invalid_filter', 'The versions in this search no longer exist.')
  const { params } = parseSearch(savedSearch.searchTerm, savedSearch, searchContext)
  if (!params) throw new ApiError('query_too_short', 'This search is empty. Add a word or a filter.')
  return params
}

/** With more new songs than this, `above` is 0: a lower bound is not worth computing. */
const MAX_ADDED = 5000

/**
 * The songs of a section that were added after a time and, if given, up to another (both as PostgreSQL writes them),
 * for `findAsTyped`; undefined when there are none.
 */
export async function findAddedWithin(
  sql: Sql,
  section: number,
  { after, until }: Pick<AddedRange, 'after' | 'until'>,
): Promise<AddedRange | undefined> {
  const [added] = await sql<{ n: number; first: number | null }[]>`
    select count(*)::int as n, min(entity_id) as first from (
      select added.entity_id from unnest(${sectionsOf(section)}::smallint[]) of (section) cross join lateral (
        select entity_id from song
        where status = 'published' and song_section_id = of.section and created_at > ${after}::text::timestamptz
          and created_at <= coalesce(${until ?? null}::text::timestamptz, 'infinity')
        order by created_at limit ${MAX_ADDED + 1}) added) newer`
  if (!added?.first) return undefined
  return { after, until, above: added.n > MAX_ADDED ? 0 : added.first - 1 }
}

/**
 * Exact results of a search at the requested tempo, newest first: `limit` songs from `offset` on, only those added in a
 * time range if given.
 */
export async function findAsTyped(
  sql: Sql,
  params: SearchParams,
  { limit, offset = 0, added }: { limit: number; offset?: number; added?: AddedRange | undefined },
): Promise<number[]> {
  const searchQuery = await prepareSearch(sql, params)
  const words = params.words.map((wanted) => groupOf(wanted, searchQuery.vocabulary))
  if (words.some(({ expected }) => expected === 0)) return []
  if (searchQuery.vocabulary.newest <= (added?.above ?? 0)) return []
  return findIds(searchQuery, words, { offset, limit, added })
}

/** Counts the exact results among newly added songs, up to `maxCount`. */
export async function countAdded(
  sql: Sql,
  params: SearchParams,
  timeRange: Pick<AddedRange, 'after' | 'until'>,
  maxCount: number,
): Promise<number> {
  const added = await findAddedWithin(sql, params.section, timeRange)
  return added ? (await findAsTyped(sql, params, { limit: maxCount, added })).length : 0
}
