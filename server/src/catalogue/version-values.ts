import { camelotOrder, parseKey } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { indexSong } from './search-index.ts'
import {
  deriveSong,
  MIN_CONFIDENCE,
  resolveVersions,
  type SongTempo,
  type TaggedTempo,
  type TempoVersion,
  type VersionTempo,
} from './version-tempo.ts'

export type StoredVersion = TempoVersion & TaggedTempo

/**
 * The columns of `StoredVersion`, as arguments of `json_build_object`, of a version `v` with its analysis `a`. The tempo of a
 * corrected beat grid replaces the measured one.
 */
export const tempoColumns = (sql: Sql) => sql`
  'bpm', v.bpm, 'bpm_to', v.bpm_to, 'bpm_source', v.bpm_source, 'bpm_confidence', v.bpm_confidence, 'song_key', v.song_key,
  'key_source', v.key_source, 'key_confidence', v.key_confidence,
  'tag_bpm', case when jsonb_typeof(v.tag -> 'bpm') = 'number' then (v.tag ->> 'bpm')::real end,
  'tag_key', nullif(v.tag ->> 'song_key', ''),
  'measured', (
    select json_build_object('bpm', coalesce(c.bpm, a.bpm),
      'bpm_confidence', a.bpm_confidence, 'is_corrected', c.bpm is not null, 'song_key', a.song_key, 'key_confidence', a.key_confidence)
    from (select a.file_id) f left join beat_grid_correction c using (file_id) where f.file_id is not null)`

/** The tempo of a version `v` that members see and files have: not one from an analysis that is unlikely to be right. */
export const knownBpm = (sql: Sql) =>
  sql`case when v.bpm_source = 'analysis' and v.bpm_confidence < ${MIN_CONFIDENCE}::real then null else v.bpm end`

/** The same for its key. */
export const knownKey = (sql: Sql) =>
  sql`case when v.key_source = 'analysis' and v.key_confidence < ${MIN_CONFIDENCE}::real then null else v.song_key end`

/**
 * Brings the tempo and key of a song's versions, and what the song shows of them, up to date. Part of the caller's
 * transaction, after anything that adds, removes, unpublishes or re-analyses a version, and before `indexSong`. Returns
 * whether a tempo or a key of a version changed.
 */
export async function refreshTempoAndKey(sql: Sql, entityId: number): Promise<boolean> {
  const [song] = await sql<(SongTempo & { versions: StoredVersion[] | null })[]>`
    select min_bpm, max_bpm, bpm_source, song_key, key_source,
      (select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_label', v.version_label,
          'status', v.status, 'duration_seconds', v.duration_seconds, ${tempoColumns(sql)}) order by v.song_version_id)
        from song_version v left join analysis a using (file_id) where v.entity_id = s.entity_id) as versions
    from song s where entity_id = ${entityId} for update of s`
  if (!song) return false
  const { versions: stored, ...shown } = song
  const versions = resolveVersions(stored ?? [])
  let isChanged = false
  for (const [n, version] of versions.entries()) {
    const before = stored?.[n]
    if (!before || TEMPO_FIELDS.every((field) => before[field] === version[field])) continue
    isChanged ||= before.bpm !== version.bpm || before.song_key !== version.song_key
    await writeVersionTempo(sql, version.song_version_id, version)
  }
  await writeSongTempo(sql, entityId, shown, deriveSong(versions, shown))
  return isChanged
}

/**
 * Brings the songs that have a file up to date, after its beat grid was corrected or the correction removed. Part of the
 * caller's transaction.
 */
export async function refreshSongsOfFile(sql: Sql, fileId: number): Promise<void> {
  const songs = await sql<{ entity_id: number }[]>`
    select distinct entity_id from song_version where file_id = ${fileId} order by entity_id`
  for (const { entity_id } of songs) if (await refreshTempoAndKey(sql, entity_id)) await indexSong(sql, entity_id)
}

/**
 * Gives a version the tempo and key of a better described file, where its own are only measured or missing. Part of the
 * caller's transaction, before `refreshTempoAndKey`.
 */
export async function completeVersion(
  sql: Sql,
  versionId: number,
  tempo: Omit<VersionTempo, 'bpm_confidence' | 'key_confidence'>,
): Promise<void> {
  if (tempo.bpm !== null && tempo.bpm_source !== 'analysis')
    await sql`
      update song_version set bpm = ${tempo.bpm}, bpm_to = ${tempo.bpm_to}, bpm_source = ${tempo.bpm_source}, bpm_confidence = null
      where song_version_id = ${versionId} and coalesce(bpm_source, 'analysis') = 'analysis'`
  if (tempo.song_key !== null && tempo.key_source !== 'analysis')
    await sql`
      update song_version set song_key = ${tempo.song_key}, key_source = ${tempo.key_source}, key_confidence = null
      where song_version_id = ${versionId} and coalesce(key_source, 'analysis') = 'analysis'`
}

const TEMPO_FIELDS = [
  'bpm',
  'bpm_to',
  'bpm_source',
  'bpm_confidence',
  'song_key',
  'key_source',
  'key_confidence',
] as const satisfies (keyof VersionTempo)[]

async function writeVersionTempo(sql: Sql, versionId: number, version: VersionTempo): Promise<void> {
  await sql`
    update song_version set bpm = ${version.bpm}, bpm_to = ${version.bpm_to}, bpm_source = ${version.bpm_source},
      bpm_confidence = ${version.bpm_confidence}, song_key = ${version.song_key}, key_source = ${version.key_source},
      key_confidence = ${version.key_confidence}
    where song_version_id = ${versionId}`
}

async function writeSongTempo(sql: Sql, entityId: number, before: SongTempo, song: SongTempo): Promise<void> {
  const { min_bpm, max_bpm, bpm_source, song_key, key_source } = song
  const isSame = (Object.keys(song) as (keyof SongTempo)[]).every((field) => song[field] === before[field])
  if (isSame) return
  const key = parseKey(song_key ?? '')
  await sql`
    update song set min_bpm = ${min_bpm}, max_bpm = ${max_bpm}, bpm_source = ${bpm_source}, song_key = ${key ?? null},
      key_position = ${key ? camelotOrder(key) : null}, key_source = ${key_source}, revision = revision + 1
    where entity_id = ${entityId}`
}
