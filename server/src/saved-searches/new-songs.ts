import {
  countAdded,
  reparseSearch,
  type SavedSearchInput,
  type SearchEnvironment,
} from '../catalogue/saved-search-query.ts'
import type { SearchParams } from '../catalogue/search-params.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { SavedSearchRow } from './saved-search-rows.ts'

/** More are not told apart. */
export const MAX_NEW_SONGS = 100

/** The wish of a kept search; where it cannot be asked any more, why. */
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

/** How many songs it finds that came within these moments, up to `MOST_NEW`; 0 of one that cannot be asked. */
export const countNewSongs = async (
  sql: Sql,
  { params }: ParsedSearch,
  period: { after: string; until?: string },
): Promise<number> => (params ? countAdded(sql, params, period, MAX_NEW_SONGS) : 0)
