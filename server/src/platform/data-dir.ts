import { chmodSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

const OWNER_ONLY = 0o700
/** Others may pass through, and list nothing. */
const OWNER_AND_TRAVERSE = 0o711

/**
 * Keeps other accounts of this machine out of DATA_DIR. Root's embedded database runs as an account of its own, which has
 * to reach its folder in there. Only takes permissions away, and leaves a folder of another owner as it is.
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
    // Whoever needs the folder says in words that it cannot be used; a process with a bucket may not need it.
    return
  }
  const { uid, mode } = statSync(folder)
  if (uid !== process.getuid?.()) return
  if ((mode & 0o777 & ~allowed) !== 0) chmodSync(folder, mode & allowed)
}
