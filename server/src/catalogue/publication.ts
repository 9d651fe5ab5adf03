import { camelotOrder, parseKey } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { countNewSong, listSong, type NewSong, type NewVersion, versionKind } from './additions.ts'
import { addToLists, removeFromLists } from './listing.ts'
import { findMergedSong } from './merged-songs.ts'
import { indexSong } from './search-index.ts'
import { refreshTempoAndKey } from './version-values.ts'
import { identityOf } from './words.ts'

/** A song as it should be in the pool, whatever is there now. */
export type Publication = NewSong & {
  min_bpm: number | null
  max_bpm: number | null
  song_key: string | null
  year: number
  song_section_id: number
  genreIds: readonly number[]
  /** The member's uploaded song that is published. */
  upload_song_id: number
}

export type PublishedVersion = {
  song_version_id: number
  label: string
  position: number
  file_id: number
  duration_seconds: number
  loudness_lufs: number
  wave: string
  uploaded_name: string
  preview_start_seconds: number
  /** The tags of its file. */
  tag: object
  tempo: NonNullable<NewVersion['tempo']>
}

/**
 * Adds a song to the pool, or updates the existing one: values, genres, versions. Previously published versions that
 * are left out are unpublished. Part of the caller's transaction. Throws `already_in_catalogue` if another song has
 * this artist and title, or one of these files.
 */
export async function publishSong(
  sql: Sql,
  entityId: number | null,
  song: Publication,
  versions: readonly PublishedVersion[],
): Promise<number> {
  await rejectFilesElsewhere(sql, entityId, versions)
  // Uploaders choose only genres; moods that staff assigned to a song stay.
  const moods = entityId === null ? [] : await moodsOf(sql, entityId)
  const published = entityId === null ? await addSong(sql, song) : await changeSong(sql, entityId, song)
  const tempoBefore = await readTempo(sql, published)
  await writeVersions(sql, { entityId: published, uploadSongId: song.upload_song_id }, versions).catch(rejectTaken)
  await refreshTempoAndKey(sql, published)
  await markChangedTempo(sql, published, tempoBefore)
  await countNewSong(sql, song.song_section_id)
  await listSong(sql, published, [...song.genreIds, ...moods])
  return published
}

type TempoById = Map<number, string>

/** The tempo and key in the tags of each version. */
async function readTempo(sql: Sql, entityId: number): Promise<TempoById> {
  const versions = await sql<{ song_version_id: number; tempo: string }[]>`
    select song_version_id, concat_ws('|', coalesce(bpm::text, ''), song_key) as tempo from song_version
    where entity_id = ${entityId}`
  return new Map(versions.map(({ song_version_id, tempo }) => [song_version_id, tempo]))
}

async function markChangedTempo(sql: Sql, entityId: number, before: TempoById): Promise<void> {
  const after = await readTempo(sql, entityId)
  if ([...before].every(([id, tempo]) => after.get(id) === tempo)) return
  await sql`update song set tags_changed_at = now() where entity_id = ${entityId}`
}

async function moodsOf(sql: Sql, entityId: number): Promise<number[]> {
  const moods = await sql<{ genre_id: number }[]>`
    select genre_id from song_genre join genre using (genre_id) where entity_id = ${entityId} and kind = 'mood'`
  return moods.map(({ genre_id }) => genre_id)
}

async function rejectFilesElsewhere(sql: Sql, entityId: number | null, versions: readonly PublishedVersion[]) {
  const [used] = await sql<{ title: string; artist: string; version_label: string }[]>`
    select s.title, s.artist, v.version_label from song_version v join song s using (entity_id)
    where v.file_id = any(${versions.map(({ file_id }) => file_id)}::bigint[]) and v.status <> 'unpublished'
      and s.entity_id is distinct from ${entityId} limit 1`
  if (!used) return
  const { title, artist, version_label } = used
  throw new ApiError(
    'already_in_catalogue',
    `This file is already in the catalogue: ${artist} – ${title} (${version_label}).`,
  )
}

/** Another song has taken the file at the same moment. */
function rejectTaken(error: unknown): never {
  if ((error as { constraint_name?: string }).constraint_name !== 'song_version_file') throw error
  throw new ApiError('already_in_catalogue', 'One of these files was just published in another song.')
}

const sameIdentity = ({ artist, title }: NewSong) =>
  new ApiError(
    'already_in_catalogue',
    `“${title}” by ${artist} already exists in this section. Make the title unique or choose the other section.`,
  )

