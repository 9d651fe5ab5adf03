import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type DamageKind, listDamagedFiles } from '../platform/damaged-files.ts'
import type { Pool } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { hashFile, parseName, type Storage, storageKey } from '../platform/storage.ts'
import { BackupError } from './backup-error.ts'
import type { BucketSettings } from './backup-source.ts'
import { forEachConcurrently } from './file-copies.ts'
import { examineFile, recordDamage } from './file-damage.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { readManifest } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'
import { KINDS, type ReferencedFile, readReferenced } from './referenced-files.ts'
import { restoreFiles } from './single-files.ts'
import { mergeSorted } from './stored-files.ts'

const AT_ONCE = 4
const MOST_RECORDED = 100_000
/** The length of pictures is in no table; none is longer than this. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024

type Deps = { sql: Pool; storage: Storage; log: Log; config: BucketSettings }
type RepairOptions = {
  from: string
  /**
   * Every stored file is read first. Without it only lengths are compared, and only files known to be damaged are read.
   */
  readsAll: boolean
  isDryRun: boolean
  progress: ProgressReporter
  signal: AbortSignal
}

export type RepairResult = { repaired: string[]; notFound: { key: string; damage: DamageKind }[] }

/** Restores damaged and missing files from any folder, whatever their names there: they are found by their content. */
export async function repairFiles(deps: Deps, options: RepairOptions): Promise<RepairResult> {
  const { from, isDryRun, progress, signal } = options
  const seen = await stat(from).catch(() => undefined)
  if (!seen?.isDirectory()) throw new BackupError(`${from} is not a folder. Nothing was changed.`)
  const damaged = await findDamaged(deps, options)
  const found =
    damaged.size > 0
      ? await findByContent(from, [...damaged.values()], { progress, signal })
      : new Map<string, string>()
  const inBucket = await findInBucket(from)
  const done: RepairResult = { repaired: [], notFound: [] }
  for (const [key, file] of damaged) {
    signal.throwIfAborted()
    const location = found.get(file.sha256)
    const copy = inBucket.get(key)
    if (!location && copy) {
      if (!isDryRun) await restoreFiles(deps, from, [{ ...copy, name: '' }])
      done.repaired.push(key)
      continue
    }
    if (!location) {
      done.notFound.push({ key, damage: file.damage })
      if (!isDryRun) await recordDamage(deps, file, file.damage)
      continue
    }
    if (!isDryRun) await restoreFile(deps, file, location)
    done.repaired.push(key)
  }
  return done
}

/** The files of a backup that are in a bucket; none for any other folder. */
async function findInBucket(from: string): Promise<Map<string, ListedFile>> {
  const files = new Map<string, ListedFile>()
  const manifest = await readManifest(from).catch(() => undefined)
  if (!manifest?.files_in_bucket) return files
  for await (const file of listedFiles(from)) files.set(storageKey(file.kind, file.sha256, file.ending), file)
  return files
}

async function restoreFile(deps: Deps, file: DamagedReference, location: string): Promise<void> {
  const { kind, sha256, ending, damage } = file
  const free = await deps.storage.freeBytes()
  const { size } = await stat(location)
  if (free !== undefined && free < size)
    throw new BackupError('Not enough disk space for the repaired files. Free up space and run the command again.')
  if (damage !== 'missing') await deps.storage.remove(kind, sha256, ending)
  const kept = await deps.storage.putFile(kind, location, ending)
  if (kept.sha256 !== sha256) {
    await deps.storage.remove(kind, kept.sha256, ending)
    throw new BackupError(`${location} changed while it was being read. Run the command again.`)
  }
  await recordDamage(deps, file, undefined)
}

type DamagedReference = ReferencedFile & { damage: DamageKind }

/** Files that are missing or have the wrong length, and those that turn out to be damaged when read. */
async function findDamaged({ sql, storage }: Deps, { readsAll, progress, signal }: RepairOptions) {
  const damaged = new Map<string, DamagedReference>()
  const known = new Set(
    (await listDamagedFiles(sql, MOST_RECORDED)).map((file) => storageKey(file.stored_as, file.sha256, file.ending)),
  )
  for (const kind of KINDS) {
    progress.begin(`Checking ${kind}`, 0)
    await forEachConcurrently(
      AT_ONCE,
      mergeSorted(await readReferenced(sql, kind), storage.list(kind)),
      async ({ named: referenced, listed }) => {
        signal.throwIfAborted()
        progress.done()
        if (!referenced) return
        const key = storageKey(kind, referenced.sha256, referenced.ending)
        const isWrongLength = listed && referenced.bytes !== null && listed.bytes !== referenced.bytes
        if (listed && !isWrongLength && !readsAll && !known.has(key)) return
        const damage = await examineFile(storage, referenced)
        if (damage) damaged.set(key, { ...referenced, damage })
      },
    )
  }
  progress.end()
  return damaged
}

type SearchOptions = Pick<RepairOptions, 'progress' | 'signal'>

/** The path of each of these files below a folder, by SHA-256. */
async function findByContent(from: string, files: readonly ReferencedFile[], { progress, signal }: SearchOptions) {
  const wanted = new Set(files.map(({ sha256 }) => sha256))
  const lengths = new Set(files.flatMap(({ bytes }) => bytes ?? []))
  const isOfUnknownLength = files.some(({ bytes }) => bytes === null)
  const found = new Map<string, string>()
  progress.begin('Scanning the folder', 0)
  for await (const location of walkFiles(from)) {
    signal.throwIfAborted()
    progress.done()
    if (found.size === wanted.size) break
    const referenced = parseName(path.basename(location))
    // In a backup or a store, the names say what the files contain.
    if (referenced && !wanted.has(referenced.sha256)) continue
    const size = (await stat(location).catch(() => undefined))?.size
    if (size === undefined || !(lengths.has(size) || (isOfUnknownLength && size <= MAX_PICTURE_BYTES))) continue
    const sha256 = await hashFile(location).catch(() => '')
    if (wanted.has(sha256) && !found.has(sha256)) found.set(sha256, location)
  }
  progress.end()
  return found
}

async function* walkFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const location = path.join(folder, entry.name)
    // Links are not followed, because they may form a loop.
    if (entry.isDirectory()) yield* walkFiles(location)
    else if (entry.isFile()) yield location
  }
}
