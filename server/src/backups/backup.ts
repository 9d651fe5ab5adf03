import { createHash, createHmac, randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import type { Pool } from '../platform/db.ts'
import type { Storage } from '../platform/storage.ts'
import type { BucketConfig } from '../platform/storage-config.ts'
import { version } from '../platform/version.ts'
import { type BackupFolder, beginFolder, findEarlier } from './backup-folder.ts'
import { findDamagedBackups } from './damaged-backups.ts'
import { type FileCopies, openCopies } from './file-copies.ts'
import { type Manifest, places, writeManifest } from './manifest.ts'
import { isNamed, type NamedFile, readAllNamed } from './named-files.ts'
import type { Steps } from './steps.ts'
import { dumpDatabase, type Snapshot } from './table-dump.ts'
import { BackupError } from './trouble.ts'
import { openVaultCopies, packList } from './vault-copies.ts'

export type Tools = { sql: Pool; jobs: pg.Pool; storage: Storage; secret: string }
type Wish = {
  folder: string
  steps: Steps
  signal: AbortSignal
  /** The pool's bucket, which then keeps the files of the backup too; without it they are copied into the folder. */
  filesInBucket?: BucketConfig | undefined
}

export type Made = { manifest: Manifest; copied: number; linked: number; earlier: string | undefined }

/** Files can go while they are copied, but hardly again and again. */
const MOST_SNAPSHOTS = 5

/**
 * A copy of the database and of every file it names, all of one moment, while the pool runs. It is whole when the folder
 * is there. Most files are copied before that moment, so that the database is held no longer than its rows take.
 * Throws BackupError.
 */
export async function makeBackup(tools: Tools, wish: Wish): Promise<Made> {
  const place = await beginFolder(wish.folder)
  const vault = wish.filesInBucket && (await beginVault(wish.filesInBucket))
  try {
    const earlier = await findEarlier(wish.folder, await findDamagedBackups(tools.sql))
    const copies = vault
      ? await openVaultCopies(vault.vault, wish)
      : openCopies({
          ...{ storage: tools.storage, signal: wish.signal, media: places(place.unfinished).media },
          earlier: earlier && places(earlier).media,
        })
    // Before anything relies on what is in the bucket already, so that it is not removed as unneeded.
    await vault?.vault.writeList(vault.list, packList(await readAllNamed(tools.sql)))
    await copyAhead(tools, copies, place, wish)
    const { snapshot, lost } = await takeSnapshot(tools, copies, place, wish)
    await copies.keepOnly(snapshot.files)
    await copies.sync()
    const files = await writeList(places(place.unfinished).files, snapshot.files, copies)
    const { taken_at, files: _files, ...kept } = snapshot
    await vault?.vault.writeList(vault.list, packList(snapshot.files))
    const manifest: Manifest = {
      ...{ dubplate_backup: vault ? 2 : 1, ...version, taken_at: taken_at.toISOString() },
      ...{ ...kept, files, lost, secret_mark: markOf(tools.secret) },
      ...(vault ? { files_in_bucket: { ...vault.vault.place, list: vault.list } } : {}),
    }
    wish.signal.throwIfAborted()
    await writeSynced(places(place.unfinished).manifest, writeManifest(manifest))
    await place.finish()
    return { manifest, ...copies.counts(), earlier }
  } catch (error) {
    await place.abandon()
    await vault?.vault.removeList(vault.list).catch(() => {})
    throw isFull(error) ? noRoom(wish.folder) : error
  }
}

async function beginVault(bucket: BucketConfig) {
  // Some 20 MB that a folder does not need.
  const { openVault, placeOfVault } = await import('../platform/storage-s3-vault.ts')
  return { vault: openVault(placeOfVault(bucket), bucket.credentials), list: randomUUID() }
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '')

const noRoom = (folder: string) =>
  new BackupError(`Not enough disk space for the backup in ${path.dirname(folder)}. The incomplete backup was removed.`)

async function copyAhead({ sql }: Tools, copies: FileCopies, place: BackupFolder, { steps }: Wish): Promise<void> {
  const named = await readAllNamed(sql)
  steps.begin('Copying files', named.length)
  // What is not to be had may be gone for good reason by the moment that counts.
  await copies.bring(named, () => {
    steps.done()
    void place.touch().catch(() => {})
  })
}

/** Rows and files of one moment. A file that was thrown away after it, before it was copied, makes it a later moment. */
async function takeSnapshot(
  { sql, jobs }: Tools,
  copies: FileCopies,
  place: BackupFolder,
  { steps, signal }: Wish,
): Promise<{ snapshot: Snapshot; lost: Manifest['lost'] }> {
  const { table } = places(place.unfinished)
  for (let tries = 1; tries <= MOST_SNAPSHOTS; tries += 1) {
    steps.begin('Exporting tables', 0)
    const snapshot = await dumpDatabase({ sql, jobs }, { fileOf: table, signal, onTable: () => steps.done() })
    steps.begin('Copying new files', snapshot.files.length)
    const lost = await copies.bring(snapshot.files, () => steps.done())
    let isWhole = true
    for (const { file, why } of lost) if (why === 'missing' && !(await isNamed(sql, file))) isWhole = false
    if (isWhole) return { snapshot, lost: lost.map(({ file, why }) => ({ kind: file.kind, sha256: file.sha256, why })) }
  }
  throw new BackupError('Files were deleted faster than they could be copied. Try the backup again later.')
}

/** A line for each file that was brought in, in their order. */
async function writeList(to: string, files: readonly NamedFile[], copies: FileCopies): Promise<Manifest['files']> {
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

/** Short, so that it tells secrets apart and helps nobody to guess one. */
export const markOf = (secret: string): string =>
  createHmac('sha256', secret).update('the secret of a backup').digest('hex').slice(0, 8)
