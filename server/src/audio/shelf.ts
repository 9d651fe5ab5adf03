import type { Sql } from '../platform/db.ts'
import type { Analysis } from './analysis.ts'
import type { AudioBody } from './body.ts'

/** Bytes that lie in the store under their hash, in hex. */
export type StoredBytes = { sha256: string; bytes: number }

export type ShelvedFile = StoredBytes & { analysis: Analysis; body: AudioBody; preview: StoredBytes }

export type StoredPicture = { sha256: string; width: number; height: number }

const bytesOf = (sha256: string) => Buffer.from(sha256, 'hex')

export async function isShelved(sql: Sql, sha256: string): Promise<boolean> {
  const [found] = await sql`select from file where sha256 = ${bytesOf(sha256)}`
  return found !== undefined
}

/** Notes a stored file, what was measured in it and its preview. Undefined when the file is noted already. */
export async function shelveFile(sql: Sql, file: ShelvedFile): Promise<number | undefined> {
  const [added] = await sql<{ file_id: number }[]>`
    insert into file (sha256, bytes, format, body)
    values (${bytesOf(file.sha256)}, ${file.bytes}, ${file.analysis.format}, ${sql.json(file.body as never)})
    on conflict (sha256) do nothing returning file_id`
  if (!added) return undefined
  await addAnalysis(sql, added.file_id, file.analysis)
  await sql`insert into preview (file_id, sha256, bytes)
    values (${added.file_id}, ${bytesOf(file.preview.sha256)}, ${file.preview.bytes})`
  return added.file_id
}

async function addAnalysis(sql: Sql, fileId: number, analysis: Analysis): Promise<void> {
  const { overview, detail, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps } = analysis
  const { bpm, bpm_confidence, bpm_alternatives, song_key, key_confidence } = analysis
  const { loudness_lufs, loudness_range, true_peak_db, faults } = analysis
  await sql`
    insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
      bpm_alternatives, song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db, faults)
    values (${fileId}, ${analyser_version}, ${duration_seconds}, ${sample_rate}, ${channels}, ${bitrate_kbps}, ${bpm},
      ${bpm_confidence}, ${bpm_alternatives}::real[], ${song_key}, ${key_confidence}, ${loudness_lufs}, ${loudness_range},
      ${true_peak_db}, ${sql.json(faults)})`
  await sql`insert into peaks (file_id, overview, detail) values (${fileId}, ${overview}, ${detail})`
}

export async function shelvePicture(sql: Sql, picture: StoredPicture): Promise<number> {
  const sha256 = bytesOf(picture.sha256)
  await sql`insert into artwork (sha256, width, height) values (${sha256}, ${picture.width}, ${picture.height})
    on conflict (sha256) do nothing`
  const [found] = await sql<{ artwork_id: number }[]>`select artwork_id from artwork where sha256 = ${sha256}`
  if (!found) throw new Error('A picture was noted, but the database does not have it.')
  return found.artwork_id
}
