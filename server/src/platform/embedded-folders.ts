import { spawnSync } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The account that runs the embedded database, and its folders. */

export type SystemAccount = { uid?: number; gid?: number }

/**
 * Returns the account for the server: PostgreSQL refuses to run as root, so root starts it as `postgres` or `nobody`.
 */
export function unprivilegedAccount(): SystemAccount {
  if (process.getuid?.() !== 0) return {}
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!found) throw new Error('PostgreSQL can’t run as root, and there is no user "postgres" or "nobody" to run it as.')
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/**
 * Returns the folder of the socket. A socket's path is limited to 107 bytes; with a long data path it is in the
 * system's temporary folder.
 */
export function socketFolder(home: string): string {
  const temporaryFile = path.join(home, 'run')
  if (Buffer.byteLength(temporaryFile) <= 80) return temporaryFile
  const short = Buffer.from(home).reduce((hash, byte) => (Math.imul(hash, 31) + byte) >>> 0, 7)
  return path.join(tmpdir(), `dubplate-${short.toString(36)}`)
}

/** Creates a folder of the database's account, unless it exists: another process may start at the same moment. */
export function claimFolder(folder: string, account: SystemAccount): void {
  mkdirSync(path.dirname(folder), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
}

/**
 * Throws if the folder is a link or belongs to another account: in a folder that everyone can write to, someone else
 * may have created it.
 */
export function rejectForeign(folder: string, account: SystemAccount): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(folder)
  const owners = [process.getuid?.() ?? found.uid, account.uid]
  if (found.isDirectory() && owners.includes(found.uid)) return
  throw new Error(
    `${folder} is not a database folder created by Dubplate. Remove it or set DATA_DIR to another folder.`,
  )
}

/** Throws an error with a sentence if the database's account cannot reach its folder. */
export function makeTraversable(home: string, account: SystemAccount): void {
  if (account.uid === undefined) return
  const listing = spawnSync('ls', [home], { ...account, cwd: '/' })
  if (listing.status !== 0) {
    throw new Error(`The database user can’t access ${home}. Set DATA_DIR to a folder that other users can enter.`)
  }
}
