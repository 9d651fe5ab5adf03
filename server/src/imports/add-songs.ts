import { waveOf } from '../analysis/wave.ts'
import { type AudioPayload, audioSignature } from '../audio-files/payload.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../catalogue/additions.ts'
import { completeSong } from '../catalogue/completion.ts'
import { areGenresStaffs } from '../catalogue/value-sources.ts'
import { refreshTempoAndKey } from '../catalogue/version-values.ts'
import { type AudioFileRecord, insertAudioFile, insertPicture, type StoredPicture } from '../media/media-repository.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { findGenresByName } from './genre-names.ts'
import { findSameAudio } from './same-audio.ts'
import { findFreeLabel, type SongEntry, versionTempoOf } from './song-entry.ts'

/** A stored file, and the song it is a version of. */
export type ReadySong = {
  entry: SongEntry
  file: AudioFileRecord
  cover: StoredPicture | undefined
  uploaded_name: string
  /** The file's tags. */
  tag: object
}

export type AddSongResult =
  | { kind: 'added'; entity_id: number; isNewSong: boolean; song_version_id: number; version_label: string }
  | { kind: 'known' }
  | { kind: 'same_recording'; song_version_id: number; version_label: string }
  | { kind: 'unpublished' }

/** Serialises simultaneous imports, song by song. */
const IMPORT_LOCK_ID = 727_275

/** Waits until no import is adding a song, and blocks others until the end of the transaction. */
export const lockCatalogue = (sql: Sql) => sql`select pg_advisory_xact_lock(${IMPORT_LOCK_ID})`

/** Rolls a transaction back and carries its result. */
class RollbackError extends Error {
  readonly result: AddSongResult
  constructor(addResult: AddSongResult) {
    super(addResult.kind)
    this.result = addResult
  }
}

/**
 * Adds a file to the pool as a version of its song, in one transaction: completely or not at all. `afterAdding` runs in
 * the same transaction.
 */
export async function addSongVersion(
  sql: Pool,
  ready: ReadySong,
  afterAdding?: (sql: Sql, addResult: AddSongResult & { kind: 'added' }) => Promise<void>,
): Promise<AddSongResult> {
  try {
    return await sql.begin(async (transaction) => {
      const addResult = await place(transaction, ready)
      if (addResult.kind === 'added') await afterAdding?.(transaction, addResult)
      return addResult
    })
  } catch (error) {
    if (error instanceof RollbackError) return error.result
    throw error
  }
}

async function place(sql: Sql, ready: ReadySong): Promise<AddSongResult> {
  const { entry, file, cover, uploaded_name, tag } = ready
  await lockCatalogue(sql)
  const fileId = await insertAudioFile(sql, file)
  if (fileId === undefined) throw new RollbackError({ kind: 'known' })
  const same = await findSameAudio(sql, ready)
  if (same) throw new RollbackError({ kind: 'same_recording', ...same })
  const song = { ...entry, artwork_id: cover ? await insertPicture(sql, cover) : null }
  const { entity_id, added: isNewSong } = await findOrAddSong(sql, song)
  const others = isNewSong ? [] : await listVersions(sql, entity_id, file.body)
  const version_label = findFreeLabel(entry.version_label, new Set(others.map((version) => version.version_label)))
  if (!isNewSong) await completeSong(sql, entity_id, song)
  const song_version_id = await addVersion(sql, entity_id, {
    label: version_label,
    position: Math.max(-1, ...others.map(({ position }) => position)) + 1,
    file_id: fileId,
    duration_seconds: file.analysis.duration_seconds,
    loudness_lufs: file.analysis.loudness_lufs,
    wave: waveOf(file.analysis.overview),
    uploaded_name,
    tag,
    tempo: versionTempoOf(entry),
  })
  if (isNewSong) await countNewSong(sql, song.song_section_id ?? 1)
  await refreshTempoAndKey(sql, entity_id)
  await listSong(
    sql,
    entity_id,
    (await addGenres(sql, { entry, entity_id, isNewSong })) ? await findGenresByName(sql, entry.genres) : [],
  )
  return { kind: 'added', entity_id, isNewSong, song_version_id, version_label }
}

type ExistingVersion = { song_version_id: number; version_label: string; position: number; body: AudioPayload | null }

/**
 * Returns the versions of a song. Rolls back for an unpublished song, and for the same recording with different tags.
 */
async function listVersions(sql: Sql, entityId: number, body: AudioPayload): Promise<ExistingVersion[]> {
  const [song] = await sql<{ status: string }[]>`select status from song where entity_id = ${entityId}`
  if (song?.status !== 'published') throw new RollbackError({ kind: 'unpublished' })
  const others = await sql<ExistingVersion[]>`
    select v.song_version_id, v.version_label, v.position, f.body from song_version v left join file f using (file_id)
    where v.entity_id = ${entityId}`
  const same = others.find((other) => other.body && audioSignature(other.body) === audioSignature(body))
  if (same) {
    const { song_version_id, version_label } = same
    throw new RollbackError({ kind: 'same_recording', song_version_id, version_label })
  }
  return others
}

async function addGenres(
  sql: Sql,
  { entry, entity_id, isNewSong }: { entry: SongEntry; entity_id: number; isNewSong: boolean },
): Promise<boolean> {
  if (isNewSong) return true
  if (await areGenresStaffs(sql, entity_id)) return false
  return entry.genres.length > 0 || !(await songHasGenre(sql, entity_id))
}

async function songHasGenre(sql: Sql, entityId: number): Promise<boolean> {
  const [existingGenre] = await sql`select from song_genre where entity_id = ${entityId} limit 1`
  return existingGenre !== undefined
}
