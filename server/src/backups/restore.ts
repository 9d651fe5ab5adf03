import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { copyIn } from '../platform/copy.ts'
import type { Pool } from '../platform/db.ts'
import { holdMail, INSERT_MAIL_HOLD } from '../platform/mail-hold.ts'
import { checkKnown, migrate, migrateUpTo, readHistory } from '../platform/migrate.ts'
import { hashFile, type Storage, storageKey } from '../platform/storage.ts'
import { BackupError } from './backup-error.ts'
import { type BackupSource, type BucketSettings, openSource } from './backup-source.ts'
import { forEachConcurrently } from './file-copies.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { backupPaths, type Manifest, readManifest, type TableDump } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'
import { measureRows, quotedList } from './table-dump.ts'

const MAX_PARALLEL_UPLOADS = 4
const MAX_REPORTED_PROBLEMS = 20

const WITHOUT_BUCKET: BucketSettings = { bucket: undefined, storageCredentials: undefined }

type VerifyOptions = {
  progress: ProgressReporter
  signal: AbortSignal
  /** The settings of the restoring pool: keys for a bucket. */
  config?: BucketSettings | undefined
  /** Compares files only by their lengths. */
  isFast?: boolean
}

/**
 * Reads a whole backup. Throws BackupError if it is not a backup, lacks something, or any byte differs from what was
 * written.
 */
export async function checkBackup(
  folder: string,
  { progress, signal, config = WITHOUT_BUCKET, isFast = false }: VerifyOptions,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const source = await openSource(folder, manifest, config)
  const problems: string[] = []
  const list = backupPaths(folder).files
  if ((await hashFile(list).catch(() => '')) !== manifest.files.sha256) throw brokenBackupError(folder, ['files.jsonl'])
  progress.begin('Checking the backup', manifest.tables.length + manifest.files.count)
  for (const table of manifest.tables) {
    signal.throwIfAborted()
    if (!(await matchesManifest(folder, table))) problems.push(`table ${table.table}`)
    progress.done()
  }
  await forEachConcurrently(MAX_PARALLEL_UPLOADS, listedFiles(folder), async (file) => {
    signal.throwIfAborted()
    const problem = await toError(source, file, isFast)
    if (problem) problems.push(problem)
    progress.done()
  })
  if (problems.length > 0) throw brokenBackupError(folder, problems)
  return manifest
}

/** Describes how a file of a backup differs; undefined when it is intact. */
async function toError(source: BackupSource, file: ListedFile, isFast: boolean): Promise<string | undefined> {
  const key = storageKey(file.kind, file.sha256, file.ending)
  const size = await source.size(file)
  if (size === undefined) return `missing: ${key}`
  if (size !== file.bytes) return `${key}: ${size} bytes long instead of ${file.bytes}`
  if (isFast) return undefined
  const hash = createHash('sha256')
  for await (const piece of source.chunks(file)) hash.update(piece)
  return hash.digest('hex') === file.sha256 ? undefined : `${key}: its content has changed`
}

const brokenBackupError = (folder: string, what: readonly string[]): BackupError => {
  const listedProblems = what.slice(0, MAX_REPORTED_PROBLEMS).map((one) => `\n  ${one}`)
  const more = what.length > listedProblems.length ? `\n  and ${what.length - listedProblems.length} more` : ''
  return new BackupError(
    `The backup ${folder} is damaged. Nothing was restored. Changed since the backup was made:${listedProblems.join('')}${more}`,
  )
}

async function matchesManifest(folder: string, { table, rows, sha256 }: TableDump): Promise<boolean> {
  const measure = measureRows()
  const discardStream = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(createReadStream(backupPaths(folder).table(table)), createGunzip(), measure.through, discardStream)
  } catch {
    return false
  }
  const seen = measure.seen()
  return seen.rows === rows && seen.sha256 === sha256
}

type Deps = { sql: Pool; jobs: pg.Pool; storage: Storage; config?: BucketSettings }
type RestoreOptions = {
  folder: string
  progress: ProgressReporter
  signal: AbortSignal
  /** No email is sent from the restored pool until an operator releases it. */
  holdsMail?: boolean
  isFast?: boolean
  /** Restores only rows: for a rehearsal of a backup whose files are in a bucket. */
  isWithoutFiles?: boolean
}

/**
 * Restores a backup into an empty pool: files first, then all rows in one transaction, then the newer migrations.
 * Throws BackupError before anything is written if the backup is damaged or of a newer version, or the pool is not
 * empty. A killed restore can be repeated.
 */
export async function restoreBackup(deps: Deps, options: RestoreOptions): Promise<Manifest> {
  const { folder, progress, signal, holdsMail = false, isFast = false, isWithoutFiles = false } = options
  const { migrations } = await readManifest(folder)
  rejectUnknown(migrations)
  await rejectFull(deps.sql)
  await rejectNewer(deps.sql, migrations)
  const manifest = await checkBackup(folder, { progress, signal, config: deps.config, isFast })
  await migrateUpTo(deps.sql, migrations.at(-1)?.name)
  if (!isWithoutFiles) await storeFiles(deps, folder, { manifest, progress, signal })
  await loadTables(deps, folder, { manifest, progress, signal, holdsMail })
  await migrate(deps.sql)
  // When the backup is older than this table, it exists only from here on.
  if (holdsMail) await holdMail(deps.sql, HELD_MAIL_REASON)
  // The query planner needs statistics of the restored rows.
  await deps.sql.unsafe('analyze')
  return manifest
}