async function addSong(sql: Sql, song: Publication): Promise<number> {
  if (await findMergedSong(sql, song.song_section_id, identityOf(song))) throw sameIdentity(song)
  const key = parseKey(song.song_key ?? '')
  const [added] = await sql<{ entity_id: number }[]>`
    insert into song (title, artist, min_bpm, max_bpm, bpm_source, song_key, key_position, key_source, year, song_section_id,
      artwork_id, song_identity, origins)
    values (${song.title}, ${song.artist}, ${song.min_bpm}, ${song.max_bpm}, ${song.bpm_source ?? null}, ${key ?? null},
      ${key ? camelotOrder(key) : null}, ${song.key_source ?? null}, ${song.year}, ${song.song_section_id},
      ${song.artwork_id ?? null}, ${identityOf(song)}, ${sql.json(song.origins ?? {})})
    on conflict (song_section_id, song_identity) do nothing returning entity_id`
  if (!added) throw sameIdentity(song)
  return added.entity_id
}

async function changeSong(sql: Sql, entityId: number, song: Publication): Promise<number> {
  const key = parseKey(song.song_key ?? '')
  const [existing] = await sql<{ remixer: string; is_own_cover: boolean }[]>`
    select remixer, origins ->> 'artwork' is not distinct from 'staff' as is_own_cover from song
    where entity_id = ${entityId} for update`
  const identity = identityOf({ ...song, remixer: existing?.remixer ?? '' })
  const { artwork, ...origins } = song.origins ?? {}
  const cover = existing?.is_own_cover ? {} : { ...(artwork ? { artwork } : {}) }
  const [other] = await sql`
    select 1 from song where song_section_id = ${song.song_section_id} and song_identity = ${identity} and entity_id <> ${entityId}`
  if (other) throw sameIdentity(song)
  await removeFromLists(sql, entityId)
  await sql`delete from song_genre where entity_id = ${entityId}`
  await sql`
    update song s set title = ${song.title}, artist = ${song.artist}, min_bpm = ${song.min_bpm}, max_bpm = ${song.max_bpm},
      bpm_source = ${song.bpm_source ?? null}, song_key = ${key ?? null}, key_position = ${key ? camelotOrder(key) : null},
      key_source = ${song.key_source ?? null}, year = ${song.year}, song_section_id = ${song.song_section_id},
      artwork_id = coalesce(${existing?.is_own_cover ? null : (song.artwork_id ?? null)}::bigint, artwork_id),
      song_identity = ${identity}, status = 'published', unpublished_at = null, revision = revision + 1,
      origins = origins || ${sql.json({ ...origins, ...cover })},
      tags_changed_at = case when (title, artist, year) is distinct from (${song.title}, ${song.artist}, ${song.year}::smallint)
        then now() else tags_changed_at end
    where entity_id = ${entityId}`
  return entityId
}

async function writeVersions(
  sql: Sql,
  { entityId, uploadSongId }: { entityId: number; uploadSongId: number },
  versions: readonly PublishedVersion[],
): Promise<void> {
  // All of them are unpublished first, because two versions may have swapped files. Versions of a song it was merged
  // with are not its own.
  await sql`
    update song_version set status = 'unpublished', unpublished_at = coalesce(unpublished_at, now())
    where entity_id = ${entityId} and upload_song_id = ${uploadSongId}`
  for (const version of versions) {
    const kindId = await versionKind(sql, version.label, { offered: false })
    await sql`
      insert into song_version (song_version_id, entity_id, version_kind_id, version_label, position, file_id, duration_seconds,
        loudness_lufs, wave, uploaded_name, preview_start_seconds, tag, upload_song_id, bpm, bpm_to, bpm_source, song_key,
        key_source)
      values (${version.song_version_id}, ${entityId}, ${kindId}, ${version.label}, ${version.position}, ${version.file_id},
        ${version.duration_seconds}, ${version.loudness_lufs}, ${version.wave}, ${version.uploaded_name},
        ${version.preview_start_seconds}, ${sql.json(version.tag as never)}, ${uploadSongId}, ${version.tempo.bpm},
        ${version.tempo.bpm_to}, ${version.tempo.bpm_source}, ${version.tempo.song_key}, ${version.tempo.key_source})
      on conflict (song_version_id) do update set version_kind_id = excluded.version_kind_id, position = excluded.position,
        version_label = excluded.version_label, file_id = excluded.file_id, duration_seconds = excluded.duration_seconds,
        loudness_lufs = excluded.loudness_lufs, wave = excluded.wave, uploaded_name = excluded.uploaded_name,
        preview_start_seconds = excluded.preview_start_seconds, tag = excluded.tag, upload_song_id = excluded.upload_song_id, status = 'published', unpublished_at = null,
        bpm = excluded.bpm, bpm_to = excluded.bpm_to, bpm_source = excluded.bpm_source, song_key = excluded.song_key,
        key_source = excluded.key_source`
  }
}

