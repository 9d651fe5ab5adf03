import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { findAsTyped, readSearchEnvironment } from '../search/saved-search-query.ts'
import { parseSavedSearch } from './new-songs.ts'
import { type SavedSearchRow, savedSearchColumns, unknownSearchError } from './saved-search-rows.ts'

/** Returns the newest matches of a member's saved search. Throws `unknown_search`, and `invalid_filter` if it no longer works. */
export async function findSavedMatches(
  sql: Sql,
  customerId: number,
  { saved_search_id, limit }: { saved_search_id: number; limit: number },
): Promise<{ name: string; entityIds: number[] }> {
  const [search] = await sql<SavedSearchRow[]>`
    select ${savedSearchColumns(sql)} from saved_search s
    where saved_search_id = ${saved_search_id} and customer_id = ${customerId}`
  if (!search) throw unknownSearchError()
  const { params, problem } = parseSavedSearch(search, await readSearchEnvironment(sql))
  if (!params) throw new ApiError('invalid_filter', problem)
  return { name: search.name, entityIds: await findAsTyped(sql, params, { limit }) }
}
