import { randomBytes } from 'node:crypto'
import { link, mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, connectForJobs, type DatabaseLocation, type Pool } from '../platform/db.ts'
import { parseName, type Storage, storageKey } from '../platform/storage.ts'
import { createDiskStorage } from '../platform/storage-disk.ts'
import { BackupError } from './backup-error.ts'
import { UNFINISHED_MARK } from './backup-folder.ts'
import { recordRehearsal } from './backup-record.ts'
import type { BucketSettings } from './backup-source.ts'
import { checkPool } from './check.ts'
import { type Manifest, readManifest } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'
import { restoreBackup } from './restore.ts'

type Deps = { sql: Pool; where: DatabaseLocation; config: BucketSettings }
type RehearsalOptions = { folder: string; progress: ProgressReporter; signal: AbortSignal }

export type RehearsalResult = { manifest: Manifest; problems: string[]; seconds: number }

/**
 * Restores a backup into a scratch database and folder, checks the resulting pool, and removes both. Records the
 * result; a failure is recorded and thrown.
 */
export async function rehearseRestore(deps: Deps, options: RehearsalOptions): Promise<RehearsalResult> {
  const { sql } = deps
  const { folder } = options
  const started_at = new Date()
  let manifest: Manifest | undefined
  const record = (problem: string) =>
    recordRehearsal(sql, {
      ...{ folder, started_at, error_message: problem },
      rows: manifest?.tables.reduce((sum, table) => sum + table.rows, 0) ?? 0,
      files: manifest?.files.count ?? 0,
    })
  try {
    manifest = await readManifest(folder)
    const problems = await rehearse(deps, options, manifest)
    await record(problems.slice(0, MOST_SHOWN).join('\n'))
    return { manifest, problems, seconds: (Date.now() - started_at.getTime()) / 1000 }
  } catch (error) {
    if (!options.signal.aborted) await record((error as Error).message || String(error))
    throw error
  }
}

const MOST_SHOWN = 20

async function rehearse(deps: Deps, options: RehearsalOptions, manifest: Manifest): Promise<string[]> {
  const { config } = deps
  const { folder, progress, signal } = options
  await dropAbandonedDatabases(deps.sql)
  const database = await createDatabase(deps.sql)
  const scratch = await makeScratchFolder(folder)
  const sql = connect(beside(deps.where, database), { max: 4 })
  const jobs = connectForJobs(beside(deps.where, database)).on('error', () => {})
  // A long rehearsal must not look like one that was killed.
  const touching = setInterval(() => void utimes(scratch, new Date(), new Date()).catch(() => {}), 60_000)
  try {
    const disk = linkingStorage(scratch)
    const isInBucket = manifest.files_in_bucket !== undefined
    await restoreBackup(
      { sql, jobs, storage: disk, config },
      { folder, progress, signal, holdsMail: true, isWithoutFiles: isInBucket },
    )
    const storage = isInBucket ? await createBucketView(disk, manifest, config) : disk
    // Every byte was read before the restore, so only the consistency of rows and files is left to check.
    const found = await checkPool({ sql, storage, now: () => new Date() }, { files: 'fast', progress, signal })
    const lost = new Set(manifest.lost.map(({ sha256 }) => sha256))
    return found.problems.filter((problem) => !lost.has(/[0-9a-f]{64}/.exec(problem)?.[0] ?? ''))
  } finally {
    clearInterval(touching)
    await Promise.all([sql.end({ timeout: 5 }), jobs.end()])
    await deps.sql.unsafe(`drop database if exists ${database} with (force)`)
    await rm(scratch, { recursive: true, force: true })
  }
}

const DATABASE_PREFIX = 'dubplate_rehearsal_'
const ABANDONED_MS = 86_400_000

const createDatabase = async (sql: Pool): Promise<string> => {
  const database = `${DATABASE_PREFIX}${Date.now()}_${randomBytes(3).toString('hex')}`
  await sql.unsafe(`create database ${database}`).catch((error) => {
    if (error.code !== '42501') throw error
    throw new BackupError(
      'A rehearsal needs its own database, but the database role cannot create one. As a superuser, run: alter role NAME createdb.',
    )
  })
  return database
}

/** Drops databases of rehearsals that were killed. */
async function dropAbandonedDatabases(sql: Pool): Promise<void> {
  const found = await sql<
    { name: string }[]
  >`select datname as name from pg_database where datname like ${`${DATABASE_PREFIX}%`}`
  for (const { name } of found) {
    const madeAt = Number(/_(\d+)_[0-9a-f]{6}$/.exec(name)?.[1])
    if (Date.now() - madeAt > ABANDONED_MS) await sql.unsafe(`drop database if exists ${name} with (force)`)
  }
}

function beside(where: DatabaseLocation, database: string): DatabaseLocation {
  if (!('url' in where)) return { ...where, database }
  const url = new URL(where.url)
  url.pathname = `/${database}`
  return { url: url.href }
}

/**
 * Creates the folder beside the backup, where files can be linked instead of copied and a later backup removes what a
 * killed rehearsal left.
 */
async function makeScratchFolder(folder: string): Promise<string> {
  const scratchPath = path.join(path.dirname(folder), `rehearsal${UNFINISHED_MARK}${randomBytes(4).toString('hex')}`)
  return mkdir(scratchPath, { mode: 0o700 }).then(
    () => scratchPath,
    () => mkdtemp(path.join(tmpdir(), 'dubplate-rehearsal-')),
  )
}

/** A store that adds files of a backup as hard links, which take no space. */
function linkingStorage(folder: string): Storage {
  const storage = createDiskStorage(folder)
  return {
    ...storage,
    putFile: async (kind, from, ending) => {
      const { sha256 } = parseName(path.basename(from)) ?? {}
      if (sha256) {
        const to = path.join(folder, 'media', storageKey(kind, sha256, ending))
        await mkdir(path.dirname(to), { recursive: true })
        const isLinked = await link(from, to).then(
          () => true,
          () => false,
        )
        if (isLinked) return { sha256, bytes: 0 }
      }
      return storage.putFile(kind, from, ending)
    },
  }
}

/** A store that reads the backup's files in its bucket. */
async function createBucketView(
  storage: Storage,
  { files_in_bucket }: Manifest,
  { storageCredentials }: BucketSettings,
): Promise<Storage> {
  if (!files_in_bucket) return storage
  const { openVault } = await import('../platform/storage-s3-vault.ts')
  const vault = openVault(files_in_bucket, storageCredentials)
  return { ...storage, has: async () => false, list: vault.list }
}
