import { randomBytes } from 'node:crypto'
import { link, mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, connectForJobs, type Pool, type Where } from '../platform/db.ts'
import { keyOf, readName, type Storage } from '../platform/storage.ts'
import { makeDiskStorage } from '../platform/storage-disk.ts'
import { UNFINISHED_MARK } from './backup-folder.ts'
import { recordRehearsal } from './backup-record.ts'
import type { Buckets } from './backup-source.ts'
import { checkPool } from './check.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { restoreBackup } from './restore.ts'
import type { Steps } from './steps.ts'
import { BackupError } from './trouble.ts'

type Tools = { sql: Pool; where: Where; config: Buckets }
type Options = { folder: string; steps: Steps; signal: AbortSignal }

export type Rehearsed = { manifest: Manifest; troubles: string[]; seconds: number }

/**
 * Restores a backup into a scratch database and folder, checks the pool that results, and removes both. The outcome is
 * recorded, also a failure, which is thrown as well.
 */
export async function rehearseRestore(tools: Tools, options: Options): Promise<Rehearsed> {
  const { sql } = tools
  const { folder } = options
  const began_at = new Date()
  let manifest: Manifest | undefined
  const record = (trouble: string) =>
    recordRehearsal(sql, {
      ...{ folder, began_at, trouble },
      rows: manifest?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0,
      files: manifest?.files.count ?? 0,
    })
  try {
    manifest = await readManifest(folder)
    const troubles = await rehearse(tools, options, manifest)
    await record(troubles.slice(0, MOST_SHOWN).join('\n'))
    return { manifest, troubles, seconds: (Date.now() - began_at.getTime()) / 1000 }
  } catch (error) {
    if (!options.signal.aborted) await record((error as Error).message || String(error))
    throw error
  }
}

const MOST_SHOWN = 20

async function rehearse(tools: Tools, options: Options, manifest: Manifest): Promise<string[]> {
  const { config } = tools
  const { folder, steps, signal } = options
  await dropAbandoned(tools.sql)
  const database = await createDatabase(tools.sql)
  const scratch = await makeScratchFolder(folder)
  const sql = connect(beside(tools.where, database), { max: 4 })
  const jobs = connectForJobs(beside(tools.where, database)).on('error', () => {})
  // A long rehearsal must not look like one that was killed.
  const touching = setInterval(() => void utimes(scratch, new Date(), new Date()).catch(() => {}), 60_000)
  try {
    const disk = linkingStorage(scratch)
    const isInBucket = manifest.files_in_bucket !== undefined
    await restoreBackup(
      { sql, jobs, storage: disk, config },
      { folder, steps, signal, holdsMail: true, isWithoutFiles: isInBucket },
    )
    const storage = isInBucket ? await viewOfBucket(disk, manifest, config) : disk
    // Every byte was read before the restore: what is left to see is whether rows and files belong together.
    const found = await checkPool({ sql, storage, now: () => new Date() }, { files: 'fast', steps, signal })
    const lost = new Set(manifest.lost.map(({ sha256 }) => sha256))
    return found.troubles.filter((trouble) => !lost.has(/[0-9a-f]{64}/.exec(trouble)?.[0] ?? ''))
  } finally {
    clearInterval(touching)
    await Promise.all([sql.end({ timeout: 5 }), jobs.end()])
    await tools.sql.unsafe(`drop database if exists ${database} with (force)`)
    await rm(scratch, { recursive: true, force: true })
  }
}

const PREFIX = 'dubplate_rehearsal_'
const ABANDONED_MS = 86_400_000

const createDatabase = async (sql: Pool): Promise<string> => {
  const database = `${PREFIX}${Date.now()}_${randomBytes(3).toString('hex')}`
  await sql.unsafe(`create database ${database}`).catch((error) => {
    if (error.code !== '42501') throw error
    throw new BackupError(
      'The database role of the pool may not create databases, and a rehearsal needs one of its own. Allow it as a superuser: alter role NAME createdb.',
    )
  })
  return database
}

/** Databases of rehearsals that were killed. */
async function dropAbandoned(sql: Pool): Promise<void> {
  const found = await sql<
    { name: string }[]
  >`select datname as name from pg_database where datname like ${`${PREFIX}%`}`
  for (const { name } of found) {
    const madeAt = Number(/_(\d+)_[0-9a-f]{6}$/.exec(name)?.[1])
    if (Date.now() - madeAt > ABANDONED_MS) await sql.unsafe(`drop database if exists ${name} with (force)`)
  }
}

function beside(where: Where, database: string): Where {
  if (!('url' in where)) return { ...where, database }
  const url = new URL(where.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/** Beside the backup, where files can be linked instead of copied; a rehearsal that was killed is cleared away there. */
async function makeScratchFolder(folder: string): Promise<string> {
  const near = path.join(path.dirname(folder), `rehearsal${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`)
  return mkdir(near, { mode: 0o700 }).then(
    () => near,
    () => mkdtemp(path.join(tmpdir(), 'dubplate-rehearsal-')),
  )
}

/** A store that takes files of a backup in as second names of the same bytes, which take no room. */
function linkingStorage(folder: string): Storage {
  const storage = makeDiskStorage(folder)
  return {
    ...storage,
    keepFile: async (kind, from, ending) => {
      const { sha256 } = readName(path.basename(from)) ?? {}
      if (sha256) {
        const to = path.join(folder, 'media', keyOf(kind, sha256, ending))
        await mkdir(path.dirname(to), { recursive: true })
        const isLinked = await link(from, to).then(
          () => true,
          () => false,
        )
        if (isLinked) return { sha256, bytes: 0 }
      }
      return storage.keepFile(kind, from, ending)
    },
  }
}

/** A store that has what the backup has in its bucket. */
async function viewOfBucket(
  storage: Storage,
  { files_in_bucket }: Manifest,
  { storageCredentials }: Buckets,
): Promise<Storage> {
  if (!files_in_bucket) return storage
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  const vault = openVault(files_in_bucket, storageCredentials)
  return { ...storage, has: async () => false, list: vault.list }
}
