import { playlists } from '@dubplate/contract'
import type { Pool, Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { untangled } from '../platform/untangled.ts'
import { holdPlaylist } from './held-playlist.ts'
import { findPlaylist } from './playlists.ts'

const { PLAYLIST_SONG_LIMIT } = playlists

type Change = { playlist_id: number; song_ids: number[]; action: 'add' | 'remove'; position?: number | undefined }

/**
 * Puts songs into a playlist, at its end or before a place, or takes them out. `changed` is how many went in or out. This
 * holds the playlist before its songs, a merge of songs the other way round: each may have to begin again.
 * Refuses `unknown_playlist`, `forbidden`, `unknown_song` and `playlist_full`, and changes nothing then.
 */
export async function changeSongs(pool: Pool, customerId: number, change: Change) {
  return untangled(pool, async (sql) => {
    await holdPlaylist(sql, customerId, change.playlist_id)
    const changed = await (change.action === 'add'
      ? addSongs(sql, change.playlist_id, change)
      : removeSongs(sql, change.playlist_id, change.song_ids))
    return { playlist: await findPlaylist(sql, customerId, change.playlist_id), changed }
  })
}

/** Puts songs into a playlist whose row is held; those that are there already stay where they are. Answers with how many are new. */
export async function addSongs(
  sql: Sql,
  playlistId: number,
  { song_ids, position }: Pick<Change, 'song_ids' | 'position'>,
): Promise<number> {
  const wanted = [...new Set(song_ids)]
  await refuseUnknownSongs(sql, wanted)
  const order = await orderOf(sql, playlistId)
  const there = new Set(order.map((place) => place.entity_id))
  const added = wanted.filter((id) => !there.has(id)).map((entity_id) => ({ entity_id, shown: true }))
  if (added.length === 0) return 0
  if (order.filter((place) => place.shown).length + added.length > PLAYLIST_SONG_LIMIT)
    throw new Refusal(
      'playlist_full',
      `This playlist is full (${PLAYLIST_SONG_LIMIT} songs). Remove some songs or create another playlist.`,
    )
  await keepOrder(sql, playlistId, putBefore(order, added, position))
  return added.length
}

async function removeSongs(sql: Sql, playlistId: number, songIds: readonly number[]): Promise<number> {
  const gone = await sql`
    delete from playlist_song where playlist_id = ${playlistId} and entity_id = any(${[...songIds]}::bigint[]) returning 1`
  if (gone.length > 0) await keepOrder(sql, playlistId, await orderOf(sql, playlistId))
  return gone.length
}

async function refuseUnknownSongs(sql: Sql, songIds: readonly number[]): Promise<void> {
  const [known] = await sql<{ n: number }[]>`
    select count(*)::int as n from song where entity_id = any(${[...songIds]}::bigint[]) and status = 'published'`
  if (known?.n === songIds.length) return
  const sentence =
    songIds.length === 1
      ? 'Song not found. It may have been unpublished.'
      : 'One of these songs isn’t published. It may have been unpublished since you selected it.'
  throw new Refusal('unknown_song', sentence)
}

type Move = { playlist_id: number; song_id: number; position: number }

/** Moves one song to another place, counted from 1 among those that are shown. Refuses `unknown_playlist`, `forbidden` and `unknown_song`. */
export async function moveSong(pool: Pool, customerId: number, { playlist_id, song_id, position }: Move) {
  return pool.begin(async (sql) => {
    await holdPlaylist(sql, customerId, playlist_id)
    const order = await orderOf(sql, playlist_id)
    const moved = order.find((place) => place.entity_id === song_id && place.shown)
    if (!moved) throw new Refusal('unknown_song', 'This song isn’t in the playlist.')
    const others = order.filter((place) => place !== moved)
    const wished = putBefore(others, [moved], position)
    const isNew = wished.some((place, n) => place !== order[n])
    if (isNew) await keepOrder(sql, playlist_id, wished)
    return { song_ids: wished.filter((place) => place.shown).map((place) => place.entity_id) }
  })
}

/** A song in a playlist; a withdrawn one is not shown, and keeps its place for when it comes back. */
type Place = { entity_id: number; shown: boolean }

const orderOf = async (sql: Sql, playlistId: number): Promise<Place[]> =>
  sql<Place[]>`
    select entity_id, s.status = 'published' as shown from playlist_song ps join song s using (entity_id)
    where ps.playlist_id = ${playlistId} order by ps.position`

/** Puts songs before the place that is shown as number `position`, or at the end where there is none. */
function putBefore(order: readonly Place[], songs: readonly Place[], position: number | undefined): Place[] {
  const next = position === undefined ? undefined : order.filter((place) => place.shown)[position - 1]
  const at = next ? order.indexOf(next) : order.length
  return [...order.slice(0, at), ...songs, ...order.slice(at)]
}

/** Writes the places 1 to n of a playlist whose row is held, as far as they changed. */
async function keepOrder(sql: Sql, playlistId: number, order: readonly Place[]): Promise<void> {
  await sql`
    insert into playlist_song (playlist_id, position, entity_id)
    select ${playlistId}, n, entity_id
    from unnest(${order.map((place) => place.entity_id)}::bigint[]) with ordinality songs (entity_id, n)
    on conflict (playlist_id, entity_id) do update set position = excluded.position
      where playlist_song.position <> excluded.position`
  await sql`update playlist set changed_at = clock_timestamp() where playlist_id = ${playlistId}`
}
