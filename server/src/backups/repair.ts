import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Damage, listDamagedFiles } from '../platform/damaged-files.ts'
import type { Pool } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { hashFile, keyOf, readName, type Storage } from '../platform/storage.ts'
import type { Buckets } from './backup-source.ts'
import { atOnce } from './file-copies.ts'
import { examineFile, noteDamage } from './file-damage.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { readManifest } from './manifest.ts'
import { KINDS, type NamedFile, readNamed } from './named-files.ts'
import { restoreFiles } from './single-files.ts'
import type { Steps } from './steps.ts'
import { sideBySide } from './stored-files.ts'
import { BackupError } from './trouble.ts'

const AT_ONCE = 4
const MOST_RECORDED = 100_000
/** Of pictures no table says how long they are; none is longer. */
const LARGEST_PICTURE = 64 * 1024 * 1024

type Tools = { sql: Pool; storage: Storage; log: Log; config: Buckets }
type Options = {
  from: string
  /** Every stored file is read first; without it only their lengths are compared, and those known to be damaged are read. */
  readsAll: boolean
  isDryRun: boolean
  steps: Steps
  signal: AbortSignal
}

export type Repaired = { repaired: string[]; notFound: { key: string; damage: Damage }[] }

/** Puts damaged and missing files back from any folder, whatever they are called there: they are found by their content. */
export async function repairFiles(tools: Tools, options: Options): Promise<Repaired> {
  const { from, isDryRun, steps, signal } = options
  const seen = await stat(from).catch(() => undefined)
  if (!seen?.isDirectory()) throw new BackupError(`${from} is not a folder. Nothing was changed.`)
  const damaged = await findDamaged(tools, options)
  const found =
    damaged.size > 0 ? await findByContent(from, [...damaged.values()], { steps, signal }) : new Map<string, string>()
  const inBucket = await findInBucket(from)
  const done: Repaired = { repaired: [], notFound: [] }
  for (const [key, file] of damaged) {
    signal.throwIfAborted()
    const place = found.get(file.sha256)
    const copy = inBucket.get(key)
    if (!place && copy) {
      if (!isDryRun) await restoreFiles(tools, from, [{ ...copy, name: '' }])
      done.repaired.push(key)
      continue
    }
    if (!place) {
      done.notFound.push({ key, damage: file.damage })
      if (!isDryRun) await noteDamage(tools, file, file.damage)
      continue
    }
    if (!isDryRun) await putBack(tools, file, place)
    done.repaired.push(key)
  }
  return done
}

/** The files of a backup that are in a bucket; none for any other folder. */
async function findInBucket(from: string): Promise<Map<string, ListedFile>> {
  const files = new Map<string, ListedFile>()
  const manifest = await readManifest(from).catch(() => undefined)
  if (!manifest?.files_in_bucket) return files
  for await (const file of listedFiles(from)) files.set(keyOf(file.kind, file.sha256, file.ending), file)
  return files
}

async function putBack(tools: Tools, file: DamagedNamed, place: string): Promise<void> {
  const { kind, sha256, ending, damage } = file
  const free = await tools.storage.freeBytes()
  const { size } = await stat(place)
  if (free !== undefined && free < size)
    throw new BackupError(
      'There is no room on the disk for the repaired files. Free some space, then run the command again.',
    )
  if (damage !== 'missing') await tools.storage.remove(kind, sha256, ending)
  const kept = await tools.storage.keepFile(kind, place, ending)
  if (kept.sha256 !== sha256) {
    await tools.storage.remove(kind, kept.sha256, ending)
    throw new BackupError(`${place} changed while it was read. Run the command again.`)
  }
  await noteDamage(tools, file, undefined)
}

type DamagedNamed = NamedFile & { damage: Damage }

/** Every file that is missing or not as long as it should be, and those that reading shows to be damaged. */
async function findDamaged({ sql, storage }: Tools, { readsAll, steps, signal }: Options) {
  const damaged = new Map<string, DamagedNamed>()
  const known = new Set(
    (await listDamagedFiles(sql, MOST_RECORDED)).map((file) => keyOf(file.stored_as, file.sha256, file.ending)),
  )
  for (const kind of KINDS) {
    steps.begin(`Looking at ${kind}`, 0)
    await atOnce(AT_ONCE, sideBySide(await readNamed(sql, kind), storage.list(kind)), async ({ named, listed }) => {
      signal.throwIfAborted()
      steps.done()
      if (!named) return
      const key = keyOf(kind, named.sha256, named.ending)
      const isWrongLength = listed && named.bytes !== null && listed.bytes !== named.bytes
      if (listed && !isWrongLength && !readsAll && !known.has(key)) return
      const damage = await examineFile(storage, named)
      if (damage) damaged.set(key, { ...named, damage })
    })
  }
  steps.end()
  return damaged
}

type Looking = Pick<Options, 'steps' | 'signal'>

/** Where each of these files is below a folder, by SHA-256. */
async function findByContent(from: string, files: readonly NamedFile[], { steps, signal }: Looking) {
  const wanted = new Set(files.map(({ sha256 }) => sha256))
  const lengths = new Set(files.flatMap(({ bytes }) => bytes ?? []))
  const isOfUnknownLength = files.some(({ bytes }) => bytes === null)
  const found = new Map<string, string>()
  steps.begin('Looking through the folder', 0)
  for await (const place of filesBelow(from)) {
    signal.throwIfAborted()
    steps.done()
    if (found.size === wanted.size) break
    const named = readName(path.basename(place))
    // A backup or a store says by its names what is in it.
    if (named && !wanted.has(named.sha256)) continue
    const size = (await stat(place).catch(() => undefined))?.size
    if (size === undefined || !(lengths.has(size) || (isOfUnknownLength && size <= LARGEST_PICTURE))) continue
    const sha256 = await hashFile(place).catch(() => '')
    if (wanted.has(sha256) && !found.has(sha256)) found.set(sha256, place)
  }
  steps.end()
  return found
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = path.join(folder, entry.name)
    // Not through links: they may lead in a circle.
    if (entry.isDirectory()) yield* filesBelow(place)
    else if (entry.isFile()) yield place
  }
}
