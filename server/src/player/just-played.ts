import type { player } from '@dubplate/contract'
import { readRankedSongs } from '../catalogue/songs.ts'
import { readPlaylists, thesePlaylists } from '../library/playlists.ts'
import type { Sql } from '../platform/db.ts'

const MAX_SONGS = 10
const MAX_PLAYLISTS = 5
/** Enough listens to contain ten different songs, unless hardly anything else is played. */
const MAX_RECENT_LISTENS = 300

/** Returns the songs anyone listened to last, each once, newest first, without the listener. */
export async function listJustPlayed(sql: Sql, downloadLimit: number): Promise<player.PlayedSong[]> {
  const plays = await sql<{ entity_id: number; at: Date }[]>`
    select entity_id, max(newest.at) as at
    from (select entity_id, at from listen order by at desc limit ${MAX_RECENT_LISTENS}) newest join song s using (entity_id)
    where s.status = 'published' group by entity_id order by 2 desc, entity_id desc limit ${MAX_SONGS}`
  const playedSongs = plays.map(({ entity_id, at }) => ({ entity_id, played_at: at.toISOString() }))
  return readRankedSongs(sql, playedSongs, downloadLimit)
}

/** Returns the public playlists that members last listened to. */
export async function listRecentlyPlayedPlaylists(sql: Sql) {
  const lastPlayed = await sql<{ playlist_id: number; at: Date }[]>`
    select p.playlist_id, last.at from playlist p cross join lateral (
      select at from listen l where l.playlist_id = p.playlist_id order by at desc limit 1) last
    where p.public and p.deleted_at is null order by last.at desc, p.playlist_id desc limit ${MAX_PLAYLISTS}`
  const playedAt = new Map(lastPlayed.map((row) => [row.playlist_id, row.at.toISOString()]))
  const playlistRows = await readPlaylists(sql, thesePlaylists(sql, [...playedAt.keys()], undefined), undefined)
  return playlistRows.flatMap((playlist) => {
    const played_at = playedAt.get(playlist.playlist_id)
    return played_at ? [{ ...playlist, played_at }] : []
  })
}
