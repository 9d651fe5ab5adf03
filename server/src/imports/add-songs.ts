import { type AudioFileRecord, insertAudioFile, insertPicture, type StoredPicture } from '../audio/media-repository.ts'
import { type AudioPayload, audioSignature } from '../audio/payload.ts'
import { waveOf } from '../audio/wave.ts'
import { addVersion, countNewSong, findOrAddSong, listSong } from '../catalogue/additions.ts'
import { applyMostConfidentAnalysis, completeSong } from '../catalogue/completion.ts'
import { areGenresStaffs } from '../catalogue/value-sources.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { findGenresByName } from './genre-names.ts'
import { findFreeLabel, type SongEntry } from './song-entry.ts'

/** A file whose bytes are in the store, and the song it is a version of. */
export type ReadySong = {
  entry: SongEntry
  file: AudioFileRecord
  cover: StoredPicture | undefined
  uploaded_name: string
  /** What the tags of the file say. */
  tag: object
}

export type AddSongResult =
  | { kind: 'added'; entity_id: number; isNewSong: boolean; song_version_id: number; version_label: string }
  | { kind: 'known' }
  | { kind: 'same_recording'; version_label: string }
  | { kind: 'withdrawn' }

/** Two imports at once take turns, song by song. */
const IMPORT_LOCK_ID = 727_275

/** Waits until no import places a song, and lets none do so before the transaction ends. */
export const lockCatalogue = (sql: Sql) => sql`select pg_advisory_xact_lock(${IMPORT_LOCK_ID})`

/** Rolls a transaction back and carries its answer out. */
class RollbackError extends Error {
  readonly placed: AddSongResult
  constructor(addResult: AddSongResult) {
    super(addResult.kind)
    this.placed = addResult
  }
}

/**
 * Puts a file into the pool as a version of its song, in one transaction: wholly, or, when it is killed, not at all.
 * `also` is done in the same.
 */
export async function addSongVersion(
  sql: Pool,
  ready: ReadySong,
  deleteOthers?: (sql: Sql, addResult: AddSongResult & { kind: 'added' }) => Promise<void>,
): Promise<AddSongResult> {
  try {
    return await sql.begin(async (transaction) => {
      const addResult = await place(transaction, ready)
      if (addResult.kind === 'added') await deleteOthers?.(transaction, addResult)
      return addResult
    })
  } catch (error) {
    if (error instanceof RollbackError) return error.placed
    throw error
  }
}

async function place(sql: Sql, { entry, file, cover, uploaded_name, tag }: ReadySong): Promise<AddSongResult> {
  await lockCatalogue(sql)
  const fileId = await insertAudioFile(sql, file)
  if (fileId === undefined) throw new RollbackError({ kind: 'known' })
  const song = { ...entry, artwork_id: cover ? await insertPicture(sql, cover) : null }
  const { entity_id, added: recordAdded } = await findOrAddSong(sql, song)
  const others = recordAdded ? [] : await listVersions(sql, entity_id, file.body)
  const version_label = findFreeLabel(entry.version_label, new Set(others.map((version) => version.version_label)))
  if (!recordAdded) await completeSong(sql, entity_id, song)
  const song_version_id = await addVersion(sql, entity_id, {
    label: version_label,
    position: Math.max(-1, ...others.map(({ position }) => position)) + 1,
    file_id: fileId,
    duration_seconds: file.analysis.duration_seconds,
    loudness_lufs: file.analysis.loudness_lufs,
    wave: waveOf(file.analysis.overview),
    uploaded_name,
    tag,
  })
  if (recordAdded) await countNewSong(sql, song.song_section_id ?? 1)
  else await applyMostConfidentAnalysis(sql, entity_id)
  await listSong(
    sql,
    entity_id,
    (await addGenres(sql, { entry, entity_id, added: recordAdded })) ? await findGenresByName(sql, entry.genres) : [],
  )
  return { kind: 'added', entity_id, isNewSong: recordAdded, song_version_id, version_label }
}

type ExistingVersion = { version_label: string; position: number; body: AudioPayload | null }

/** The versions a song has. Refuses a song staff took down, and the same recording under other tags. */
async function listVersions(sql: Sql, entityId: number, body: AudioPayload): Promise<ExistingVersion[]> {
  const [song] = await sql<{ status: string }[]>`select status from song where entity_id = ${entityId}`
  if (song?.status !== 'published') throw new RollbackError({ kind: 'withdrawn' })
  const others = await sql<ExistingVersion[]>`
    select v.version_label, v.position, f.body from song_version v left join file f using (file_id)
    where v.entity_id = ${entityId}`
  const same = others.find((other) => other.body && audioSignature(other.body) === audioSignature(body))
  if (same) throw new RollbackError({ kind: 'same_recording', version_label: same.version_label })
  return others
}

async function addGenres(
  sql: Sql,
  { entry, entity_id, added: recordAdded }: { entry: SongEntry; entity_id: number; added: boolean },
): Promise<boolean> {
  if (recordAdded) return true
  if (await areGenresStaffs(sql, entity_id)) return false
  return entry.genres.length > 0 || !(await songHasGenre(sql, entity_id))
}

async function songHasGenre(sql: Sql, entityId: number): Promise<boolean> {
  const [existingGenre] = await sql`select from song_genre where entity_id = ${entityId} limit 1`
  return existingGenre !== undefined
}
