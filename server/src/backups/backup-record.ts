import { stat } from 'node:fs/promises'
import type { dashboard } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { BucketConfig } from '../platform/storage-config.ts'
import { type BackupResult, type Deps, makeBackup } from './backup.ts'
import { backupPaths } from './manifest.ts'
import type { ProgressReporter } from './progress.ts'

/** Records of backups, shown in the back office. */

/** A backup may be made of an older database that does not have the table yet. */
async function tableExists(sql: Sql, table: string): Promise<boolean> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass(${`public.${table}`}) is not null as there`
  return found?.there ?? false
}

/** The columns of migration 28, if the database has them. */
async function newerColumns(sql: Sql, columns: { is_scheduled: boolean; files_in?: 'folder' | 'bucket' }) {
  const [found] = await sql<{ there: boolean }[]>`
    select exists (select 1 from information_schema.columns
      where table_schema = 'public' and table_name = 'backup' and column_name = 'is_scheduled') as there`
  return found?.there ? columns : {}
}

type RunBackupOptions = {
  folder: string
  progress: ProgressReporter
  signal: AbortSignal
  requested_by: number | null
  is_scheduled?: boolean
  filesInBucket?: BucketConfig | undefined
  log: Log
}

/** Makes a backup and records that it was made, or why not. Throws what makeBackup throws. */
export async function backUp(
  deps: Deps,
  { requested_by, is_scheduled = false, log, ...options }: RunBackupOptions,
): Promise<BackupResult> {
  const started_at = new Date()
  const { folder } = options
  try {
    const result = await makeBackup(deps, options)
    await recordSuccess(deps.sql, result, { folder, started_at, requested_by, is_scheduled }).catch((error) =>
      log.warn(error, 'Backup completed, but it could not be recorded'),
    )
    return result
  } catch (error) {
    await recordFailure(deps.sql, error as Error, { folder, started_at, requested_by, is_scheduled }).catch(() => {})
    throw error
  }
}

type BackupInfo = { folder: string; started_at: Date; requested_by: number | null; is_scheduled: boolean }

async function recordSuccess(
  sql: Sql,
  result: BackupResult,
  { folder, started_at, requested_by, is_scheduled }: BackupInfo,
): Promise<void> {
  if (!(await tableExists(sql, 'backup'))) return
  const { manifest, copied } = result
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const bytes = manifest.files.bytes + (await bytesOfTables(result, folder))
  const row = {
    ...{ folder, started_at, ended_at: new Date(), taken_at: manifest.taken_at, bytes, rows, copied, requested_by },
    ...{ files: manifest.files.count, lost: manifest.lost.length },
    ...(await newerColumns(sql, { is_scheduled, files_in: manifest.files_in_bucket ? 'bucket' : 'folder' })),
  }
  await sql`insert into backup ${sql(row)}`
}

async function bytesOfTables({ manifest }: BackupResult, folder: string): Promise<number> {
  let bytes = 0
  for (const { table } of manifest.tables) bytes += (await stat(backupPaths(folder).table(table))).size
  return bytes
}

async function recordFailure(
  sql: Sql,
  error: Error,
  { folder, started_at, requested_by, is_scheduled }: BackupInfo,
): Promise<void> {
  if (!(await tableExists(sql, 'backup'))) return
  const row = {
    ...{ folder, started_at, ended_at: new Date(), error_message: error.message || String(error), requested_by },
    ...(await newerColumns(sql, { is_scheduled })),
  }
  await sql`insert into backup ${sql(row)}`
}

/** Records that a backup was verified, and its problem; '' for none. */
export async function recordVerification(sql: Sql, folder: string, problem: string): Promise<void> {
  if (!(await tableExists(sql, 'backup'))) return
  await sql`
    update backup set checked_at = now(), check_error = ${problem}
    where backup_id = (
      select backup_id from backup where folder = ${folder} and taken_at is not null order by backup_id desc limit 1)`
}

/** Records that a restore was rehearsed, and why it failed; '' if it succeeded. */
export async function recordRehearsal(
  sql: Sql,
  {
    folder,
    started_at,
    rows,
    files,
    error_message: problem,
  }: { folder: string; started_at: Date; rows: number; files: number; error_message: string },
): Promise<void> {
  if (!(await tableExists(sql, 'restore_rehearsal'))) return
  await sql`
    insert into restore_rehearsal (folder, started_at, ended_at, rows, files, error_message)
    values (${folder}, ${started_at}, now(), ${rows}, ${files}, ${problem})`
}

type Rehearsal = { folder: string; ended_at: Date; error_message: string }

/** The last rehearsal; null when there was none. */
export async function lastRehearsal(sql: Sql): Promise<(Omit<Rehearsal, 'ended_at'> & { ended_at: string }) | null> {
  const [last] = await sql<Rehearsal[]>`
    select folder, ended_at, error_message from restore_rehearsal order by ended_at desc, restore_rehearsal_id desc limit 1`
  return last ? { ...last, ended_at: last.ended_at.toISOString() } : null
}

const MAX_RECORDED_PROBLEMS = 20

/** Records the result of a check of the whole pool. */
export async function recordCheck(
  sql: Sql,
  { problems, unnamed, read_files }: { problems: readonly string[]; unnamed: number; read_files: boolean },
): Promise<void> {
  await sql`
    insert into pool_check (at, read_files, problems, unnamed)
    values (now(), ${read_files}, ${sql.json(problems.slice(0, MAX_RECORDED_PROBLEMS))}, ${unnamed})`
}

const MAX_LISTED_BACKUPS = 30

type BackupRow = Omit<dashboard.Backup, 'ended_at' | 'taken_at' | 'checked_at'> & {
  ended_at: Date
  taken_at: Date | null
  checked_at: Date | null
}

/** The last backups, newest first. */
export async function listBackups(sql: Sql): Promise<dashboard.Backup[]> {
  const rows = await sql<BackupRow[]>`
    select backup_id, folder, ended_at, taken_at, extract(epoch from ended_at - started_at)::float8 as seconds, bytes, rows,
      files, copied, lost, error_message, c.dj_name as requested_by, is_scheduled, files_in, checked_at, check_error
    from backup left join customer c on c.customer_id = requested_by where removed_at is null
    order by ended_at desc, backup_id desc limit ${MAX_LISTED_BACKUPS}`
  return rows.map(({ ended_at, taken_at, checked_at, ...row }) => ({
    ...row,
    ended_at: ended_at.toISOString(),
    taken_at: taken_at?.toISOString() ?? null,
    checked_at: checked_at?.toISOString() ?? null,
  }))
}

type PoolCheck = { at: Date; read_files: boolean; problems: string[]; unnamed: number }

export async function lastCheck(sql: Sql): Promise<(Omit<PoolCheck, 'at'> & { at: string }) | null> {
  const [check] = await sql<PoolCheck[]>`
    select at, read_files, problems, unnamed from pool_check order by pool_check_id desc limit 1`
  return check ? { ...check, at: check.at.toISOString() } : null
}

const DAY_MS = 86_400_000

/** The moment of the newest backup's snapshot (null when there is no backup), and whether it is too old. */
export async function newestBackup(
  sql: Sql,
  { days, now }: { days: number; now: Date },
): Promise<{ taken_at: Date | null; is_old: boolean }> {
  const [newest] = await sql<{ taken_at: Date | null }[]>`
    select max(taken_at) as taken_at from backup where removed_at is null`
  const taken_at = newest?.taken_at ?? null
  return { taken_at, is_old: taken_at === null || now.getTime() - taken_at.getTime() > days * DAY_MS }
}
