import {
  deriveSong,
  fileBpm,
  fileKey,
  hasOwnRange,
  resolveVersions,
  type SongTempo,
  withSongBpm,
  withSongKey,
} from '../catalogue/version-tempo.ts'
import { type StoredVersion, tempoColumns } from '../catalogue/version-values.ts'
import type { Sql } from '../platform/db.ts'
import type { Sources, Values } from './value-sources.ts'

type UploadTempo = Pick<Values, 'song_key' | 'min_bpm' | 'max_bpm'> & {
  upload_song_id: number
  entity_id: number | null
  sources: Sources
}

type UploadedVersion = StoredVersion & {
  /** The tempo and key of the published version. */
  published: Pick<StoredVersion, 'bpm' | 'bpm_to' | 'bpm_source' | 'song_key' | 'key_source'> | null
}

/**
 * Returns the tempo and key that the versions of a member's song have once it is published, and what the song itself
 * has before they are compared: those that people set for the song, otherwise those of each file. Staff's value of a
 * version stays, unless someone has since set another one for the song.
 */
export async function planTempo(
  sql: Sql,
  upload: UploadTempo,
): Promise<{ song: SongTempo; versions: UploadedVersion[] }> {
  const { sources, min_bpm, max_bpm, song_key } = upload
  const uploaded = await readUploadedVersions(sql, upload.upload_song_id)
  const own = resolveVersions(uploaded.map((version) => ({ ...version, ...fileBpm(version), ...fileKey(version) })))
  const song = { min_bpm, max_bpm, bpm_source: sources.bpm, song_key, key_source: sources.song_key }
  const isBpmSet = isSetByPeople(sources.bpm)
  const isKeySet = isSetByPeople(sources.song_key)
  const isBpmPublished = uploaded.some(
    ({ published }) => published?.bpm === min_bpm && published.bpm_source === sources.bpm,
  )
  const isKeyPublished = uploaded.some(
    ({ published }) => published?.song_key === song_key && published.key_source === sources.song_key,
  )
  const withBpm = isBpmSet ? withSongBpm(own, song) : own
  const withKey = isKeySet ? withSongKey(withBpm, song) : withBpm
  const versions = withKey.map((version) => {
    const planned = { ...version }
    const { published } = version
    if (published?.bpm_source === 'staff' && (!isBpmSet || isBpmPublished)) {
      const { bpm, bpm_to, bpm_source } = published
      Object.assign(planned, { bpm, bpm_to, bpm_source })
    } else if (version.bpm === null) Object.assign(planned, { bpm: min_bpm, bpm_source: sources.bpm })
    if (published?.key_source === 'staff' && (!isKeySet || isKeyPublished))
      Object.assign(planned, { song_key: published.song_key, key_source: 'staff' })
    else if (version.song_key === null) Object.assign(planned, { song_key, key_source: sources.song_key })
    return planned
  })
  const current = upload.entity_id === null || isBpmSet ? undefined : await readSong(sql, upload.entity_id)
  if (current && hasOwnRange(current) && current.bpm_source === 'staff') {
    const { min_bpm, max_bpm, bpm_source } = current
    return { song: { ...song, min_bpm, max_bpm, bpm_source }, versions }
  }
  return { song, versions }
}

const isSetByPeople = (source: string): boolean => source === 'staff' || source === 'uploader'

/** Returns what a song of the pool would show once a member's song is published in it. */
export async function tempoAfterPublication(sql: Sql, upload: UploadTempo): Promise<SongTempo> {
  const { song, versions } = await planTempo(sql, upload)
  const [others] = await sql<{ versions: StoredVersion[] | null }[]>`
    select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_label', v.version_label,
      'status', v.status, 'duration_seconds', v.duration_seconds, ${tempoColumns(sql)})) as versions
    from song_version v left join analysis a using (file_id)
    where v.entity_id = ${upload.entity_id} and v.upload_song_id is distinct from ${upload.upload_song_id}`
  return deriveSong(resolveVersions([...(others?.versions ?? []), ...versions]), song)
}

async function readSong(sql: Sql, entityId: number): Promise<SongTempo | undefined> {
  const [song] = await sql<SongTempo[]>`
    select min_bpm, max_bpm, bpm_source, song_key, key_source from song where entity_id = ${entityId}`
  return song
}

async function readUploadedVersions(sql: Sql, uploadSongId: number): Promise<UploadedVersion[]> {
  const [row] = await sql<{ versions: UploadedVersion[] | null }[]>`
    select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_label', v.version_label,
      'status', 'published', 'duration_seconds', coalesce(a.duration_seconds, 0), ${tempoColumns(sql)},
      'published', case when p.song_version_id is not null then json_build_object('bpm', p.bpm, 'bpm_to', p.bpm_to,
        'bpm_source', p.bpm_source, 'song_key', p.song_key, 'key_source', p.key_source) end) order by v.position) as versions
    from (
      select v.song_version_id, v.version_label, v.position, u.file_id, u.tag, null::real as bpm, null::real as bpm_to,
        null::text as bpm_source, null::real as bpm_confidence, null::text as song_key, null::text as key_source,
        null::real as key_confidence
      from upload_version v join upload u using (upload_id) where v.upload_song_id = ${uploadSongId}) v
    left join analysis a using (file_id) left join song_version p on p.song_version_id = v.song_version_id`
  return row?.versions ?? []
}
