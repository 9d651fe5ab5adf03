import { stat } from 'node:fs/promises'
import type { desk } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { BucketConfig } from '../platform/storage-config.ts'
import { type Made, makeBackup, type Tools } from './backup.ts'
import { places } from './manifest.ts'
import type { Steps } from './steps.ts'

/** What is written down of backups, so that the back office can tell of them. */

/** An older database, as a backup takes it, has nowhere to write it yet. */
async function isThere(sql: Sql, table: string): Promise<boolean> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${`public.${table}`}) is not null as there`
  return found?.there ?? false
}

/** The columns of migration 28, where the database has them. */
async function newerColumns(sql: Sql, columns: { is_scheduled: boolean; files_in?: 'folder' | 'bucket' }) {
  const [found] = await sql<{ there: boolean }[]>`
    select exists (select 1 from information_schema.columns
      where table_schema = 'public' and table_name = 'backup_made' and column_name = 'is_scheduled') as there`
  return found?.there ? columns : {}
}

type Wish = {
  folder: string
  steps: Steps
  signal: AbortSignal
  made_by: number | null
  is_scheduled?: boolean
  filesInBucket?: BucketConfig | undefined
  log: Log
}

/** Makes a backup and writes down that it was made, or why not. Throws what makeBackup throws. */
export async function backUp(tools: Tools, { made_by, is_scheduled = false, log, ...wish }: Wish): Promise<Made> {
  const began_at = new Date()
  const { folder } = wish
  try {
    const made = await makeBackup(tools, wish)
    await recordMade(tools.sql, made, { folder, began_at, made_by, is_scheduled }).catch((error) =>
      log.warn(error, 'Backup completed, but it could not be recorded'),
    )
    return made
  } catch (error) {
    await recordFailed(tools.sql, error as Error, { folder, began_at, made_by, is_scheduled }).catch(() => {})
    throw error
  }
}

type About = { folder: string; began_at: Date; made_by: number | null; is_scheduled: boolean }

async function recordMade(sql: Sql, made: Made, { folder, began_at, made_by, is_scheduled }: About): Promise<void> {
  if (!(await isThere(sql, 'backup_made'))) return
  const { manifest, copied } = made
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = manifest.files.bytes + (await bytesOfTables(made, folder))
  const row = {
    ...{ folder, began_at, ended_at: new Date(), taken_at: manifest.taken_at, bytes, rows, copied, made_by },
    ...{ files: manifest.files.count, lost: manifest.lost.length },
    ...(await newerColumns(sql, { is_scheduled, files_in: manifest.files_in_bucket ? 'bucket' : 'folder' })),
  }
  await sql`insert into backup_made ${sql(row)}`
}

async function bytesOfTables({ manifest }: Made, folder: string): Promise<number> {
  let bytes = 0
  for (const { table } of manifest.tables) bytes += (await stat(places(folder).table(table))).size
  return bytes
}

async function recordFailed(sql: Sql, error: Error, { folder, began_at, made_by, is_scheduled }: About): Promise<void> {
  if (!(await isThere(sql, 'backup_made'))) return
  const row = {
    ...{ folder, began_at, ended_at: new Date(), trouble: error.message || String(error), made_by },
    ...(await newerColumns(sql, { is_scheduled })),
  }
  await sql`insert into backup_made ${sql(row)}`
}

/** Writes down that a backup was read through, and what was wrong with it: '' for nothing. */
export async function recordRead(sql: Sql, folder: string, trouble: string): Promise<void> {
  if (!(await isThere(sql, 'backup_made'))) return
  await sql`
    update backup_made set checked_at = now(), check_trouble = ${trouble}
    where backup_id = (
      select backup_id from backup_made where folder = ${folder} and taken_at is not null order by backup_id desc limit 1)`
}

/** Writes down that a restore was rehearsed, and why it failed: '' where it succeeded. */
export async function recordRehearsal(
  sql: Sql,
  {
    folder,
    began_at,
    rows,
    files,
    trouble,
  }: { folder: string; began_at: Date; rows: number; files: number; trouble: string },
): Promise<void> {
  if (!(await isThere(sql, 'restore_rehearsal'))) return
  await sql`
    insert into restore_rehearsal (folder, began_at, ended_at, rows, files, trouble)
    values (${folder}, ${began_at}, now(), ${rows}, ${files}, ${trouble})`
}

type Rehearsal = { folder: string; ended_at: Date; trouble: string }

/** The last rehearsal; null where there was none. */
export async function lastRehearsal(sql: Sql): Promise<(Omit<Rehearsal, 'ended_at'> & { ended_at: string }) | null> {
  const [last] = await sql<Rehearsal[]>`
    select folder, ended_at, trouble from restore_rehearsal order by ended_at desc, restore_rehearsal_id desc limit 1`
  return last ? { ...last, ended_at: last.ended_at.toISOString() } : null
}

const MOST_TROUBLES = 20

/** Writes down what a look through the whole pool found. */
export async function recordCheck(
  sql: Sql,
  { troubles, unnamed, read_files }: { troubles: readonly string[]; unnamed: number; read_files: boolean },
): Promise<void> {
  await sql`
    insert into pool_check (at, read_files, troubles, unnamed)
    values (now(), ${read_files}, ${sql.json(troubles.slice(0, MOST_TROUBLES))}, ${unnamed})`
}

const MOST_SHOWN = 30

type Row = Omit<desk.Backup, 'ended_at' | 'taken_at' | 'checked_at'> & {
  ended_at: Date
  taken_at: Date | null
  checked_at: Date | null
}

/** The last backups, the newest first. */
export async function listBackups(sql: Sql): Promise<desk.Backup[]> {
  const rows = await sql<Row[]>`
    select backup_id, folder, ended_at, taken_at, extract(epoch from ended_at - began_at)::float8 as seconds, bytes, rows,
      files, copied, lost, trouble, c.dj_name as made_by, is_scheduled, files_in, checked_at, check_trouble
    from backup_made left join customer c on c.customer_id = made_by where removed_at is null
    order by ended_at desc, backup_id desc limit ${MOST_SHOWN}`
  return rows.map(({ ended_at, taken_at, checked_at, ...row }) => ({
    ...row,
    ended_at: ended_at.toISOString(),
    taken_at: taken_at?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
  }))
}

type Check = { at: Date; read_files: boolean; troubles: string[]; unnamed: number }

export async function lastCheck(sql: Sql): Promise<(Omit<Check, 'at'> & { at: string }) | null> {
  const [check] = await sql<Check[]>`
    select at, read_files, troubles, unnamed from pool_check order by pool_check_id desc limit 1`
  return check ? { ...check, at: check.at.toISOString() } : null
}

const DAY_MS = 86_400_000

/** Of the newest backup the moment it is a copy of (null: there is none), and whether that is too long ago. */
export async function newestBackup(
  sql: Sql,
  { days, now }: { days: number; now: Date },
): Promise<{ taken_at: Date | null; is_old: boolean }> {
  const [newest] = await sql<{ taken_at: Date | null }[]>`
    select max(taken_at) as taken_at from backup_made where removed_at is null`
  const taken_at = newest?.taken_at ?? null
  return { taken_at, is_old: taken_at === null || now.getTime() - taken_at.getTime() > days * DAY_MS }
}
