import { chmodSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

const OWNER_ONLY = 0o700
/** Other accounts may pass through the folder but not list it. */
const OWNER_AND_TRAVERSE = 0o711

/**
 * Keeps other accounts of this machine out of DATA_DIR. Root's embedded database runs under a separate account, which
 * has to reach its folder in there. Only removes permissions, and does not change a folder that belongs to another
 * owner.
 */
export function secureDataDir({ dataDir, databaseUrl, bucket }: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>) {
  const needsTraversal = process.getuid?.() === 0 && databaseUrl === undefined
  restrictPermissions(dataDir, needsTraversal ? OWNER_AND_TRAVERSE : OWNER_ONLY)
  if (bucket === undefined) restrictPermissions(path.join(dataDir, 'media'), OWNER_ONLY)
}

function restrictPermissions(folder: string, allowed: number): void {
  try {
    mkdirSync(folder, { recursive: true })
  } catch {
    // The code that uses the folder reports that it is not usable; a process with a bucket may not need it.
    return
  }
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.()) return
  if ((mode & 0o777 & ~allowed) !== 0) chmodSync(folder, mode & allowed)
}
