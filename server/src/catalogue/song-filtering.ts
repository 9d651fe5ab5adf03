import type { catalogue, SongFilter } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { ListSongsParams } from './lists.ts'

/** A filter and the member whose library and downloads it may leave out. */
export type SongFilterQuery = { filter: SongFilter; customer_id: number | undefined }

type FilteredPage = {
  songs: catalogue.Song[]
  pagination: { page: number; perPageLimit: number; totalCount: number; more: boolean }
}

/** The filter of song lists: implemented by `search`, for the modules before it. */
export type SongFiltering = {
  /** The songs of a short list that match, in the same order. Throws `invalid_filter`. */
  matchingIds(sql: Sql, entityIds: readonly number[], query: SongFilterQuery): Promise<number[]>
  /** A page of the matching songs of a section, of one genre or all. Throws `invalid_filter`. */
  listMatching(sql: Sql, params: ListSongsParams, query: SongFilterQuery, downloadLimit: number): Promise<FilteredPage>
}

/** Keeps the songs of a short list that match, in the same order. */
export type KeepMatching = (entityIds: readonly number[]) => Promise<number[]>

/** A filter that leaves nothing out is the same as none. */
const isEmptyFilter = (filter: SongFilter | undefined): boolean =>
  !filter || Object.values(filter).every((value) => !value || (Array.isArray(value) && value.length === 0))

type Request = { sql: Sql; input: { filter?: SongFilter | undefined }; caller: { customer_id: number } | undefined }

/** The filter of a request; undefined if it has none. */
export const filterQuery = ({ input, caller }: Omit<Request, 'sql'>): SongFilterQuery | undefined =>
  input.filter && !isEmptyFilter(input.filter)
    ? { filter: input.filter, customer_id: caller?.customer_id || undefined }
    : undefined

/** Applies the filter of a request to a short list; undefined if it has none. */
export function keepMatching({ matchingIds }: SongFiltering, request: Request): KeepMatching | undefined {
  const query = filterQuery(request)
  return query && ((entityIds) => matchingIds(request.sql, entityIds, query))
}

/** The rows of a short list whose songs match; all rows without a filter. */
export async function keepMatchingRows<Row extends { entity_id: number }>(
  rows: readonly Row[],
  keep: KeepMatching | undefined,
): Promise<readonly Row[]> {
  if (!keep) return rows
  const matching = new Set(await keep(rows.map(({ entity_id }) => entity_id)))
  return rows.filter(({ entity_id }) => matching.has(entity_id))
}
