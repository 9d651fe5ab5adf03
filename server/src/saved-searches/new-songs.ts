import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import {
  countAdded,
  reparseSearch,
  type SavedSearchInput,
  type SearchEnvironment,
} from '../search/saved-search-query.ts'
import type { SearchParams } from '../search/search-params.ts'
import type { SavedSearchRow } from './saved-search-rows.ts'

/** Higher numbers are not counted. */
export const MAX_NEW_SONGS = 100

/** The parameters of a saved search; if it no longer works, the reason. */
export type ParsedSearch = { params: SearchParams; problem: '' } | { params: undefined; problem: string }

export const toSearchParams = ({ query }: Pick<SavedSearchRow, 'query'>): SavedSearchInput => ({
  ...query,
  genre_id: query.genre_id ?? undefined,
})

export function parseSavedSearch(savedSearch: SavedSearchRow, context: SearchEnvironment): ParsedSearch {
  try {
    return {
      params: reparseSearch(toSearchParams(savedSearch), { ...context, customer_id: savedSearch.customer_id }),
      problem: '',
    }
  } catch (error) {
    if (error instanceof ApiError) return { params: undefined, problem: error.message }
    throw error
  }
}

/**
 * Returns how many matching songs were added between these times, up to `MAX_NEW_SONGS`; 0 for a search that no longer
 * works.
 */
export const countNewSongs = async (
  sql: Sql,
  { params }: ParsedSearch,
  period: { after: string; until?: string },
): Promise<number> => (params ? countAdded(sql, params, period, MAX_NEW_SONGS) : 0)
