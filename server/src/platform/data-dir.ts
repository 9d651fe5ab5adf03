import { chmodSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Config } from './config.ts'

const OWNER_ONLY = 0o700
/** The front server's account, a member of the group, reads the files it sends. */
const OWNER_AND_GROUP = 0o750
/** Other accounts may pass through the folder but not list it. */
const TRAVERSE = 0o011

/**
 * Keeps other accounts of this machine out of DATA_DIR. Root's embedded database runs under a separate account, which
 * has to reach its folder in there. With SENDFILE, the group may read, as far as the operator allows it. Only removes
 * permissions, and does not change a folder that belongs to another owner.
 */
export function secureDataDir({
  dataDir,
  databaseUrl,
  bucket,
  sendfile,
}: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket' | 'sendfile'>) {
  const needsTraversal = process.getuid?.() === 0 && databaseUrl === undefined
  const readers = sendfile === 'off' ? OWNER_ONLY : OWNER_AND_GROUP
  restrictPermissions(dataDir, needsTraversal ? readers | TRAVERSE : readers)
  if (bucket === undefined) restrictPermissions(path.join(dataDir, 'media'), readers)
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
