import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/**
 * Holds the row of a member's own playlist to the end of the transaction, so that two changes end where one after the
 * other would. Refuses `unknown_playlist`, and `forbidden` for a public one of somebody else.
 */
export async function lockPlaylist(sql: Sql, customerId: number, playlistId: number): Promise<void> {
  const [own] = await sql`
    select 1 from playlist where playlist_id = ${playlistId} and customer_id = ${customerId} and deleted_at is null
    for no key update`
  if (!own) throw await notOwnPlaylistError(sql, playlistId)
}

/** Why a member may not change this playlist: a private one of somebody else is as good as none. */
export async function notOwnPlaylistError(sql: Sql, playlistId: number): Promise<ApiError> {
  const [shown] = await sql`select 1 from playlist where playlist_id = ${playlistId} and public and deleted_at is null`
  return shown ? new ApiError('forbidden', 'You can only change your own playlists.') : unknownPlaylistError()
}

export const unknownPlaylistError = () =>
  new ApiError('unknown_playlist', 'This playlist doesn’t exist or has been deleted.')
