import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { copyIn } from '../platform/copy.ts'
import type { Pool } from '../platform/db.ts'
import { HOLD_MAIL, holdMail } from '../platform/mail-hold.ts'
import { checkKnown, migrate, migrateUpTo, readHistory } from '../platform/migrate.ts'
import { hashFile, keyOf, type Storage } from '../platform/storage.ts'
import { type BackupSource, type Buckets, openSource } from './backup-source.ts'
import { atOnce } from './file-copies.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { type Manifest, places, readManifest, type TableDump } from './manifest.ts'
import type { Steps } from './steps.ts'
import { measureRows, quotedList } from './table-dump.ts'
import { BackupError } from './trouble.ts'

const FILES_AT_ONCE = 4
const MOST_TROUBLES = 20

const WITHOUT_BUCKET: Buckets = { bucket: undefined, storageCredentials: undefined }

type Reading = {
  steps: Steps
  signal: AbortSignal
  /** Of the pool that reads it: keys for a bucket. */
  config?: Buckets | undefined
  /** Files are compared by their lengths alone. */
  isFast?: boolean
}

/** Reads all of a backup. Throws BackupError where it is none, lacks something, or has a byte that is not as it was written. */
export async function checkBackup(
  folder: string,
  { steps, signal, config = WITHOUT_BUCKET, isFast = false }: Reading,
): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const source = await openSource(folder, manifest, config)
  const troubles: string[] = []
  const list = places(folder).files
  if ((await hashFile(list).catch(() => '')) !== manifest.files.sha256) throw broken(folder, ['files.jsonl'])
  steps.begin('Checking the backup', manifest.tables.length + manifest.files.count)
  for (const table of manifest.tables) {
    signal.throwIfAborted()
    if (!(await isAsWritten(folder, table))) troubles.push(`table ${table.table}`)
    steps.done()
  }
  await atOnce(FILES_AT_ONCE, listedFiles(folder), async (file) => {
    signal.throwIfAborted()
    const trouble = await troubleOf(source, file, isFast)
    if (trouble) troubles.push(trouble)
    steps.done()
  })
  if (troubles.length > 0) throw broken(folder, troubles)
  return manifest
}

/** What differs of a file of a backup, in words. */
async function troubleOf(source: BackupSource, file: ListedFile, isFast: boolean): Promise<string | undefined> {
  const key = keyOf(file.kind, file.sha256, file.ending)
  const size = await source.size(file)
  if (size === undefined) return `missing: ${key}`
  if (size !== file.bytes) return `${key}: ${size} bytes long instead of ${file.bytes}`
  if (isFast) return undefined
  const hash = createHash('sha256')
  for await (const piece of source.pieces(file)) hash.update(piece)
  return hash.digest('hex') === file.sha256 ? undefined : `${key}: its content was changed`
}

const broken = (folder: string, what: readonly string[]): BackupError => {
  const shown = what.slice(0, MOST_TROUBLES).map((one) => `\n  ${one}`)
  const more = what.length > shown.length ? `\n  and ${what.length - shown.length} more` : ''
  return new BackupError(
    `The backup ${folder} is damaged. Nothing was restored. Changed since the backup was made:${shown.join('')}${more}`,
  )
}

async function isAsWritten(folder: string, { table, rows, sha256 }: TableDump): Promise<boolean> {
  const measure = measureRows()
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(createReadStream(places(folder).table(table)), createGunzip(), measure.through, nowhere)
  } catch {
    return false
  }
  const seen = measure.seen()
  return seen.rows === rows && seen.sha256 === sha256
}

type Tools = { sql: Pool; jobs: pg.Pool; storage: Storage; config?: Buckets }
type Wish = {
  folder: string
  steps: Steps
  signal: AbortSignal
  /** No email goes out of the restored pool until an operator releases it. */
  holdsMail?: boolean
  isFast?: boolean
  /** Rows alone are brought back: for a rehearsal of a backup whose files are in a bucket. */
  isWithoutFiles?: boolean
}

/**
 * Brings a backup back into a pool that has nothing in it: files first, then all rows in one transaction, then the
 * migrations that came since. Throws BackupError before anything is written where the backup is damaged, of a newer
 * version, or the pool is not empty. What was killed can be run again.
 */
