import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { makeBackup } from '../src/backups/backup.ts'
import { silentProgress } from '../src/backups/progress.ts'
import { openTestPool } from './pool.ts'
import { openQueueFor } from './queue-connections.ts'

/** The secret of the pool in these backups: a manifest contains a hash derived from it. */
export const BACKUP_SECRET = 'x'.repeat(32)

export type TestBackups = Awaited<ReturnType<typeof openTestBackups>>

/** A pool to back up, and a folder for its backups. Close it when the tests of a file have ended. */
export async function openTestBackups() {
  const pool = await openTestPool()
  const jobs = await openQueueFor(pool.ctx.sql)
  const parent = mkdtempSync(path.join(tmpdir(), 'dubplate-backups-'))
  const { signal } = new AbortController()
  let made = 0
  /** A folder next to those of earlier backups, with which the next one shares unchanged files. */
  const nextFolder = () => path.join(parent, `backup-${++made}`)
  return {
    pool,
    jobs,
    parent,
    freshFolder: nextFolder,
    /** A folder with no other backup next to it, so that a test cannot damage another backup. */
    folderAlone: () => path.join(mkdtempSync(path.join(parent, 'alone-')), 'backup'),
    make: (folder = nextFolder()) =>
      makeBackup({ ...pool.ctx, jobs, secret: BACKUP_SECRET }, { folder, progress: silentProgress, signal }),
    async close() {
      await jobs.end()
      await pool.close()
      rmSync(parent, { recursive: true, force: true })
    },
  }
}

/** Changes one byte in the middle of a file. */
export function corruptByte(file: string): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
