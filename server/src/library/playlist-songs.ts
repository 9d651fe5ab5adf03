import { playlists } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { lockPlaylist } from './playlist-lock.ts'
import { findPlaylist } from './playlists.ts'

const { PLAYLIST_SONG_LIMIT } = playlists

type SongChange = { playlist_id: number; song_ids: number[]; action: 'add' | 'remove'; position?: number | undefined }

/**
 * Adds songs to a playlist, at its end or before a position, or removes them. `changed` is how many were added or
 * removed. Locks the playlist before its songs, while a merge of songs locks them the other way round, so either may
 * have to retry. Throws `unknown_playlist`, `forbidden`, `unknown_song` and `playlist_full`, and then changes nothing.
 */
export async function changeSongs(pool: Pool, customerId: number, change: SongChange) {
  return withDeadlockRetry(pool, async (sql) => {
    await lockPlaylist(sql, customerId, change.playlist_id)
    const changed = await (change.action === 'add'
      ? addSongs(sql, change.playlist_id, change)
      : removeSongs(sql, change.playlist_id, change.song_ids))
    return { playlist: await findPlaylist(sql, customerId, change.playlist_id), changed }
  })
}

/** Adds songs to a playlist whose row is locked; existing ones stay where they are. Returns how many are new. */
export async function addSongs(
  sql: Sql,
  playlistId: number,
  { song_ids, position }: Pick<SongChange, 'song_ids' | 'position'>,
): Promise<number> {
  const requestedIds = [...new Set(song_ids)]
  await rejectUnknownSongs(sql, requestedIds)
  const order = await readOrder(sql, playlistId)
  const existingIds = new Set(order.map((entry) => entry.entity_id))
  const added = requestedIds.filter((id) => !existingIds.has(id)).map((entity_id) => ({ entity_id, shown: true }))
  if (added.length === 0) return 0
  if (order.filter((entry) => entry.shown).length + added.length > PLAYLIST_SONG_LIMIT)
    throw new ApiError(
      'playlist_full',
      `This playlist is full (${PLAYLIST_SONG_LIMIT} songs). Remove some songs or create another playlist.`,
    )
  await saveOrder(sql, playlistId, insertBefore(order, added, position))
  return added.length
}

async function removeSongs(sql: Sql, playlistId: number, songIds: readonly number[]): Promise<number> {
  const removed = await sql`
    delete from playlist_song where playlist_id = ${playlistId} and entity_id = any(${[...songIds]}::bigint[]) returning 1`
  if (removed.length > 0) await saveOrder(sql, playlistId, await readOrder(sql, playlistId))
  return removed.length
}

async function rejectUnknownSongs(sql: Sql, songIds: readonly number[]): Promise<void> {
  const [known] = await sql<{ n: number }[]>`
    select count(*)::int as n from song where entity_id = any(${[...songIds]}::bigint[]) and status = 'published'`
  if (known?.n === songIds.length) return
  const sentence =
    songIds.length === 1
      ? 'Song not found. It may have been unpublished.'
      : 'One of these songs isn’t published. It may have been unpublished since you selected it.'
  throw new ApiError('unknown_song', sentence)
}

type Move = { playlist_id: number; song_id: number; position: number }

/**
 * Moves one song to another position, counted from 1 among the visible songs. Throws `unknown_playlist`, `forbidden`
 * and `unknown_song`.
 */
export async function moveSong(pool: Pool, customerId: number, { playlist_id, song_id, position }: Move) {
  return pool.begin(async (sql) => {
    await lockPlaylist(sql, customerId, playlist_id)
    const order = await readOrder(sql, playlist_id)
    const moved = order.find((entry) => entry.entity_id === song_id && entry.shown)
    if (!moved) throw new ApiError('unknown_song', 'This song isn’t in the playlist.')
    const others = order.filter((entry) => entry !== moved)
    const requestedOrder = insertBefore(others, [moved], position)
    const isReordered = requestedOrder.some((entry, n) => entry !== order[n])
    if (isReordered) await saveOrder(sql, playlist_id, requestedOrder)
    return { song_ids: requestedOrder.filter((entry) => entry.shown).map((entry) => entry.entity_id) }
  })
}

/** A song in a playlist; an unpublished one is hidden, but keeps its position. */
type PlaylistPosition = { entity_id: number; shown: boolean }

const readOrder = async (sql: Sql, playlistId: number): Promise<PlaylistPosition[]> =>
  sql<PlaylistPosition[]>`
    select entity_id, s.status = 'published' as shown from playlist_song ps join song s using (entity_id)
    where ps.playlist_id = ${playlistId} order by ps.position`

/** Inserts songs before the visible song at `position`, or at the end. */
function insertBefore(
  order: readonly PlaylistPosition[],
  songs: readonly PlaylistPosition[],
  position: number | undefined,
): PlaylistPosition[] {
  const next = position === undefined ? undefined : order.filter((entry) => entry.shown)[position - 1]
  const at = next ? order.indexOf(next) : order.length
  return [...order.slice(0, at), ...songs, ...order.slice(at)]
}

/** Saves the changed positions 1 to n of a playlist whose row is locked. */
async function saveOrder(sql: Sql, playlistId: number, order: readonly PlaylistPosition[]): Promise<void> {
  await sql`
    insert into playlist_song (playlist_id, position, entity_id)
    select ${playlistId}, n, entity_id
    from unnest(${order.map((entry) => entry.entity_id)}::bigint[]) with ordinality songs (entity_id, n)
    on conflict (playlist_id, entity_id) do update set position = excluded.position
      where playlist_song.position <> excluded.position`
  await sql`update playlist set changed_at = clock_timestamp() where playlist_id = ${playlistId}`
}
