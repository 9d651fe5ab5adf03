import { isDeepStrictEqual } from 'node:util'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Source } from './additions.ts'
import type { Origins, Traced } from './value-sources.ts'
import { type StoredVersion, tempoColumns } from './version-values.ts'

/**
 * Every value of a song that staff can change, by name, as stored for undoing: a value with its source. A version's
 * values are named by its id: `version.12.name`.
 */
export type Values = Partial<SongFields> & { [version: `version.${number}.${string}`]: VersionValue }

export type SongFields = {
  [field in 'title' | 'artist' | 'album' | 'label' | 'remixer' | 'isrc']: [string, Source | null]
} & {
  year: [number | null, Source | null]
  bpm: [number | null, number | null, Source | null]
  song_key: [string | null, Source | null]
  /** In the order of their ids. */
  genres: [number[], Source | null]
  song_section_id: number
  artwork: [number | null, Source | null]
  /** With the time it was unpublished, as PostgreSQL writes it. */
  status: [Status, string | null]
}

export type Status = 'published' | 'unpublished' | 'draft'

/**
 * For `name` the label and version_kind_id, for `place` the position, for `start` seconds, for `status` as for a song, for
 * `bpm` also the tempo it changes to.
 */
type VersionValue = [string, number] | number | [Status, string | null] | VersionBpm | VersionKey
export type VersionBpm = [bpm: number | null, bpm_to: number | null, Source | null]
export type VersionKey = [song_key: string | null, Source | null]

export type LockedVersion = StoredVersion & {
  version_kind_id: number
  position: number
  preview_start_seconds: number
  file_id: number | null
  unpublished_at: string | null
}

/** A song as it is now, locked until the end of the transaction. */
export type LockedSong = {
  entity_id: number
  revision: number
  title: string
  artist: string
  song_identity: string
  tags_changed_at: string | null
  versions: LockedVersion[]
  values: Values & SongFields
}

type SongRow = Omit<LockedSong, 'values' | 'versions'> & {
  [field in 'album' | 'label' | 'remixer' | 'isrc']: string
} & {
  year: number | null
  min_bpm: number | null
  max_bpm: number | null
  bpm_source: Source | null
  song_key: string | null
  key_source: Source | null
  song_section_id: number
  artwork_id: number | null
  status: Status
  unpublished_at: string | null
  origins: Origins
  genres: number[]
  versions: LockedVersion[] | null
}

/** Locks a song. Throws `unknown_song`. */
export async function lockSong(sql: Sql, entityId: number): Promise<LockedSong> {
  // Locked first and then read, to include what someone else changed while this transaction waited.
  await sql`select 1 from song where entity_id = ${entityId} for update`
  return readValues(sql, entityId)
}

/** Reads a song's current values. Throws `unknown_song`. */
export async function readValues(sql: Sql, entityId: number): Promise<LockedSong> {
  const [row] = await sql<SongRow[]>`
    select entity_id, revision, title, artist, album, label, remixer, isrc, year, min_bpm, max_bpm, bpm_source, song_key,
      key_source, song_section_id, artwork_id, status, unpublished_at::text, tags_changed_at::text, origins, song_identity,
      array(select genre_id from song_genre g where g.entity_id = s.entity_id order by genre_id) as genres,
      (select json_agg(json_build_object('song_version_id', song_version_id, 'version_label', version_label,
          'version_kind_id', version_kind_id, 'position', position, 'preview_start_seconds', preview_start_seconds,
          'duration_seconds', v.duration_seconds, 'file_id', v.file_id, 'status', v.status,
          'unpublished_at', v.unpublished_at::text, ${tempoColumns(sql)}) order by position, song_version_id)
        from song_version v left join analysis a using (file_id) where v.entity_id = s.entity_id) as versions
    from song s where entity_id = ${entityId}`
  if (!row) throw new ApiError('unknown_song', 'Song not found.')
  const { entity_id, revision, title, artist, song_identity, tags_changed_at } = row
  const versions = row.versions ?? []
  const values = { ...valuesOf(row), ...Object.assign({}, ...versions.map(versionValues)) }
  return { entity_id, revision, title, artist, song_identity, tags_changed_at, versions, values }
}

function valuesOf(row: SongRow): SongFields {
  const from = (field: Traced): Source | null => row.origins[field] ?? null
  return {
    title: [row.title, from('title')],
    artist: [row.artist, from('artist')],
    album: [row.album, from('album')],
    label: [row.label, from('label')],
    remixer: [row.remixer, from('remixer')],
    isrc: [row.isrc, from('isrc')],
    year: [row.year, from('year')],
    bpm: [row.min_bpm, row.max_bpm, row.bpm_source],
    song_key: [row.song_key, row.key_source],
    genres: [row.genres, from('genres')],
    song_section_id: row.song_section_id,
    artwork: [row.artwork_id, from('artwork')],
    status: [row.status, row.unpublished_at],
  }
}

const versionValues = (version: LockedVersion): Record<string, VersionValue> => ({
  [`version.${version.song_version_id}.name`]: [version.version_label, version.version_kind_id],
  [`version.${version.song_version_id}.place`]: version.position,
  [`version.${version.song_version_id}.start`]: version.preview_start_seconds,
  [`version.${version.song_version_id}.status`]: [version.status, version.unpublished_at],
  [`version.${version.song_version_id}.bpm`]: bpmOf(version),
  [`version.${version.song_version_id}.key`]: keyOf(version),
})

export const bpmOf = ({ bpm, bpm_to, bpm_source }: StoredVersion): VersionBpm => [bpm, bpm_to, bpm_source]
export const keyOf = ({ song_key, key_source }: StoredVersion): VersionKey => [song_key, key_source]

/** One value of a version. */
export const versionField = (
  id: number,
  what: 'name' | 'place' | 'start' | 'status' | 'bpm' | 'key',
  value: VersionValue,
): Values => ({
  [`version.${id}.${what}` as const]: value,
})

export const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(one, other)

/** Returns those of the wanted values that differ from the current ones. */
export const changedOf = ({ values }: LockedSong, wanted: Values): Values =>
  Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !isSame(value, values[field as keyof Values])),
  ) as Values

/** Whether any of these fields is changed. */
export const changesAny = (fields: readonly string[], changed: Values): boolean =>
  Object.keys(changed).some((field) => fields.includes(field))
