import type { DemoWorld } from '@dubplate/demo/world'
import { normaliseTitle } from '../library/own-playlists.ts'
import type { Sql } from '../platform/db.ts'
import type { AddedSong } from './fill.ts'

const MINUTE = 60_000
/**
 * How many songs of each public playlist the crowd has just played, in turn; the demo's DJ played theirs before that.
 */
const SONGS_PER_PLAYLIST = 6
const LISTEN_GAP_MS = 3 * MINUTE
const DJ_STOPPED_MS = 150 * MINUTE

type PlaylistMembers = { crowd: readonly number[]; dj: number; staff: number }
type AddedPlaylist = { playlist_id: number; public: boolean; songs: AddedSong[] }
type Listen = { customer_id: number; playlist_id: number; song: AddedSong; at: number }

/** Adds the demo's playlists, and listens from them. */
export async function fillPlaylists(
  sql: Sql,
  world: DemoWorld,
  addedSongs: Map<number, AddedSong>,
  members: PlaylistMembers,
): Promise<void> {
  const playlists: AddedPlaylist[] = []
  for (const playlist of world.playlists) {
    const songs = playlist.song_ids.flatMap((id) => addedSongs.get(id) ?? [])
    if (songs.length === 0) continue
    const playlist_id = await addPlaylist(sql, members[playlist.owner], playlist, songs)
    playlists.push({ playlist_id, public: playlist.public, songs })
  }
  await addListens(sql, [...crowdListens(playlists, members, world.now), ...djListens(playlists, members, world.now)])
}

async function addPlaylist(
  sql: Sql,
  customerId: number,
  { title, description, public: isPublic, changed_at }: DemoWorld['playlists'][number],
  songs: readonly AddedSong[],
): Promise<number> {
  const [added] = await sql<{ playlist_id: number }[]>`
    with added as (
      insert into playlist (customer_id, title, folded_title, description, public, changed_at, created_at)
      values (${customerId}, ${title}, ${normaliseTitle(title)}, ${description}, ${isPublic}, ${changed_at}, ${changed_at}) returning playlist_id),
    songs as (
      insert into playlist_song (playlist_id, position, entity_id)
      select playlist_id, n, entity_id
      from added, unnest(${songs.map((song) => song.entity_id)}::bigint[]) with ordinality songs (entity_id, n))
    select playlist_id from added`
  if (!added) throw new Error('Playlist insert returned no id')
  return added.playlist_id
}

function crowdListens(playlists: readonly AddedPlaylist[], { crowd }: PlaylistMembers, now: Date): Listen[] {
  const publicPlaylists = playlists.filter((playlist) => playlist.public)
  return publicPlaylists.flatMap(({ playlist_id, songs }, n) =>
    songs.slice(0, SONGS_PER_PLAYLIST).map((song, i) => ({
      customer_id: crowd[n % crowd.length] ?? 0,
      playlist_id,
      song,
      at: now.getTime() - ((SONGS_PER_PLAYLIST - i) * publicPlaylists.length + n) * LISTEN_GAP_MS,
    })),
  )
}

function djListens(playlists: readonly AddedPlaylist[], { dj }: PlaylistMembers, now: Date): Listen[] {
  const privatePlaylists = playlists.filter((playlist) => !playlist.public)
  const listenedSongs = privatePlaylists.flatMap(({ playlist_id, songs }) =>
    songs.map((song) => ({ playlist_id, song })),
  )
  return listenedSongs.map((listen, i) => ({
    ...listen,
    customer_id: dj,
    at: now.getTime() - DJ_STOPPED_MS - (listenedSongs.length - i) * LISTEN_GAP_MS,
  }))
}

/** Adds listens of each song's first version, none before the song was created. */
async function addListens(sql: Sql, listens: readonly Listen[]): Promise<void> {
  await sql`
    insert into listen (listen_key, customer_id, playlist_id, entity_id, song_version_id, at)
    select gen_random_uuid()::text, c, p, entity_id, v, greatest(t, s.created_at)
    from unnest(${listens.map((listen) => listen.customer_id)}::bigint[],
      ${listens.map((listen) => listen.playlist_id)}::bigint[], ${listens.map(({ song }) => song.entity_id)}::bigint[],
      ${listens.map(({ song }) => song.versionIds[0] ?? 0)}::bigint[],
      ${listens.map(({ at }) => new Date(at).toISOString())}::timestamptz[]) as rows (c, p, entity_id, v, t)
    join song s using (entity_id)`
}
