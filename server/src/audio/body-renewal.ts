import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { Storage } from '../platform/storage.ts'
import type { AudioFormat } from './analysis.ts'
import { BODY_VERSION, readBody } from './body.ts'

const BATCH = 100

type Services = { sql: Sql; storage: Pick<Storage, 'onDisk'>; log: Log }
type Outdated = { file_id: number; sha256: string; format: AudioFormat }

/**
 * Reads the stored files again whose bodies follow the rules of an earlier release, until none is left or `signal` is
 * aborted. A file that cannot be read is logged and tried again at the next call. Returns the number of renewed bodies.
 */
export async function renewBodies({ sql, storage, log }: Services, signal?: AbortSignal): Promise<number> {
  let renewed = 0
  for (let after = 0; ; ) {
    const files = await sql<Outdated[]>`
      select file_id, encode(sha256, 'hex') as sha256, format from file
      where body_version < ${BODY_VERSION} and missing_since is null and file_id > ${after} order by file_id limit ${BATCH}`
    for (const file of files) {
      if (signal?.aborted) return renewed
      try {
        await renewBody({ sql, storage }, file)
        renewed++
      } catch (error) {
        log.warn({ err: error, file_id: file.file_id }, 'Could not read the tags of a stored file again.')
      }
    }
    after = files.at(-1)?.file_id ?? after
    if (files.length < BATCH) break
  }
  if (renewed > 0) log.info({ files: renewed }, 'Read the tags of stored files again, by the rules of this release.')
  return renewed
}

async function renewBody({ sql, storage }: Omit<Services, 'log'>, { file_id, sha256, format }: Outdated) {
  const stored = await storage.onDisk('audio', sha256)
  try {
    const body = await readBody(stored.path, format)
    await sql`
      update file set body = ${sql.json(body as never)}, body_version = ${BODY_VERSION}
      where file_id = ${file_id} and body_version < ${BODY_VERSION}`
  } finally {
    await stored.done()
  }
}