/**
 * Unpublishes a song; records that refer to it (downloads, charts, crates) stay. Returns whether it was published. Part
 * of the caller's transaction.
 */
export async function unpublishSong(sql: Sql, entityId: number): Promise<boolean> {
  await removeFromLists(sql, entityId)
  const unpublished = await sql`
    update song set status = 'unpublished', unpublished_at = now(), revision = revision + 1
    where entity_id = ${entityId} and status = 'published' returning 1`
  await indexSong(sql, entityId)
  return unpublished.length > 0
}

/** Releases the name and the files of a song that stays unpublished, so that they can be added again. */
async function detachSong(sql: Sql, entityId: number): Promise<void> {
  await sql`
    update song set song_identity = song_identity || '|' || entity_id, revision = revision + 1 where entity_id = ${entityId}`
  await sql`
    update song_version set status = 'unpublished', unpublished_at = coalesce(unpublished_at, now())
    where entity_id = ${entityId} and status <> 'unpublished'`
}

/**
 * Publishes an unpublished song again as it was. Returns whether it was unpublished. Part of the caller's transaction.
 */
export async function relistSong(sql: Sql, entityId: number): Promise<boolean> {
  const [song] = await sql`
    update song set status = 'published', unpublished_at = null, revision = revision + 1
    where entity_id = ${entityId} and status = 'unpublished' returning 1`
  if (!song) return false
  await addToLists(sql, entityId)
  await indexSong(sql, entityId)
  return true
}

/** Whether a song in the pool has versions that are not from this member's song. */
async function isShared(sql: Sql, entityId: number, uploadSongId: number): Promise<boolean> {
  const [other] = await sql`
    select 1 from song_version where entity_id = ${entityId} and upload_song_id is distinct from ${uploadSongId} limit 1`
  return other !== undefined
}

type UploadedSong = { entityId: number; uploadSongId: number; at: Date }

/**
 * Unpublishes a member's song: the whole song, or only its versions if it was merged with others. Returns whether it
 * was published. Part of the caller's transaction.
 */
export async function unpublishUploaded(sql: Sql, { entityId, uploadSongId, at }: UploadedSong): Promise<boolean> {
  if (!(await isShared(sql, entityId, uploadSongId))) return unpublishSong(sql, entityId)
  const gone = await sql`
    update song_version set status = 'unpublished', unpublished_at = ${at}
    where entity_id = ${entityId} and upload_song_id = ${uploadSongId} and status = 'published' returning 1`
  if (!(await hasVersions(sql, entityId))) return unpublishSong(sql, entityId)
  await sql`update song set revision = revision + 1 where entity_id = ${entityId}`
  await refreshTempoAndKey(sql, entityId)
  await indexSong(sql, entityId)
  return gone.length > 0
}

/** Restores what `unpublishUploaded` removed at that time. */
export async function relistUploaded(sql: Sql, { entityId, uploadSongId, at }: UploadedSong): Promise<void> {
  if (!(await isShared(sql, entityId, uploadSongId))) {
    await relistSong(sql, entityId)
    return
  }
  const wasEmpty = !(await hasVersions(sql, entityId))
  await sql`
    update song_version set status = 'published', unpublished_at = null
    where entity_id = ${entityId} and upload_song_id = ${uploadSongId} and status = 'unpublished' and unpublished_at = ${at}`
  await sql`update song set revision = revision + 1 where entity_id = ${entityId}`
  await refreshTempoAndKey(sql, entityId)
  if (!wasEmpty || !(await relistSong(sql, entityId))) await indexSong(sql, entityId)
}

/**
 * Releases the name and the files of a member's song that stays unpublished; a song it was merged with keeps its own.
 */
export async function detachUploaded(sql: Sql, { entityId, uploadSongId }: Omit<UploadedSong, 'at'>): Promise<void> {
  if (!(await isShared(sql, entityId, uploadSongId))) await detachSong(sql, entityId)
}

async function hasVersions(sql: Sql, entityId: number): Promise<boolean> {
  const [version] = await sql`select 1 from song_version where entity_id = ${entityId} and status = 'published' limit 1`
  return version !== undefined
}
