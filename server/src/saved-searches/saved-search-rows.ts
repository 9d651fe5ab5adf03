import { catalogue, type savedSearches } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

export type SavedQuery = savedSearches.SavedSearch['query']

/** A saved search as it is stored. */
export type SavedSearchRow = {
  saved_search_id: number
  customer_id: number
  name: string
  query: SavedQuery
  by_email: boolean
  /** How many songs it adds to the crate each week; null if none. */
  fill_limit: number | null
  filled_at: Date | null
  feed_version: number
  seen_at: Date
  /** The same as PostgreSQL formats it, to the microsecond. */
  seen: string
}

export const savedSearchColumns = (sql: Sql) =>
  sql`s.saved_search_id, s.customer_id, s.name, s.query, s.by_email, s.fill_limit, s.filled_at, s.feed_version, s.seen_at, s.seen_at::text as seen`

/** Subject of the notifications about a search. */
export const searchSubject = (savedSearchId: number): string => `search ${savedSearchId}`

/** Subject of the notifications about songs that a search added to the crate. */
export const fillSubject = (savedSearchId: number): string => `fill ${savedSearchId}`

export const unknownSearchError = () => new ApiError('unknown_search', 'Saved search not found.')

/**
 * Only members who can sign in get notifications and feeds: active members with an approved application, and staff. For
 * customer `c`.
 */
export const canSignIn = (sql: Sql) => sql`(c.status = 'active' and (c.staff_role is not null or exists (
  select 1 from dj_application a where a.customer_id = c.customer_id and a.state = 'approved')))`

/** URL of a search page: the routes of web/src/catalogue/addresses.ts. */
export function searchUrl({ searchTerm, genre_id, versions, not_downloaded, ...query }: SavedQuery): string {
  const { ALL_SECTIONS, SECTIONS } = catalogue
  const section = { [ALL_SECTIONS]: 'all', [SECTIONS.kuts]: 'kuts' }[query.song_section_id] ?? ''
  const { song_key, ...fields } = query.SongEntitySearch
  const filters = {
    genre: genre_id ?? '',
    ...fields,
    key: song_key,
    versions: versions.join(),
    fresh: not_downloaded ? 1 : '',
    section,
  }
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) if (value !== '') search.set(name, String(value))
  const term = searchTerm ? `/${encodeURIComponent(searchTerm)}` : ''
  return `/search/result${term}${search.size > 0 ? `?${search}` : ''}`
}
