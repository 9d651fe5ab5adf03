import { type ParsedInputOf, type ReplyOf, savedSearches } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { markNotificationSeen } from '../notices/notifications.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { readSearchEnvironment, reparseSearch } from '../search/saved-search-query.ts'
import { feedUrl } from './feed-url.ts'
import { countNewSongs, parseSavedSearch, toSearchParams } from './new-songs.ts'
import {
  type SavedQuery,
  type SavedSearchRow,
  savedSearchColumns,
  searchSubject,
  unknownSearchError,
} from './saved-search-rows.ts'

const { MAX_SAVED_SEARCHES: MAX_SEARCHES } = savedSearches
type SavedSearchContext = Pick<AppContext, 'sql' | 'config' | 'signing'>

/** Returns a member's searches by name, each with its number of new songs. One that no longer works has the reason. */
export async function listSearches(ctx: SavedSearchContext, customerId: number): Promise<savedSearches.SavedSearch[]> {
  const { sql } = ctx
  const saved = await sql<SavedSearchRow[]>`
    select ${savedSearchColumns(sql)} from saved_search s where customer_id = ${customerId}
    order by lower(name), saved_search_id`
  return toSavedSearches(ctx, saved)
}

async function toSavedSearches(
  ctx: SavedSearchContext,
  saved: readonly SavedSearchRow[],
): Promise<savedSearches.SavedSearch[]> {
  if (saved.length === 0) return []
  const context = await readSearchEnvironment(ctx.sql)
  const shown: savedSearches.SavedSearch[] = []
  // One after the other: a member with fifty searches must not load the database more than others.
  for (const search of saved) {
    const { saved_search_id, name, query, by_email, fill_limit, filled_at, seen_at, seen } = search
    const read = parseSavedSearch(search, context)
    shown.push({
      ...{ saved_search_id, name, query, by_email, fill_limit },
      filled_at: filled_at?.toISOString() ?? null,
      seen_at: seen_at.toISOString(),
      new_songs: await countNewSongs(ctx.sql, read, { after: seen }),
      feed_url: feedUrl(ctx, search),
      error_message: read.problem,
    })
  }
  return shown
}

async function toSavedSearch(ctx: SavedSearchContext, saved: SavedSearchRow): Promise<savedSearches.SavedSearch> {
  const [shown] = await toSavedSearches(ctx, [saved])
  if (!shown) throw new Error('Saved search could not be read back after saving')
  return shown
}

const nameTakenError = (name: string) => new ApiError('name_taken', `You already have a saved search named “${name}”.`)

/** The stored form of a search: numbers as they are typed, each version once. */
const toQuery = ({
  searchTerm,
  genre_id,
  SongEntitySearch: fields,
  ...rest
}: SaveSearchParams['query']): SavedQuery => ({
  searchTerm: searchTerm.trim(),
  genre_id: genre_id ?? null,
  SongEntitySearch: {
    title: fields.title.trim(),
    artist: fields.artist.trim(),
    bpm: String(fields.bpm).trim(),
    song_key: fields.song_key.trim(),
    year: String(fields.year).trim(),
  },
  versions: [...new Set(rest.versions)],
  not_downloaded: rest.not_downloaded,
  song_section_id: rest.song_section_id,
})

type SaveSearchParams = ParsedInputOf<typeof savedSearches.saveSearch>

/**
 * Saves a search. Throws `too_many_searches`, `name_taken`, and `invalid_filter` or `query_too_short` for an invalid
 * search.
 */
export async function saveSearch(
  ctx: SavedSearchContext,
  customerId: number,
  params: SaveSearchParams,
): Promise<savedSearches.SavedSearch> {
  const query = toQuery(params.query)
  reparseSearch(toSearchParams({ query }), { ...(await readSearchEnvironment(ctx.sql)), customer_id: customerId })
  const saved = await ctx.sql.begin(async (sql) => {
    // Serialises a member's saves, so that the limit holds.
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    const [own] = await sql<{ n: number }[]>`
      select count(*)::int as n from saved_search where customer_id = ${customerId}`
    if ((own?.n ?? 0) >= MAX_SEARCHES)
      throw new ApiError(
        'too_many_searches',
        `You’ve reached the limit of ${MAX_SEARCHES} saved searches. Delete one first.`,
      )
    const [added] = await sql<SavedSearchRow[]>`
      insert into saved_search as s (customer_id, name, query, by_email, fill_limit)
      values (${customerId}, ${params.name}, ${sql.json(query)}, ${params.by_email}, ${params.fill_limit})
      on conflict (customer_id, lower(name)) do nothing returning ${savedSearchColumns(sql)}`
    if (!added) throw nameTakenError(params.name)
    return added
  })
  return toSavedSearch(ctx, saved)
}

/** Renames a search, turns its emails or its filling of the crate on or off, or renews its feed URL. Throws `unknown_search`, `name_taken`. */
export async function changeSearch(
  ctx: SavedSearchContext,
  customerId: number,
  { saved_search_id, name, by_email, fill_limit, new_feed }: ParsedInputOf<typeof savedSearches.changeSearch>,
): Promise<savedSearches.SavedSearch> {
  const { sql } = ctx
  const [saved] = await sql<SavedSearchRow[]>`
    update saved_search s set name = coalesce(${name ?? null}, name), by_email = coalesce(${by_email ?? null}, by_email),
      fill_limit = ${fill_limit === undefined ? sql`fill_limit` : sql`${fill_limit}::smallint`},
      feed_version = feed_version + ${new_feed ? 1 : 0}
    where saved_search_id = ${saved_search_id} and customer_id = ${customerId}
    returning ${savedSearchColumns(sql)}`.catch((error) => {
    if ((error as { constraint_name?: string }).constraint_name === 'saved_search_own') throw nameTakenError(name ?? '')
    throw error
  })
  if (!saved) throw unknownSearchError()
  return toSavedSearch(ctx, saved)
}

/** Marks the current matches and the notification as seen. Throws `unknown_search`. */
export async function markSearchSeen(
  sql: Sql,
  customerId: number,
  id: number,
): Promise<ReplyOf<typeof savedSearches.markSeen>> {
  const [seen] = await sql<{ seen_at: Date }[]>`
    update saved_search set seen_at = now() where saved_search_id = ${id} and customer_id = ${customerId}
    returning seen_at`
  if (!seen) throw unknownSearchError()
  await markNotificationSeen(sql, customerId, searchSubject(id))
  return { seen_at: seen.seen_at.toISOString() }
}

/** Deletes a search and its notifications. Throws `unknown_search`. */
export async function removeSearch(sql: Sql, customerId: number, id: number): Promise<void> {
  const gone = await sql`
    delete from saved_search where saved_search_id = ${id} and customer_id = ${customerId} returning 1`
  if (gone.length === 0) throw unknownSearchError()
  await markNotificationSeen(sql, customerId, searchSubject(id))
}
