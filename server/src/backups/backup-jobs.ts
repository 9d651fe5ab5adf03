import path from 'node:path'
import type pg from 'pg'
import * as z from 'zod/mini'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isQueued, queueJob } from '../platform/job-queue.ts'
import { backUp } from './backup-record.ts'
import { silentProgress } from './progress.ts'
import { removeOldBackups } from './retention.ts'
import { folderName } from './schedule.ts'

const noWorkerError = () =>
  new ApiError(
    'worker_not_running',
    'No worker has ever run on this database, so no backup can be made. Start a worker first.',
  )

/** Queues a measurement of the store. Throws `worker_not_running`. */
export async function queueMeasurement(sql: Sql): Promise<void> {
  if (!(await queueJob(sql, 'measure_storage', { tries: 1 }))) throw noWorkerError()
}

/**
 * Queues a backup and returns its folder. Throws `backup_folder_not_configured`, `backup_in_progress` or
 * `worker_not_running`.
 */
export async function queueBackup(
  sql: Sql,
  { config, now, staff_id }: Pick<AppContext, 'config' | 'now'> & { staff_id: number },
): Promise<string> {
  if (!config.backupDir)
    throw new ApiError('backup_folder_not_configured', 'BACKUP_DIR isn’t set. Set it or run the backup command.')
  // Of two simultaneous requests, the second sees the first one's job.
  await sql`select pg_advisory_xact_lock(727278)`
  if (await isQueued(sql, 'back_up')) throw new ApiError('backup_in_progress', 'A backup is already in progress.')
  const folder = path.join(config.backupDir, folderName(now()))
  // Not retried automatically, because the cause of a failure has to be fixed first.
  if (!(await queueJob(sql, 'back_up', { payload: { folder, staff_id }, tries: 1 }))) throw noWorkerError()
  return folder
}

const payloadSchema = z.object({
  folder: z.string(),
  staff_id: z.nullable(z.number()),
  is_scheduled: z._default(z.boolean(), false),
})

/**
 * Makes a backup that staff started or that is scheduled. It is aborted when the worker stops, and its partial files
 * are removed.
 */
export async function runQueuedBackup(
  { sql, storage, config, log, now }: AppContext,
  jobs: pg.Pool,
  { payload, signal }: { payload: unknown; signal: AbortSignal },
): Promise<void> {
  const { folder, staff_id, is_scheduled } = payloadSchema.parse(payload)
  const deps = { sql, jobs, storage, secret: config.secret }
  const options = {
    ...{ folder, progress: silentProgress, signal, requested_by: staff_id, is_scheduled, log },
    filesInBucket: config.backupFiles === 'bucket' ? config.bucket : undefined,
  }
  const { manifest } = await backUp(deps, options)
  log.info({ folder, files: manifest.files.count }, 'Backup completed')
  // Only after a successful backup, so that a pool whose backups fail keeps all it has.
  if (is_scheduled)
    await removeOldBackups(
      { sql, log },
      {
        ...{ parent: path.dirname(folder), keep: config.backupKeep, secretMark: manifest.secret_mark, now: now() },
        storageCredentials: config.storageCredentials,
      },
    )
}
