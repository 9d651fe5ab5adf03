import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { align } from '../analysis/alignment.ts'
import { CODE_RATE, keysOf, packCodes, unpackCodes } from '../analysis/fingerprint.ts'
import type { Sql } from '../platform/db.ts'

const deflate = promisify(deflateRaw)

export type SameRecording = {
  file_id: number
  /** Share of equal bits where both have sound, {@link MIN_SIMILARITY} to 1. */
  similarity: number
  /** By how many seconds the same sound comes later in the file that was found; negative when earlier. */
  offset_seconds: number
}

/**
 * Measured: copies in other formats, louder, equalised or cut share 0.86 of their bits or more; different songs of the
 * same genre, tempo, key and synthesiser at most 0.66, any others at most 0.69. See
 * docs/decisions/0011-the-same-recording.md.
 */
export const MIN_SIMILARITY = 0.75

/**
 * A key that more files share is common (a bare kick, one sustained tone): it identifies nothing, and costs as much as
 * all others.
 */
const MAX_FILES_PER_KEY = 64
/** How many files, those with the most keys in common, are compared code by code. */
const MAX_CANDIDATES = 20
const MAX_MATCHES = 10

const round = (value: number, digits: number) => Number(value.toFixed(digits))

async function findCandidates(sql: Sql, fingerprint: Int32Array) {
  return sql<{ file_id: number; codes: Buffer }[]>`
    with found as (
      select key, array(select file_id from fingerprint where keys && array[key] limit ${MAX_FILES_PER_KEY + 1}) as files
      from unnest(${keysOf(fingerprint)}::int[]) as key),
    candidate as (
      select file_id from found, unnest(files) as file_id
      where cardinality(files) <= ${MAX_FILES_PER_KEY}
      group by file_id order by count(*) desc, file_id limit ${MAX_CANDIDATES})
    select file_id, codes from candidate join fingerprint using (file_id)`
}

/**
 * Returns the files with the same recording, most similar first, at most ten. Includes the file itself if it is in the
 * pool.
 */
export async function findSameRecordings(sql: Sql, fingerprint: Int32Array): Promise<SameRecording[]> {
  if (fingerprint.length === 0) return []
  const found: SameRecording[] = []
  for (const { file_id, codes } of await findCandidates(sql, fingerprint)) {
    const alignment = align(fingerprint, unpackCodes(codes))
    if (!alignment || alignment.similarity < MIN_SIMILARITY) continue
    const { similarity, offset } = alignment
    found.push({ file_id, similarity: round(similarity, 3), offset_seconds: round(offset / CODE_RATE, 1) })
  }
  return found.sort((a, b) => b.similarity - a.similarity || a.file_id - b.file_id).slice(0, MAX_MATCHES)
}

/** Stores a file's fingerprint and its levels, replacing the previous ones. Silence has none. */
export async function saveFingerprint(
  sql: Sql,
  fileId: number,
  fingerprint: Int32Array,
  levels: Uint8Array = new Uint8Array(0),
): Promise<void> {
  if (fingerprint.length === 0) return
  const deflated = levels.length === 0 ? null : await deflate(levels)
  await sql`
    insert into fingerprint (file_id, codes, keys, levels)
    values (${fileId}, ${packCodes(fingerprint)}, ${keysOf(fingerprint)}::int[], ${deflated})
    on conflict (file_id) do update set codes = excluded.codes, keys = excluded.keys, levels = excluded.levels`
}
