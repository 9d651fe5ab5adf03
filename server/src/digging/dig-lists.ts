import { catalogue, digging } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { AppContext } from '../app-context.ts'
import { findGenre } from '../catalogue/genres.ts'
import { theseSongs } from '../catalogue/songs.ts'
import { isVisible } from '../curation/visibility.ts'
import { findPlaylist } from '../library/playlists.ts'
import { requireSection } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { findSavedMatches } from '../saved-searches/matches.ts'

const LIMIT = digging.DIG_LIST_LIMIT
const SECTION = catalogue.SECTIONS.songs

/** `songs` is a query of (entity_id, n), in the order of n. The title is empty for lists that the browser names. */
export type DigList = { title: string; songs: PendingQuery<Row[]> }

/**
 * Returns the songs of a list, at most {@link digging.DIG_LIST_LIMIT}. Throws `unknown_genre`, `unknown_list`,
 * `unknown_playlist`, `unknown_search`, `invalid_filter`, `query_too_short` and `section_disabled`.
 */
export async function findDigList(
  { sql, settings }: Pick<AppContext, 'settings'> & { sql: Sql },
  customerId: number,
  list: string,
): Promise<DigList> {
  const [kind, value = ''] = list.split('-')
  const id = Number(value)
  switch (kind) {
    case 'chart':
      requireSection(settings, 'charts')
      return { title: '', songs: chartSongs(sql, value) }
    case 'genre':
      return findGenreList(sql, id)
    case 'spotlight':
      requireSection(settings, 'spotlights')
      return findSpotlight(sql, id)
    case 'top20':
      requireSection(settings, 'top20')
      return findTop20(sql, id)
    case 'playlist':
      return { title: (await findPlaylist(sql, customerId, id)).title, songs: playlistSongs(sql, id) }
    case 'search': {
      const { name, entityIds } = await findSavedMatches(sql, customerId, { saved_search_id: id, limit: LIMIT })
      return { title: name, songs: theseSongs(sql, entityIds) }
    }
    default:
      return { title: '', songs: newSongs(sql) }
  }
}

const newSongs = (sql: Sql) => sql`
  select entity_id, row_number() over (order by created_at desc, entity_id desc) as n from song
  where status = 'published' and song_section_id = ${SECTION} and created_at > now() - interval '7 days'
  order by created_at desc, entity_id desc limit ${LIMIT}`

const chartSongs = (sql: Sql, chart: string) => sql`
  select entity_id, rank::bigint as n from chart_snapshot
  where chart = ${chart} and genre_id = 0 and song_section_id = ${SECTION}`

async function findGenreList(sql: Sql, genreId: number): Promise<DigList> {
  const { genre_id, name } = await findGenre(sql, genreId)
  const songs = sql`
    select entity_id, row_number() over (order by entity_id desc) as n from song_genre
    where genre_id = ${genre_id} and listed_section = ${SECTION} order by entity_id desc limit ${LIMIT}`
  return { title: name, songs }
}

async function findSpotlight(sql: Sql, id: number): Promise<DigList> {
  const [list] = await sql<{ title: string }[]>`
    select title from curated_list where curated_list_id = ${id} and ${isVisible(sql)}`
  if (!list) throw new ApiError('unknown_list', 'This list doesn’t exist or has been unpublished.')
  const songs = sql`
    select entity_id, position::bigint as n from curated_list_song where curated_list_id = ${id} order by n limit ${LIMIT}`
  return { ...list, songs }
}

async function findTop20(sql: Sql, id: number): Promise<DigList> {
  const [list] = await sql<{ title: string }[]>`
    select title from top20 where top20_track_id = ${id} and ${isVisible(sql)}`
  if (!list) throw new ApiError('unknown_list', 'This collection doesn’t exist or has been unpublished.')
  return { ...list, songs: sql`select entity_id, rank::bigint as n from top20_song where top20_track_id = ${id}` }
}

const playlistSongs = (sql: Sql, playlistId: number) => sql`
  select entity_id, position::bigint as n from playlist_song where playlist_id = ${playlistId} order by n limit ${LIMIT}`
