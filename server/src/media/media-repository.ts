import type { Analysis } from '../analysis/analysis.ts'
import { type AudioPayload, PAYLOAD_VERSION } from '../audio-files/payload.ts'
import type { Sql } from '../platform/db.ts'
import { saveBeatGrid } from './beat-grids.ts'
import { saveFingerprint } from './duplicates.ts'
import { saveSpectrum } from './spectra.ts'
import { removeComparisons } from './version-comparisons.ts'

/** Bytes that are stored under their SHA-256, in hex. */
type StoredBytes = { sha256: string; bytes: number }

export type AudioFileRecord = StoredBytes & { analysis: Analysis; body: AudioPayload; preview: StoredBytes }

export type StoredPicture = { sha256: string; width: number; height: number }

const bytesOf = (sha256: string) => Buffer.from(sha256, 'hex')

/**
 * Locks content with this hash until the end of the transaction, so that only one transaction at a time inserts or
 * deletes its record. Lock a file before its preview.
 */
export const lockContent = (sql: Sql, sha256: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${sha256}, 727276))`

export async function isFileStored(sql: Sql, sha256: string): Promise<boolean> {
  const [found] = await sql`select from file where sha256 = ${bytesOf(sha256)}`
  return found !== undefined
}

/** Inserts a stored file with its analysis and its preview. Returns undefined when the file is already recorded. */
export async function insertAudioFile(sql: Sql, file: AudioFileRecord): Promise<number | undefined> {
  const [added] = await sql<{ file_id: number }[]>`
    insert into file (sha256, bytes, format, body, body_version)
    values (${bytesOf(file.sha256)}, ${file.bytes}, ${file.analysis.format}, ${sql.json(file.body as never)}, ${PAYLOAD_VERSION})
    on conflict (sha256) do nothing returning file_id`
  if (!added) return undefined
  await addAnalysis(sql, added.file_id, file.analysis)
  await sql`insert into preview (file_id, sha256, bytes)
    values (${added.file_id}, ${bytesOf(file.preview.sha256)}, ${file.preview.bytes})`
  return added.file_id
}

async function addAnalysis(sql: Sql, fileId: number, analysis: Analysis): Promise<void> {
  const { overview, detail, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bit_depth } =
    analysis
  const { bpm, bpm_confidence, bpm_alternatives, song_key, key_confidence } = analysis
  const { loudness_lufs, loudness_range, true_peak_db, faults } = analysis
  await sql`
    insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bit_depth, bpm,
      bpm_confidence, bpm_alternatives, song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db, faults)
    values (${fileId}, ${analyser_version}, ${duration_seconds}, ${sample_rate}, ${channels}, ${bitrate_kbps}, ${bit_depth},
      ${bpm}, ${bpm_confidence}, ${bpm_alternatives}::real[], ${song_key}, ${key_confidence}, ${loudness_lufs}, ${loudness_range},
      ${true_peak_db}, ${sql.json(faults)})`
  await sql`insert into peaks (file_id, overview, detail) values (${fileId}, ${overview}, ${detail})`
  await saveBeatGrid(sql, fileId, analysis)
  await saveSpectrum(sql, fileId, analysis.spectrum)
  await saveFingerprint(sql, fileId, analysis.fingerprint, analysis.level_print)
}

/** Replaces a file's analysis and its preview. Returns the SHA-256 of the previous preview if the new one differs. */
export async function replaceAnalysis(
  sql: Sql,
  fileId: number,
  { analysis, preview }: Pick<AudioFileRecord, 'analysis' | 'preview'>,
): Promise<string | undefined> {
  await sql`delete from analysis where file_id = ${fileId}`
  await sql`delete from peaks where file_id = ${fileId}`
  await sql`delete from beat_grid where file_id = ${fileId}`
  await sql`delete from spectrum where file_id = ${fileId}`
  await removeComparisons(sql, fileId)
  await addAnalysis(sql, fileId, analysis)
  const [previous] = await sql<{ sha256: string }[]>`
    select encode(sha256, 'hex') as sha256 from preview where file_id = ${fileId} for update`
  await sql`
    insert into preview (file_id, sha256, bytes) values (${fileId}, ${bytesOf(preview.sha256)}, ${preview.bytes})
    on conflict (file_id) do update set sha256 = excluded.sha256, bytes = excluded.bytes`
  return previous?.sha256 === preview.sha256 ? undefined : previous?.sha256
}

export async function insertPicture(sql: Sql, picture: StoredPicture): Promise<number> {
  const sha256 = bytesOf(picture.sha256)
  await sql`insert into artwork (sha256, width, height) values (${sha256}, ${picture.width}, ${picture.height})
    on conflict (sha256) do nothing`
  const [found] = await sql<{ artwork_id: number }[]>`select artwork_id from artwork where sha256 = ${sha256}`
  if (!found) throw new Error('Picture record not found after insert')
  return found.artwork_id
}

/** Deletes the record of a file that nothing refers to any more, with its analysis. */
export const deleteFileRecord = (sql: Sql, fileId: number) => sql`delete from file where file_id = ${fileId}`
