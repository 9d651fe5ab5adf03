import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { BackupError } from './backup-error.ts'
import { readManifest } from './manifest.ts'
import { syncFile } from './table-dump.ts'

export const UNFINISHED_MARK = '.unfinished-'
/** A folder not touched for this long belongs to a backup that was killed. */
const ABANDONED_MS = 60 * 60_000
const TOUCH_EVERY_MS = 60_000

/**
 * A backup in progress, in a folder beside its final path with another name, so that a partial backup is never taken
 * for a complete one.
 */
export type BackupFolder = {
  unfinished: string
  /** Marks the backup as still running. */
  touch(): Promise<void>
  finish(): Promise<void>
  abandon(): Promise<void>
}

/** Throws BackupError if the folder cannot become a backup. Removes what killed backups left beside it. */
export async function createBackupFolder(folder: string): Promise<BackupFolder> {
  await rejectTaken(folder)
  const parent = path.dirname(folder)
  await mkdir(parent, { recursive: true }).catch((error: Error) => {
    throw new BackupError(`Could not create ${parent}: ${error.message}.`)
  })
  await removeAbandoned(parent)
  const unfinished = `${folder}${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`
  await mkdir(unfinished, { mode: 0o700 }).catch((error: Error) => {
    throw new BackupError(`Could not write to ${parent}: ${error.message}.`)
  })
  let touched = Date.now()
  return {
    unfinished,
    touch: async () => {
      if (Date.now() - touched < TOUCH_EVERY_MS) return
      touched = Date.now()
      await utimes(unfinished, new Date(), new Date())
    },
    finish: async () => {
      await syncFile(unfinished)
      // A rename replaces an empty folder, but no other folder.
      await rename(unfinished, folder).catch(async (error) => {
        await rejectTaken(folder)
        throw error
      })
      await syncFile(parent)
    },
    abandon: () => rm(unfinished, { recursive: true, force: true }),
  }
}

async function rejectTaken(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new BackupError(
      error.code === 'ENOTDIR' ? `${folder} is a file, not a folder.` : `Could not read ${folder}: ${error.message}.`,
    )
  })
  if (names.length === 0) return
  throw new BackupError(`${folder} is not empty. Use a new folder for each backup.`)
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.includes(UNFINISHED_MARK)) continue
    const leftoverPath = path.join(parent, name)
    const { mtimeMs } = await stat(leftoverPath).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(leftoverPath, { recursive: true, force: true })
  }
}

/**
 * Returns the newest backup in the same parent folder that is not known to be damaged; undefined when there is none.
 */
export async function findPreviousBackup(folder: string, damaged: ReadonlySet<string>): Promise<string | undefined> {
  const parent = path.dirname(folder)
  const found: { folder: string; taken_at: string }[] = []
  for (const name of await readdir(parent)) {
    if (name.includes(UNFINISHED_MARK)) continue
    const siblingPath = path.join(parent, name)
    const manifest = await readManifest(siblingPath).catch(() => undefined)
    if (manifest && !damaged.has(siblingPath)) found.push({ folder: siblingPath, taken_at: manifest.taken_at })
  }
  return found.sort((a, b) => (a.taken_at < b.taken_at ? 1 : -1))[0]?.folder
}
