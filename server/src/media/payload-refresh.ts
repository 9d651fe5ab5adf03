import type { AudioFormat } from '../audio-files/faults.ts'
import { PAYLOAD_VERSION, readPayload } from '../audio-files/payload.ts'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../platform/storage.ts'

const BATCH = 100

type Services = { sql: Sql; storage: Pick<Storage, 'onDisk'>; log: Log }
type Outdated = { file_id: number; sha256: string; format: AudioFormat }

/**
 * Reads again the stored files whose payloads follow the rules of an earlier release, until none is left or `signal` is
 * aborted. A file that cannot be read is logged and retried at the next call. Returns the number of updated payloads.
 */
export async function refreshPayloads({ sql, storage, log }: Services, signal?: AbortSignal): Promise<number> {
  let refreshedCount = 0
  for (let after = 0; ; ) {
    const files = await sql<Outdated[]>`
      select file_id, encode(sha256, 'hex') as sha256, format from file
      where body_version < ${PAYLOAD_VERSION} and missing_since is null and file_id > ${after} order by file_id limit ${BATCH}`
    for (const file of files) {
      if (signal?.aborted) return refreshedCount
      try {
        await refreshPayload({ sql, storage }, file)
        refreshedCount++
      } catch (error) {
        log.warn({ err: error, file_id: file.file_id }, 'Could not re-read the tags of a stored file.')
      }
    }
    after = files.at(-1)?.file_id ?? after
    if (files.length < BATCH) break
  }
  if (refreshedCount > 0)
    log.info({ files: refreshedCount }, 'Re-read the tags of stored files using the rules of this release.')
  return refreshedCount
}

async function refreshPayload({ sql, storage }: Omit<Services, 'log'>, { file_id, sha256, format }: Outdated) {
  const stored = await storage.onDisk('audio', sha256)
  try {
    const payload = await readPayload(stored.path, format)
    await sql`
      update file set body = ${sql.json(payload as never)}, body_version = ${PAYLOAD_VERSION}
      where file_id = ${file_id} and body_version < ${PAYLOAD_VERSION}`
  } finally {
    await stored.done()
  }
}
