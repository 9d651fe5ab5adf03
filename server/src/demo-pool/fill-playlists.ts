import type { World as DemoWorld } from '@dubplate/demo/world'
import { foldTitle } from '../library/own-playlists.ts'
import type { Sql } from '../platform/db.ts'
import type { PlacedSong } from './fill.ts'

const MINUTE = 60_000
/** The crowd has just heard the first songs of each public playlist, in turn; the demo's DJ heard theirs before. */
const HEARD_OF_EACH = 6
const BETWEEN_MS = 3 * MINUTE
const DJ_STOPPED_MS = 150 * MINUTE

type Members = { crowd: readonly number[]; dj: number; staff: number }
type Placed = { playlist_id: number; public: boolean; songs: PlacedSong[] }
type Listen = { customer_id: number; playlist_id: number; song: PlacedSong; at: number }

/** The demo's playlists, and listens from them. */
export async function fillPlaylists(
  sql: Sql,
  world: DemoWorld,
  placed: Map<number, PlacedSong>,
  members: Members,
): Promise<void> {
  const playlists: Placed[] = []
  for (const playlist of world.playlists) {
    const songs = playlist.song_ids.flatMap((id) => placed.get(id) ?? [])
    if (songs.length === 0) continue
    const playlist_id = await addPlaylist(sql, members[playlist.owner], playlist, songs)
    playlists.push({ playlist_id, public: playlist.public, songs })
  }
  await addListens(sql, [...crowdListens(playlists, members, world.now), ...djListens(playlists, members, world.now)])
}

async function addPlaylist(
  sql: Sql,
  customerId: number,
  { title, public: isPublic, changed_at }: DemoWorld['playlists'][number],
  songs: readonly PlacedSong[],
): Promise<number> {
  const [added] = await sql<{ playlist_id: number }[]>`
    with added as (
      insert into playlist (customer_id, title, folded_title, public, changed_at, created_at)
      values (${customerId}, ${title}, ${foldTitle(title)}, ${isPublic}, ${changed_at}, ${changed_at}) returning playlist_id),
    songs as (
      insert into playlist_song (playlist_id, position, entity_id)
      select playlist_id, n, entity_id
      from added, unnest(${songs.map((song) => song.entity_id)}::bigint[]) with ordinality songs (entity_id, n))
    select playlist_id from added`
  if (!added) throw new Error('Playlist insert returned no id')
  return added.playlist_id
}

function crowdListens(playlists: readonly Placed[], { crowd }: Members, now: Date): Listen[] {
  const shown = playlists.filter((playlist) => playlist.public)
  return shown.flatMap(({ playlist_id, songs }, n) =>
    songs.slice(0, HEARD_OF_EACH).map((song, i) => ({
      customer_id: crowd[n % crowd.length] ?? 0,
      playlist_id,
      song,
      at: now.getTime() - ((HEARD_OF_EACH - i) * shown.length + n) * BETWEEN_MS,
    })),
  )
}

function djListens(playlists: readonly Placed[], { dj }: Members, now: Date): Listen[] {
  const own = playlists.filter((playlist) => !playlist.public)
  const heard = own.flatMap(({ playlist_id, songs }) => songs.map((song) => ({ playlist_id, song })))
  return heard.map((listen, i) => ({
    ...listen,
    customer_id: dj,
    at: now.getTime() - DJ_STOPPED_MS - (heard.length - i) * BETWEEN_MS,
  }))
}

/** Each of the song's first version; one that came out later is heard as it comes out. */
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
