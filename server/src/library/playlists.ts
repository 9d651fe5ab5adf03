import type { Pagination, playlists } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import { type SongCover, songImage } from '../catalogue/images.ts'
import type { KeepMatching } from '../catalogue/song-filtering.ts'
import { songsOf } from '../catalogue/songs.ts'
import type { Sql } from '../platform/db.ts'
import { unknownPlaylistError } from './playlist-lock.ts'

const COVER_COUNT = 4

type PlaylistRow = Omit<playlists.Playlist, 'images' | 'changed_at'> & { changed_at: Date; covers: SongCover[] }

/**
 * Returns complete playlists with the totals of their songs, in one statement that reads each song once, however many
 * playlists it is in. Unpublished songs are left out.
 * @param condition a query of (playlist_id, n): which playlists, in the order of n
 * @param customerId whose playlists are `mine`; undefined when the response is the same for everyone
 */
export async function readPlaylists(
  sql: Sql,
  condition: PendingQuery<Row[]>,
  customerId: number | undefined,
): Promise<playlists.Playlist[]> {
  const rows = await sql<PlaylistRow[]>`
    with chosen as materialized (${condition}),
    placed as materialized (select playlist_id, ps.entity_id from chosen join playlist_song ps using (playlist_id)),
    shown as materialized (
      select s.entity_id, (
        select v.duration_seconds::float8 from song_version v
        where v.entity_id = s.entity_id and v.status = 'published'
        order by v.position, v.song_version_id limit 1) as seconds
      from (select distinct entity_id from placed) once join song s using (entity_id) where s.status = 'published'),
    sums as (
      select playlist_id, count(*)::int as songs, sum(seconds) as seconds
      from placed join shown using (entity_id) group by playlist_id)
    select p.playlist_id, p.title, p.description, p.public, p.changed_at, p.customer_id = ${customerId ?? 0} as mine,
      coalesce(sums.songs, 0) as song_count, coalesce(sums.seconds, 0) as duration_seconds,
      coalesce((select json_agg(first_songs) from (
        select s.entity_id, s.title, s.artist, s.cover_seed, encode(a.sha256, 'hex') as artwork
        from playlist_song ps join song s using (entity_id) left join artwork a using (artwork_id)
        where ps.playlist_id = p.playlist_id and s.status = 'published'
        order by ps.position limit ${COVER_COUNT}) first_songs), '[]') as covers
    from chosen join playlist p using (playlist_id) left join sums using (playlist_id) order by chosen.n`
  return rows.map(({ covers, changed_at, ...playlist }) => ({
    ...playlist,
    images: covers.map(songImage),
    changed_at: changed_at.toISOString(),
  }))
}

/**
 * The condition of `readPlaylists` for playlists in the order of their ids, without those that the member may not see:
 * one may have become private since its id was read.
 */
export const thesePlaylists = (sql: Sql, ids: readonly number[], customerId: number | undefined) => sql`
  select playlist_id, n from unnest(${[...ids]}::bigint[]) with ordinality listed (playlist_id, n) join playlist using (playlist_id)
  where deleted_at is null and (customer_id = ${customerId ?? 0} or public)`

/** Returns one playlist of the member or a public one. Throws `unknown_playlist`. */
export async function findPlaylist(sql: Sql, customerId: number, playlistId: number): Promise<playlists.Playlist> {
  const condition = sql`
    select playlist_id, 1 as n from playlist
    where playlist_id = ${playlistId} and deleted_at is null and (customer_id = ${customerId} or public)`
  const [playlist] = await readPlaylists(sql, condition, customerId)
  if (!playlist) throw unknownPlaylistError()
  return playlist
}

type PlaylistPageParams = { playlist_id: number; page: number; pageLimit: number }

/** Returns a page of a playlist's songs, and the ids of all its songs. Throws `unknown_playlist`. */
export async function getPlaylist(
  sql: Sql,
  customerId: number,
  params: PlaylistPageParams,
  downloadLimit: number,
  keep?: KeepMatching,
) {
  const { page, pageLimit } = params
  const playlist = await findPlaylist(sql, customerId, params.playlist_id)
  const song_ids = await listVisibleSongIds(sql, params.playlist_id)
  const listed = keep ? await keep(song_ids) : song_ids
  const pageSongIds = listed.slice((page - 1) * pageLimit, page * pageLimit)
  const songs = await songsOf(sql, pageSongIds, downloadLimit)
  const pagination: Pagination = { page, perPageLimit: pageLimit, totalCount: listed.length }
  return { playlist, songs, song_ids, pagination }
}

export async function listVisibleSongIds(sql: Sql, playlistId: number): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select entity_id from playlist_song ps join song s using (entity_id)
    where ps.playlist_id = ${playlistId} and s.status = 'published' order by ps.position`
  return rows.map((row) => row.entity_id)
}
