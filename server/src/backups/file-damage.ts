import { createHash } from 'node:crypto'
import { recordContent } from '../media/originals.ts'
import { clearDamagedFile, type DamageKind, listDamagedFiles, recordDamagedFile } from '../platform/damaged-files.ts'
import type { Pool } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { NotStoredError, type Storage } from '../platform/storage.ts'
import { isReferenced, type ReferencedFile, readReferenced } from './referenced-files.ts'

type ExaminedFile = Pick<ReferencedFile, 'kind' | 'sha256' | 'ending' | 'bytes'>

/** Reads a stored file and returns its damage; undefined when it is intact. Throws while the store is unavailable. */
export async function examineFile(
  storage: Pick<Storage, 'pieces'>,
  { kind, sha256, ending, bytes }: ExaminedFile,
  onBytes: (bytes: number) => void = () => {},
): Promise<DamageKind | undefined> {
  const hash = createHash('sha256')
  let seen = 0
  try {
    for await (const chunk of storage.pieces(kind, sha256, { ending })) {
      hash.update(chunk)
      seen += chunk.length
      onBytes(chunk.length)
    }
  } catch (error) {
    if (error instanceof NotStoredError) return 'missing'
    throw error
  }
  if (hash.digest('hex') === sha256) return undefined
  return seen === 0 || (bytes !== null && seen < bytes) ? 'truncated' : 'altered'
}

type Deps = { sql: Pool; storage: Storage; log: Log }

/** Records the damage of a file, so that staff see it; removes the record of an intact file. */
export async function recordDamage({ sql, storage, log }: Deps, file: ExaminedFile, damage: DamageKind | undefined) {
  const { kind, sha256, ending } = file
  if (kind === 'audio') await recordContent({ sql, storage, log, now: () => new Date() }, sha256, damage)
  if (damage === undefined) {
    if (await clearDamagedFile(sql, sha256, { kind, ending }))
      log.info({ kind, sha256 }, 'A damaged file is intact again.')
    return
  }
  // It may have been removed since it was listed.
  if (damage === 'missing' && !(await isReferenced(sql, file))) return
  if (await recordDamagedFile(sql, sha256, damage, { kind, ending }))
    log.error({ kind, sha256, damage }, 'A stored file is damaged. Run `pool repair --from FOLDER` to restore it.')
}

const MAX_RECHECKED = 500

/**
 * Checks the files known to be damaged again and removes the records of those that are intact or no longer referenced.
 */
export async function recheckDamaged({ sql, storage, log }: Deps, signal?: AbortSignal): Promise<void> {
  for (const { stored_as: kind, sha256, ending } of await listDamagedFiles(sql, MAX_RECHECKED)) {
    signal?.throwIfAborted()
    const [file] = await readReferenced(sql, kind, { from: sha256, to: `${sha256}~` })
    if (!file || file.ending !== ending) await clearDamagedFile(sql, sha256, { kind, ending })
    else await recordDamage({ sql, storage, log }, file, await examineFile(storage, file))
  }
}