export async function restoreBackup(tools: Tools, wish: Wish): Promise<Manifest> {
  const { folder, steps, signal, holdsMail = false, isFast = false, isWithoutFiles = false } = wish
  const { migrations } = await readManifest(folder)
  refuseUnknown(migrations)
  await refuseFull(tools.sql)
  await refuseNewer(tools.sql, migrations)
  const manifest = await checkBackup(folder, { steps, signal, config: tools.config, isFast })
  await migrateUpTo(tools.sql, migrations.at(-1)?.name)
  if (!isWithoutFiles) await keepFiles(tools, folder, { manifest, steps, signal })
  await loadTables(tools, folder, { manifest, steps, signal, holdsMail })
  await migrate(tools.sql)
  // Where the backup is older than the table, this is the first moment for it.
  if (holdsMail) await holdMail(tools.sql, HELD)
  // Plans are made from what tables hold.
  await tools.sql.unsafe('analyze')
  return manifest
}

function refuseUnknown(migrations: Manifest['migrations']): void {
  try {
    checkKnown(migrations)
  } catch (error) {
    throw new BackupError(
      `This backup was made by a different version of Dubplate: ${(error as Error).message.replace('The database', 'It')}`,
    )
  }
}

/** What nobody has in a pool that was only just set up. */
const SOMETHING = ['customer', 'sign_up', 'song', 'file', 'upload', 'plan', 'coupon', 'newsletter_subscriber', 'page']

async function refuseFull(sql: Pool): Promise<void> {
  for (const table of SOMETHING) {
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

async function refuseNewer(sql: Pool, migrations: Manifest['migrations']): Promise<void> {
  const newest = (await readHistory(sql)).at(-1)?.name ?? ''
  const wanted = migrations.at(-1)?.name ?? ''
  if (newest > wanted)
    throw new BackupError(
      `This database has a newer schema (${newest}) than the backup (${wanted}). Restore into a new database.`,
    )
}

const HELD = 'Restored from a backup.'

type Loading = { manifest: Manifest; steps: Steps; signal: AbortSignal }

async function keepFiles(
  { storage, config = WITHOUT_BUCKET }: Tools,
  folder: string,
  { manifest, steps, signal }: Loading,
): Promise<void> {
  const source = await openSource(folder, manifest, config)
  steps.begin('Restoring files', manifest.files.count)
  await atOnce(FILES_AT_ONCE, listedFiles(folder), async (file) => {
    signal.throwIfAborted()
    const { kind, sha256, ending } = file
    // What is there under this name may be broken: a store that was not empty is mended.
    if ((await storage.has(kind, sha256, ending)) && !(await isWhole(storage, file)))
      await storage.remove(kind, sha256, ending)
    if (!(await storage.has(kind, sha256, ending))) await source.bring(file, storage)
    steps.done()
  })
}

/** Whether the store has these bytes, all of them. */
export async function isWhole(
  storage: Pick<Storage, 'pieces'>,
  { kind, sha256, ending }: Pick<ListedFile, 'kind' | 'sha256' | 'ending'>,
): Promise<boolean> {
  const hash = createHash('sha256')
  for await (const piece of storage.pieces(kind, sha256, { ending })) hash.update(piece)
  return hash.digest('hex') === sha256
}

const OF_THE_OLD_MACHINE = ['damaged_file', 'worker_heartbeat', 'storage_scrub']

async function loadTables(
  { jobs }: Tools,
  folder: string,
  { manifest, steps, signal, holdsMail }: Loading & { holdsMail: boolean },
): Promise<void> {
  steps.begin('Restoring tables', manifest.tables.length)
  const client = await jobs.connect()
  try {
    await client.query('begin')
    await client.query("set local timezone = 'UTC'")
    await client.query('set local statement_timeout = 0')
    // What migrations wrote into a new database is in the backup as it became.
    await client.query(`truncate ${quotedList(manifest.tables.map(({ table }) => table))}`)
    for (const table of manifest.tables) {
      signal.throwIfAborted()
      await loadTable(client, folder, table)
      steps.done()
    }
    for (const { sequence, last_value, is_called } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [`public.${sequence}`, last_value, is_called])
    const has = (table: string) => manifest.tables.some((one) => one.table === table)
    // Both are about the machine that the backup was made on.
    for (const table of OF_THE_OLD_MACHINE) if (has(table)) await client.query(`delete from ${quotedList([table])}`)
    if (holdsMail && has('mail_hold')) await client.query(HOLD_MAIL, [HELD])
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
  let brought = 0
  await pipeline(createReadStream(places(folder).table(table)), createGunzip(), async (source) => {
    brought = await copyIn(client, statement, source)
  })
  if (brought !== rows) throw new BackupError(`Restored only ${brought} of ${rows} rows of “${table}”.`)
}
