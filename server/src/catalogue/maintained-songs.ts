import { createHash } from 'node:crypto'
import type { merging } from '@dubplate/contract'
import { type AudioPayload, audioSignature } from '../audio/payload.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type SongCover, songImage } from './images.ts'

export type MaintainedSong = Omit<merging.MergeableSong, 'sent_by'> & { revision: number }

type MaintainedSongRow = Omit<MaintainedSong, 'image' | 'created_at'> &
  Omit<SongCover, 'entity_id'> & { created_at: Date }

/** Songs of any state as whoever merges or splits them sees them, in the order of their numbers. */
export async function readMaintainedSongs(sql: Sql, ids: readonly number[]): Promise<MaintainedSong[]> {
  const rows = await sql<MaintainedSongRow[]>`
    select s.entity_id, s.title, s.artist, s.year, s.min_bpm, s.max_bpm, s.song_key, s.song_section_id, s.status, s.created_at,
      s.revision, s.cover_seed, encode(a.sha256, 'hex') as artwork,
      coalesce(t.downloads, 0) as downloads, coalesce(t.listens, 0) as listens,
      (select count(*)::int from favourite f where f.entity_id = s.entity_id) as favourites,
      array(select g.name from song_genre sg join genre g using (genre_id) where sg.entity_id = s.entity_id
        order by g.kind, g.parent_id is not null, g.position, g.genre_id) as genres
    from song s left join artwork a using (artwork_id) left join song_total t using (entity_id)
    where s.entity_id = any(${[...ids]}::bigint[]) order by s.entity_id`
  return rows.map(({ artwork, cover_seed, created_at, ...song }) => ({
    ...song,
    image: songImage({ ...song, artwork, cover_seed }),
    created_at: created_at.toISOString(),
  }))
}

export type MaintainedVersion = merging.MergeableVersion & {
  position: number
  status: 'draft' | 'published' | 'withdrawn'
  /** The sound alone, whatever tags stand around it; null where there is no file. */
  sound: string | null
}

type VersionRow = Omit<MaintainedVersion, 'sound'> & { body: AudioPayload | null }

/** All versions of these songs, also those that left the pool, each song's in their order. */
export async function readMaintainedVersions(sql: Sql, ids: readonly number[]): Promise<MaintainedVersion[]> {
  const rows = await sql<VersionRow[]>`
    select v.song_version_id, v.entity_id, v.version_label, v.position, v.status, f.format, a.bitrate_kbps, v.duration_seconds,
      v.uploaded_name, f.body, v.status = 'published' and s.status = 'published' as is_listed,
      (select count(*)::int from download d where d.song_version_id = v.song_version_id and not d.free) as downloads
    from song_version v join song s using (entity_id) left join file f using (file_id) left join analysis a using (file_id)
    where v.entity_id = any(${[...ids]}::bigint[])
    order by v.entity_id, v.status = 'withdrawn', v.position, v.song_version_id`
  return rows.map(({ body, ...version }) => ({ ...version, sound: body && audioSignature(body) }))
}

export const toVersion = ({
  position: _p,
  status: _s,
  sound: _w,
  ...version
}: MaintainedVersion): merging.MergeableVersion => version

/** What songs and versions are now, in short: whoever looked at something else decides anew. */
export function stateOf(songs: readonly MaintainedSong[], versions: readonly MaintainedVersion[]): string {
  const reportedFields = [
    ...songs.map(({ entity_id, revision, title, artist, status }) => [entity_id, revision, title, artist, status]),
    ...versions.map(({ song_version_id, entity_id, version_label, status }) => [
      ...[song_version_id, entity_id, version_label, status],
    ]),
  ]
  return createHash('sha256').update(JSON.stringify(reportedFields)).digest('base64url')
}

export const unknownSongError = () => new ApiError('unknown_song', 'This song no longer exists.')

/** Refuses `unknown_song` unless all of them are there. */
export function rejectMissing(ids: readonly number[], songs: readonly MaintainedSong[]): void {
  if (ids.some((id) => !songs.some(({ entity_id }) => entity_id === id))) throw unknownSongError()
}

/** Holds everything that is counted for songs: what is under way ends first, what comes later waits. */
export async function lockSongs(sql: Sql, ids: readonly number[]): Promise<void> {
  // Every download and listen leaves a row here in its own statement, and every fold takes it from here.
  await sql`lock table download_outbox in share row exclusive mode`
  await sql`lock table listen_outbox in share row exclusive mode`
  await sql`select 1 from song where entity_id = any(${[...ids]}::bigint[]) order by entity_id for update`
}
