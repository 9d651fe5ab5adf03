import { createHash } from 'node:crypto'
import type { merging } from '@dubplate/contract'
import { type AudioPayload, audioSignature } from '../audio-files/payload.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type SongCover, songImage } from './images.ts'

export type MaintainedSong = Omit<merging.MergeableSong, 'sent_by' | 'favourites'> & { revision: number }

type MaintainedSongRow = Omit<MaintainedSong, 'image' | 'created_at'> &
  Omit<SongCover, 'entity_id'> & { created_at: Date }

/** Songs of any state with the data for merging and splitting, ordered by id. */
export async function readMaintainedSongs(sql: Sql, ids: readonly number[]): Promise<MaintainedSong[]> {
  const rows = await sql<MaintainedSongRow[]>`
    select s.entity_id, s.title, s.artist, s.year, s.min_bpm, s.max_bpm, s.song_key, s.song_section_id, s.status, s.created_at,
      s.revision, s.cover_seed, encode(a.sha256, 'hex') as artwork,
      coalesce(t.downloads, 0) as downloads, coalesce(t.listens, 0) as listens,
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

export type MaintainedVersion = Omit<merging.MergeableVersion, 'downloads'> & {
  position: number
  status: 'draft' | 'published' | 'unpublished'
  /** The signature of the audio without tags (see `audioSignature`); null when there is no file. */
  sound: string | null
}

type VersionRow = Omit<MaintainedVersion, 'sound'> & { body: AudioPayload | null }

/** All versions of these songs, including unpublished ones, each song's in order. */
export async function readMaintainedVersions(sql: Sql, ids: readonly number[]): Promise<MaintainedVersion[]> {
  const rows = await sql<VersionRow[]>`
    select v.song_version_id, v.entity_id, v.version_label, v.position, v.status, f.format, a.bitrate_kbps, v.duration_seconds,
      v.uploaded_name, f.body, v.status = 'published' and s.status = 'published' as is_listed
    from song_version v join song s using (entity_id) left join file f using (file_id) left join analysis a using (file_id)
    where v.entity_id = any(${[...ids]}::bigint[])
    order by v.entity_id, v.status = 'unpublished', v.position, v.song_version_id`
  return rows.map(({ body, ...version }) => ({ ...version, sound: body && audioSignature(body) }))
}

export const toVersion = ({
  position: _p,
  status: _s,
  sound: _w,
  ...version
}: MaintainedVersion): Omit<merging.MergeableVersion, 'downloads'> => version

/** Returns a hash of the current songs and versions, to detect changes since they were opened. */
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

/** Throws `unknown_song` unless all of them exist. */
export function rejectMissing(ids: readonly number[], songs: readonly MaintainedSong[]): void {
  if (ids.some((id) => !songs.some(({ entity_id }) => entity_id === id))) throw unknownSongError()
}

export const lockSongs = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await sql`select 1 from song where entity_id = any(${[...ids]}::bigint[]) order by entity_id for update`
}
