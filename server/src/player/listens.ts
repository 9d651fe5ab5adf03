import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type Listen = { song_version_id: number; listen_key: string; playlist_id: number | undefined }

/**
 * Counts a listen for the charts; a repeated key is ignored. The playlist is stored if it belongs to the member or is
 * public. Throws `unknown_version`.
 */
export async function recordListen(sql: Sql, customerId: number, listen: Listen): Promise<boolean> {
  const [outcome] = await sql<{ known: boolean; counted: boolean }[]>`
    with version as (
      select song_version_id, entity_id from song_version where song_version_id = ${listen.song_version_id}),
    source as (
      select playlist_id from playlist
      where playlist_id = ${listen.playlist_id ?? 0} and deleted_at is null and (public or customer_id = ${customerId})),
    counted as (
      insert into listen (listen_key, customer_id, song_version_id, entity_id, playlist_id)
      select ${listen.listen_key}, ${customerId}, song_version_id, entity_id, (select playlist_id from source) from version
      on conflict do nothing returning entity_id, at),
    left_for_charts as (insert into listen_outbox (entity_id, at) select entity_id, at from counted)
    select exists (select 1 from version) as known, exists (select 1 from counted) as counted`
  if (!outcome?.known) throw new ApiError('unknown_version', 'Version not found. It may have been unpublished.')
  return outcome.counted
}