function rejectUnknown(migrations: Manifest['migrations']): void {
  try {
    checkKnown(migrations)
  } catch (error) {
    throw new BackupError(
      `This backup was made by a different version of Dubplate: ${(error as Error).message.replace('The database', 'It')}`,
    )
  }
}

/** Tables that are empty in a newly set up pool. */
const TABLES_THAT_MUST_BE_EMPTY = [
  'customer',
  'sign_up',
  'song',
  'file',
  'upload',
  'plan',
  'coupon',
  'newsletter_subscriber',
  'page',
]

async function rejectFull(sql: Pool): Promise<void> {
  for (const table of TABLES_THAT_MUST_BE_EMPTY) {
    const [known] = await sql<{ there: boolean }[]>`select to_regclass(${`public.${table}`}) is not null as there`
    if (!known?.there) continue
    const rows = await sql.unsafe(`select 1 from ${table} limit 1`)
    if (rows.length > 0)
      throw new BackupError(
        `This installation is not empty (“${table}” has rows). Nothing was changed. Restore into a new database and a new DATA_DIR.`,
      )
  }
  const [others] = await sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name like 'dubplate:%' and application_name <> current_setting('application_name')`
  if (others && others.n > 0) throw new BackupError('The server is still running on this database. Stop it first.')
}

async function rejectNewer(sql: Pool, migrations: Manifest['migrations']): Promise<void> {
  const newest = (await readHistory(sql)).at(-1)?.name ?? ''
  const wanted = migrations.at(-1)?.name ?? ''
  if (newest > wanted)
    throw new BackupError(
      `This database has a newer schema (${newest}) than the backup (${wanted}). Restore into a new database.`,
    )
}

const HELD_MAIL_REASON = 'Restored from a backup.'

type LoadOptions = { manifest: Manifest; progress: ProgressReporter; signal: AbortSignal }

async function storeFiles(
  { storage, config = WITHOUT_BUCKET }: Deps,
  folder: string,
  { manifest, progress, signal }: LoadOptions,
): Promise<void> {
  const source = await openSource(folder, manifest, config)
  progress.begin('Restoring files', manifest.files.count)
  await forEachConcurrently(MAX_PARALLEL_UPLOADS, listedFiles(folder), async (file) => {
    signal.throwIfAborted()
    const { kind, sha256, ending } = file
    // The stored file with this name may be damaged: a store that was not empty is repaired.
    if ((await storage.has(kind, sha256, ending)) && !(await isComplete(storage, file)))
      await storage.remove(kind, sha256, ending)
    if (!(await storage.has(kind, sha256, ending))) await source.copyTo(file, storage)
    progress.done()
  })
}

/** Whether the store has the complete content of this file. */
async function isComplete(
  storage: Pick<Storage, 'pieces'>,
  { kind, sha256, ending }: Pick<ListedFile, 'kind' | 'sha256' | 'ending'>,
): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const piece of storage.pieces(kind, sha256, { ending })) hash.update(piece)
  return hash.digest('hex') === sha256
}

const MACHINE_TABLES = ['damaged_file', 'worker_heartbeat', 'storage_scrub']

async function loadTables(
  { jobs }: Deps,
  folder: string,
  { manifest, progress, signal, holdsMail }: LoadOptions & { holdsMail: boolean },
): Promise<void> {
  progress.begin('Restoring tables', manifest.tables.length)
  const client = await jobs.connect()
  try {
    await client.query('begin')
    await client.query("set local timezone = 'UTC'")
    await client.query('set local statement_timeout = 0')
    // The rows that migrations inserted into the new database are in the backup in their current state.
    await client.query(`truncate ${quotedList(manifest.tables.map(({ table }) => table))}`)
    for (const table of manifest.tables) {
      signal.throwIfAborted()
      await loadTable(client, folder, table)
      progress.done()
    }
    for (const { sequence, last_value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [`public.${sequence}`, last_value, is_called])
    const has = (table: string) => manifest.tables.some((one) => one.table === table)
    // Both describe the machine that the backup was made on.
    for (const table of MACHINE_TABLES) if (has(table)) await client.query(`delete from ${quotedList([table])}`)
    if (holdsMail && has('mail_hold')) await client.query(INSERT_MAIL_HOLD, [HELD_MAIL_REASON])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

async function loadTable(client: pg.PoolClient, folder: string, { table, columns, rows }: TableDump): Promise<void> {
  const statement = `copy ${quotedList([table])} (${quotedList(columns)}) from stdin`
  let copiedCount = 0
  await pipeline(createReadStream(backupPaths(folder).table(table)), createGunzip(), async (source) => {
    copiedCount = await copyIn(client, statement, source)
  })
  if (copiedCount !== rows) throw new BackupError(`Restored only ${copiedCount} of ${rows} rows of “${table}”.`)
}
