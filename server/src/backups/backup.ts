import { createHash, createHmac, randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Pool } from '../platform/db.ts'
import type { Storage } from '../platform/storage.ts'
import type { BucketConfig } from '../platform/storage-config.ts'
import { version } from '../platform/version.ts'
import { BackupError } from './backup-error.ts'
import { type BackupFolder, createBackupFolder, findPreviousBackup } from './backup-folder.ts'
import { findDamagedBackups } from './damaged-backups.ts'
import { type FileCopies, openCopies } from './file-copies.ts'
import { backupPaths, type Manifest, writeManifest } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'
import { isReferenced, type ReferencedFile, readAllReferenced } from './referenced-files.ts'
import { dumpDatabase, type Snapshot } from './table-dump.ts'
import { openVaultCopies, packFileList } from './vault-copies.ts'

export type Deps = { sql: Pool; jobs: pg.Pool; storage: Storage; secret: string }
type BackupOptions = {
  folder: string
  progress: ProgressReporter
  signal: AbortSignal
  /** The pool's bucket, which then stores the files of the backup too; without it they are copied into the folder. */
  filesInBucket?: BucketConfig | undefined
}

export type BackupResult = { manifest: Manifest; copied: number; linked: number; earlier: string | undefined }

/** Files may be deleted while they are copied, but hardly this many times. */
const MAX_SNAPSHOT_ATTEMPTS = 5

/**
 * Makes a consistent copy of the database and of every file it references, while the pool runs. The folder appears when
 * the backup is complete. Most files are copied before the snapshot, so that its transaction stays open only as long as
 * the rows take. Throws BackupError.
 */
export async function makeBackup(deps: Deps, options: BackupOptions): Promise<BackupResult> {
  const location = await createBackupFolder(options.folder)
  const vault = options.filesInBucket && (await openBackupVault(options.filesInBucket))
  try {
    const earlier = await findPreviousBackup(options.folder, await findDamagedBackups(deps.sql))
    const copies = vault
      ? await openVaultCopies(vault.vault, options)
      : openCopies({
          ...{ storage: deps.storage, signal: options.signal, media: backupPaths(location.unfinished).media },
          earlier: earlier && backupPaths(earlier).media,
        })
    // Before anything relies on files that the bucket already has, so that they are not pruned.
    await vault?.vault.writeList(vault.list, packFileList(await readAllReferenced(deps.sql)))
    await copyInAdvance(deps, copies, location, options)
    const { snapshot, lost } = await takeSnapshot(deps, copies, location, options)
    await copies.removeOthers(snapshot.files)
    await copies.sync()
    const files = await writeList(backupPaths(location.unfinished).files, snapshot.files, copies)
    const { taken_at, files: _files, ...kept } = snapshot
    await vault?.vault.writeList(vault.list, packFileList(snapshot.files))
    const manifest: Manifest = {
      ...{ dubplate_backup: vault ? 2 : 1, ...version, taken_at: taken_at.toISOString() },
      ...{ ...kept, files, lost, secret_mark: secretMarkOf(deps.secret) },
      ...(vault ? { files_in_bucket: { ...vault.vault.place, list: vault.list } } : {}),
    }
    options.signal.throwIfAborted()
    await writeSynced(backupPaths(location.unfinished).manifest, writeManifest(manifest))
    await location.finish()
    return { manifest, ...copies.counts(), earlier }
  } catch (error) {
    await location.abandon()
    await vault?.vault.removeList(vault.list).catch(() => {})
    throw isDiskFullError(error) ? diskFullError(options.folder) : error
  }
}

async function openBackupVault(bucket: BucketConfig) {
  // Some 20 MB that a backup into a folder does not need.
  const { openVault, placeOfVault } = await import('../platform/storage-s3-vault.ts')
  return { vault: openVault(placeOfVault(bucket), bucket.credentials), list: randomUUID() }
}

const isDiskFullError = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '')

const diskFullError = (folder: string) =>
  new BackupError(`Not enough disk space for the backup in ${path.dirname(folder)}. The incomplete backup was removed.`)

async function copyInAdvance(
  { sql }: Deps,
  copies: FileCopies,
  location: BackupFolder,
  { progress }: BackupOptions,
): Promise<void> {
  const referenced = await readAllReferenced(sql)
  progress.begin('Copying files', referenced.length)
  // A file missing now may have been deleted by the time of the snapshot, so it is not reported yet.
  await copies.bring(referenced, () => {
    progress.done()
    void location.touch().catch(() => {})
  })
}

/**
 * Copies rows and files of one moment. If a referenced file was deleted before it could be copied, takes a later
 * snapshot.
 */
async function takeSnapshot(
  { sql, jobs }: Deps,
  copies: FileCopies,
  location: BackupFolder,
  { progress, signal }: BackupOptions,
): Promise<{ snapshot: Snapshot; lost: Manifest['lost'] }> {
  const { table } = backupPaths(location.unfinished)
  for (let attempt = 1; attempt <= MAX_SNAPSHOT_ATTEMPTS; attempt += 1) {
    progress.begin('Exporting tables', 0)
    const snapshot = await dumpDatabase({ sql, jobs }, { fileOf: table, signal, onTable: () => progress.done() })
    progress.begin('Copying new files', snapshot.files.length)
    const lost = await copies.bring(snapshot.files, () => progress.done())
    let isComplete = true
    for (const { file, why } of lost) if (why === 'missing' && !(await isReferenced(sql, file))) isComplete = false
    if (isComplete)
      return { snapshot, lost: lost.map(({ file, why }) => ({ kind: file.kind, sha256: file.sha256, why })) }
  }
  throw new BackupError('Files were deleted faster than they could be copied. Try the backup again later.')
}

/** Writes a line for each copied file, in order. */
async function writeList(to: string, files: readonly ReferencedFile[], copies: FileCopies): Promise<Manifest['files']> {
  const out = await open(to, 'w', 0o600)
  const hash = createHash('sha256')
  const sum = { count: 0, bytes: 0 }
  try {
    for (const file of files) {
      const bytes = copies.bytesOf(file)
      if (bytes === undefined) continue
      const line = `${JSON.stringify({ kind: file.kind, sha256: file.sha256, ending: file.ending, bytes })}\n`
      hash.update(line)
      await out.write(line)
      sum.count += 1
      sum.bytes += bytes
    }
    await out.sync()
  } finally {
    await out.close()
  }
  return { ...sum, sha256: hash.digest('hex') }
}

async function writeSynced(to: string, text: string): Promise<void> {
  const out = await open(to, 'w', 0o600)
  try {
    await out.write(text)
    await out.sync()
  } finally {
    await out.close()
  }
}

/** A mark that distinguishes secrets, too short to help anyone guess one. */
export const secretMarkOf = (secret: string): string =>
  createHmac('sha256', secret).update('the secret of a backup').digest('hex').slice(0, 8)
