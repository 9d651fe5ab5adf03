import path from 'node:path'
import type { AppContext } from '../app-context.ts'
import { isQueued, queueJob } from '../platform/job-queue.ts'

const DAY_MS = 86_400_000
/** A failed scheduled backup is retried after an hour, up to three attempts; then the next day. */
const MAX_ATTEMPTS = 3
const RETRY_MINUTES = 60

export const SCHEDULED_PREFIX = 'nightly-'

type TimeOfDay = { hour: number; minute: number }

/** The last time at which this time of day occurred, in UTC. */
export function lastScheduled({ hour, minute }: TimeOfDay, now: Date): Date {
  const today = new Date(now)
  today.setUTCHours(hour, minute, 0, 0)
  return today > now ? new Date(today.getTime() - DAY_MS) : today
}

/** A folder name for a time, which sorts by time and is valid on every file system: `2026-11-22T04-15-00Z`. */
export const folderName = (now: Date): string =>
  now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')

type Deps = Pick<AppContext, 'sql' | 'config' | 'now' | 'log'>

/**
 * Queues the backup of the day once its time has come, even if that passed while nothing ran. A backup made since then
 * counts. Returns true when one was queued.
 */
export async function queueScheduledBackup({ sql: pool, config, now, log }: Deps): Promise<boolean> {
  const { backupDir, backupTime } = config
  if (!backupDir || !backupTime) return false
  const due = lastScheduled(backupTime, now())
  return pool.begin(async (sql) => {
    // The same lock as for backups that staff start: of two simultaneous ones, the second sees the first.
    await sql`select pg_advisory_xact_lock(727278)`
    const [seen] = await sql<{ completed: number; failed: number; is_waiting: boolean }[]>`
      select count(*) filter (where taken_at is not null)::int as completed,
        count(*) filter (where taken_at is null and is_scheduled)::int as failed,
        coalesce(max(ended_at) filter (where taken_at is null and is_scheduled)
          > ${now()}::timestamptz - make_interval(mins => ${RETRY_MINUTES}), false) as is_waiting
      from backup where started_at >= ${due}`
    if (!seen || seen.completed > 0 || seen.failed >= MAX_ATTEMPTS || seen.is_waiting) return false
    if (await isQueued(sql, 'back_up')) return false
    const folder = path.join(backupDir, `${SCHEDULED_PREFIX}${folderName(now())}`)
    const payload = { folder, staff_id: null, is_scheduled: true }
    const isQueuedNow = await queueJob(sql, 'back_up', { payload, tries: 1 })
    if (isQueuedNow) log.info({ folder }, 'The scheduled backup is due.')
    return isQueuedNow
  }) as Promise<boolean>
}
