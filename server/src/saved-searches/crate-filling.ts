import { library, type ReplyOf, type savedSearches } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { addSongsToCrate } from '../library/crate.ts'
import { withoutMuted } from '../library/mutes.ts'
import { notify } from '../notices/notifications.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { findAsTyped, readSearchEnvironment, type SearchEnvironment } from '../search/saved-search-query.ts'
import type { SearchParams } from '../search/search-params.ts'
import { parseSavedSearch } from './new-songs.ts'
import {
  canSignIn,
  fillSubject,
  type SavedSearchRow,
  savedSearchColumns,
  unknownSearchError,
} from './saved-search-rows.ts'

/** Saved searches that add their newest matches to the crate: smart crates. */

type FillingSearch = SavedSearchRow & { fill_limit: number; filled_songs: number[] }

const fillingColumns = (sql: Sql) => sql`${savedSearchColumns(sql)}, s.filled_songs`

/** A run that is repeated after an error leaves out what the first one filled. */
const REPEAT_INTERVAL = '12 hours'

/**
 * Adds the newest matches of all saved searches that fill a crate, and notifies their members. A search that no longer
 * works is left out: the list of saved searches says why.
 */
export async function fillCrates(ctx: Pick<AppContext, 'sql' | 'log'>): Promise<void> {
  const { sql: pool, log } = ctx
  const searches = await pool<FillingSearch[]>`
    select ${fillingColumns(pool)} from saved_search s join customer c using (customer_id)
    where s.fill_limit is not null and ${canSignIn(pool)}
      and (s.filled_at is null or s.filled_at < now() - ${REPEAT_INTERVAL}::interval) order by s.customer_id, lower(s.name)`
  if (searches.length === 0) return
  const environment = await readSearchEnvironment(pool)
  for (const search of searches) {
    try {
      const added = await fillCrate(pool, search, environment)
      if (added > 0) await notifyOfSongs(pool, search, addedText(search, added))
    } catch (error) {
      if (error instanceof ApiError && error.code === 'crate_full')
        await notifyOfSongs(pool, search, `Your crate is full, so no songs were added from “${search.name}”`)
      else log.error({ err: error, saved_search_id: search.saved_search_id }, 'Could not fill a crate')
    }
  }
}

const addedText = ({ name }: SavedSearchRow, count: number) =>
  `${count} ${count === 1 ? 'song' : 'songs'} added to your crate from “${name}”`

const notifyOfSongs = (sql: Sql, { customer_id, saved_search_id }: SavedSearchRow, text: string) =>
  notify(sql, { customer_id, kind: 'search', text, address: '/crate', about: fillSubject(saved_search_id) })

/** Fills the crate from one search now. Throws `unknown_search`, `crate_full`, `invalid_filter` and `query_too_short`. */
export async function fillCrateNow(
  pool: Pool,
  customerId: number,
  savedSearchId: number,
): Promise<ReplyOf<typeof savedSearches.fillCrate>> {
  const [search] = await pool<(Omit<FillingSearch, 'fill_limit'> & Pick<SavedSearchRow, 'fill_limit'>)[]>`
    select ${fillingColumns(pool)} from saved_search s
    where saved_search_id = ${savedSearchId} and customer_id = ${customerId}`
  if (!search) throw unknownSearchError()
  const environment = await readSearchEnvironment(pool)
  const { problem } = parseSavedSearch(search, environment)
  if (problem) throw new ApiError('invalid_filter', problem)
  return { added: await fillCrate(pool, { ...search, fill_limit: search.fill_limit ?? DEFAULT_FILL }, environment) }
}

const DEFAULT_FILL = 20

/** How many of the songs that a search has added are remembered. */
const MAX_REMEMBERED = 5000

/** Adds the newest matches that the member neither has nor was given before. Returns how many songs were added. */
async function fillCrate(pool: Pool, search: FillingSearch, environment: SearchEnvironment): Promise<number> {
  const { params } = parseSavedSearch(search, environment)
  if (!params) return 0
  const { customer_id, saved_search_id, fill_limit } = search
  return pool.begin(async (sql) => {
    // Two runs at once must not add twice as many.
    await sql`select 1 from customer where customer_id = ${customer_id} for no key update`
    const songIds = await findNewMatches(sql, search, { params, limit: fill_limit })
    if (songIds.length > 0) await addSongsToCrate(sql, customer_id, songIds)
    await sql`
      update saved_search set filled_at = now(),
        filled_songs = (${songIds}::bigint[] || filled_songs)[1:${MAX_REMEMBERED}::int]
      where saved_search_id = ${saved_search_id}`
    return songIds.length
  })
}

const PAGE_SIZE = 200
/** Songs that the member has are at the top of the matches: more of them than this are not searched through. */
const MAX_PAGES = Math.ceil((library.CRATE_LIMIT + MAX_REMEMBERED) / PAGE_SIZE)

type MatchOptions = { params: SearchParams; limit: number }

/**
 * The newest matches without songs that the member owns or has muted, that are in the crate or were added by this search before.
 */
async function findNewMatches(sql: Sql, search: FillingSearch, { params, limit }: MatchOptions): Promise<number[]> {
  const { customer_id, filled_songs } = search
  const inCrate = await sql<{ entity_id: number }[]>`
    select distinct entity_id from crate_item where customer_id = ${customer_id}`
  const excluded = new Set([...filled_songs.map(Number), ...inCrate.map(({ entity_id }) => entity_id)])
  const notOwned = { ...params, checks: { ...params.checks, notOwnedBy: customer_id } }
  const found: number[] = []
  for (let page = 0; page < MAX_PAGES && found.length < limit; page++) {
    const ids = await findAsTyped(sql, notOwned, { offset: page * PAGE_SIZE, limit: PAGE_SIZE })
    found.push(
      ...(await withoutMuted(
        sql,
        customer_id,
        ids.filter((id) => !excluded.has(id)),
      )),
    )
    if (ids.length < PAGE_SIZE) break
  }
  return found.slice(0, limit)
}
