import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/**
 * Locks the row of a member's own playlist until the end of the transaction, so that concurrent changes are serialised.
 * Throws `unknown_playlist`, and `forbidden` for a public playlist of someone else.
 */
export async function lockPlaylist(sql: Sql, customerId: number, playlistId: number): Promise<void> {
  const [own] = await sql`
    select 1 from playlist where playlist_id = ${playlistId} and customer_id = ${customerId} and deleted_at is null
    for no key update`
  if (!own) throw await notOwnPlaylistError(sql, playlistId)
}

/** Returns the error for a playlist the member may not change. A private one of someone else is reported as unknown. */
export async function notOwnPlaylistError(sql: Sql, playlistId: number): Promise<ApiError> {
  const [shown] = await sql`select 1 from playlist where playlist_id = ${playlistId} and public and deleted_at is null`
  return shown ? new ApiError('forbidden', 'You can only change your own playlists.') : unknownPlaylistError()
}

export const unknownPlaylistError = () =>
  new ApiError('unknown_playlist', 'This playlist doesn’t exist or has been deleted.')
