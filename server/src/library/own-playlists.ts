import { playlists } from '@dubplate/contract'
import type { Caller } from '../membership/caller.ts'
import { ApiError, fieldError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { lockPlaylist, notOwnPlaylistError } from './playlist-lock.ts'
import { addSongs } from './playlist-songs.ts'
import { findPlaylist } from './playlists.ts'

const { PLAYLIST_LIMIT, PLAYLIST_TITLE_LENGTH } = playlists
const RETENTION_HOURS = 24

type PlaylistParams = {
  playlist_id: number | undefined
  title: string
  /** Unchanged if undefined. */
  description?: string | undefined
  song_ids?: number[] | undefined
  public?: boolean | undefined
}
type PlaylistOwner = Pick<Caller, 'customer_id' | 'staff_role'>

/**
 * Creates a playlist, optionally with songs, or changes the name and description of one. Throws `playlist_title_taken`, `too_many_playlists`,
 * `unknown_playlist`, `unknown_song`, and `forbidden` when anyone except staff sets whether it is public.
 */
export async function savePlaylist(pool: Pool, { customer_id, staff_role }: PlaylistOwner, params: PlaylistParams) {
  if (params.public !== undefined && !staff_role)
    throw new ApiError('forbidden', 'Only staff can make a playlist public or private.')
  return withDeadlockRetry(pool, async (sql) => {
    await lockMember(sql, customer_id)
    const playlistId = await (params.playlist_id === undefined
      ? createPlaylist(sql, customer_id, params)
      : changePlaylist(sql, customer_id, params.playlist_id, params))
    return findPlaylist(sql, customer_id, playlistId)
  })
}

/** Serialises changes to a member's playlists, because of their titles and their number. */
const lockMember = async (sql: Sql, customerId: number): Promise<void> => {
  await sql`select 1 from customer where customer_id = ${customerId} for no key update`
}

async function createPlaylist(sql: Sql, customerId: number, params: PlaylistParams): Promise<number> {
  await rejectMore(sql, customerId)
  await rejectTaken(sql, customerId, params.title, undefined)
  const [createdPlaylist] = await sql<{ playlist_id: number }[]>`
    insert into playlist (customer_id, title, folded_title, description, public, changed_at)
    values (${customerId}, ${params.title}, ${normaliseTitle(params.title)}, ${params.description ?? ''},
      ${params.public ?? false}, clock_timestamp())
    returning playlist_id`
  if (!createdPlaylist) throw new Error('Playlist insert returned no id')
  if (params.song_ids) await addSongs(sql, createdPlaylist.playlist_id, { song_ids: params.song_ids })
  return createdPlaylist.playlist_id
}

async function changePlaylist(
  sql: Sql,
  customerId: number,
  playlistId: number,
  params: PlaylistParams,
): Promise<number> {
  if (params.song_ids)
    throw new ApiError('invalid_request', 'Use playlist/add-remove.json to add songs to an existing playlist.')
  await lockPlaylist(sql, customerId, playlistId)
  await rejectTaken(sql, customerId, params.title, playlistId)
  await sql`
    update playlist set title = ${params.title}, folded_title = ${normaliseTitle(params.title)},
      description = coalesce(${params.description ?? null}, description),
      public = coalesce(${params.public ?? null}::boolean, public), changed_at = clock_timestamp()
    where playlist_id = ${playlistId}`
  return playlistId
}

/** Titles that only differ in case, in the encoding of accents or in whitespace are the same. */
export const normaliseTitle = (title: string): string =>
  title.normalize('NFC').toLowerCase().normalize('NFC').replace(/\s+/g, ' ')

async function rejectMore(sql: Sql, customerId: number): Promise<void> {
  const [own] = await sql<{ n: number }[]>`
    select count(*)::int as n from playlist where customer_id = ${customerId} and deleted_at is null`
  if ((own?.n ?? 0) >= PLAYLIST_LIMIT)
    throw new ApiError(
      'too_many_playlists',
      `You’ve reached the limit of ${PLAYLIST_LIMIT} playlists. Delete one first.`,
    )
}

async function rejectTaken(sql: Sql, customerId: number, title: string, exceptId: number | undefined): Promise<void> {
  const [existing] = await sql<{ title: string }[]>`
    select title from playlist
    where customer_id = ${customerId} and folded_title = ${normaliseTitle(title)} and deleted_at is null
      and playlist_id <> ${exceptId ?? 0}`
  if (existing)
    throw fieldError('playlist_title_taken', 'title', `You already have a playlist named “${existing.title}”.`)
}

/** Deletes a playlist; it can be restored for a day. Throws `unknown_playlist` and `forbidden`. */
export async function deletePlaylist(sql: Sql, customerId: number, playlistId: number): Promise<void> {
  const [deleted] = await sql`
    update playlist set deleted_at = now()
    where playlist_id = ${playlistId} and customer_id = ${customerId} and deleted_at is null returning 1`
  if (!deleted) throw await notOwnPlaylistError(sql, playlistId)
}

/**
 * Restores a playlist deleted less than a day ago; if its title has been used since, as “… (2)”. A playlist that is not
 * deleted does not change. Throws `unknown_playlist` and `too_many_playlists`.
 */
export async function restorePlaylist(pool: Pool, customerId: number, playlistId: number) {
  return pool.begin(async (sql) => {
    await lockMember(sql, customerId)
    const [playlist] = await sql<{ title: string; deleted: boolean }[]>`
      select title, deleted_at is not null as deleted from playlist
      where playlist_id = ${playlistId} and customer_id = ${customerId}
        and (deleted_at is null or deleted_at > now() - make_interval(hours => ${RETENTION_HOURS}))
      for no key update`
    if (!playlist) throw await notOwnPlaylistError(sql, playlistId)
    if (playlist.deleted) {
      await rejectMore(sql, customerId)
      const title = await findFreeTitle(sql, customerId, playlist.title)
      await sql`
        update playlist set deleted_at = null, title = ${title}, folded_title = ${normaliseTitle(title)}
        where playlist_id = ${playlistId}`
    }
    return findPlaylist(sql, customerId, playlistId)
  })
}

/**
 * Returns the title itself, or the first of “… (2)”, “… (3)” that this member does not use yet; the limit of playlists
 * ends the search.
 */
async function findFreeTitle(sql: Sql, customerId: number, title: string): Promise<string> {
  const numberedTitles = Array.from({ length: PLAYLIST_LIMIT }, (_, n) => numberedTitle(title, n + 1))
  const rows = await sql<{ folded_title: string }[]>`
    select folded_title from playlist
    where customer_id = ${customerId} and deleted_at is null and folded_title = any(${numberedTitles.map(normaliseTitle)}::text[])`
  const usedTitles = new Set(rows.map((row) => row.folded_title))
  return numberedTitles.find((candidate) => !usedTitles.has(normaliseTitle(candidate))) ?? title
}

/** A long title is shortened to fit its number. */
function numberedTitle(title: string, n: number): string {
  if (n === 1) return title
  const number = ` (${n})`
  return truncateText(title, PLAYLIST_TITLE_LENGTH - number.length) + number
}

/** Shortens a text to a maximum number of UTF-16 units without splitting a character. */
function truncateText(text: string, length: number): string {
  return text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()
}

/** Permanently deletes playlists that were deleted more than a day ago. */
export async function sweepPlaylists(sql: Sql): Promise<void> {
  await sql`delete from playlist where deleted_at <= now() - make_interval(hours => ${RETENTION_HOURS})`
}
