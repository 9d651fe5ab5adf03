import type { parseCrontab } from 'graphile-worker'
import type { Sql } from './db.ts'
import { loadOnFirstUse } from './on-first-use.ts'

const loadWorker = loadOnFirstUse<{ parseCrontab: typeof parseCrontab }>('graphile-worker')

/** The queue of graphile-worker: its view `jobs`, and its functions that change jobs that are not running. */

export type QueuedJob = {
  job_id: number
  task: string
  state: 'running' | 'waiting' | 'failing' | 'failed'
  attempts: number
  max_attempts: number
  run_at: Date
  created_at: Date
  last_error: string
}

/** The length of a queue that is a table of its own. */
export type QueueLength = {
  waiting: number
  running: number
  failed: number
  /** Since when the oldest entry has been waiting. */
  waiting_since: Date | null
}

export const EMPTY_QUEUE: QueueLength = { waiting: 0, running: 0, failed: 0, waiting_since: null }

/** Returns whether the queue exists: the first worker creates it. */
export async function queueExists(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass('graphile_worker.jobs') is not null as there`
  return found?.there ?? false
}

const isLocked = (sql: Sql) => sql`(locked_at is not null and locked_at > now() - interval '4 hours')`

/** Returns the jobs in the queue, failed ones first, and their total number. */
export async function listQueue(sql: Sql, max: number): Promise<{ jobs: QueuedJob[]; total: number }> {
  if (!(await queueExists(sql))) return { jobs: [], total: 0 }
  const jobs = await sql<(QueuedJob & { total: number })[]>`
    select id as job_id, task_identifier as task, attempts, max_attempts, run_at, created_at,
      coalesce(last_error, '') as last_error, count(*) over ()::int as total,
      case when ${isLocked(sql)} then 'running' when attempts >= max_attempts then 'failed'
        when last_error is not null then 'failing' else 'waiting' end as state
    from graphile_worker.jobs
    order by attempts >= max_attempts desc, last_error is not null desc, run_at, id limit ${max}`
  return { jobs: jobs.map(({ total: _, ...job }) => job), total: jobs[0]?.total ?? 0 }
}

/**
 * Makes a job that is not running start now, with all its attempts; returns its task, or undefined if it does not
 * exist.
 */
export async function rescheduleJob(sql: Sql, jobId: number): Promise<string | undefined> {
  const task = await readTask(sql, jobId)
  if (task === undefined) return undefined
  const done = await sql`
    select id from graphile_worker.reschedule_jobs(array[${jobId}]::bigint[], run_at := now(), attempts := 0)`
  return done.length > 0 ? task : undefined
}

/** Removes a job that is not running from the queue; returns its task, or undefined if it does not exist. */
export async function deleteJob(sql: Sql, jobId: number): Promise<string | undefined> {
  const task = await readTask(sql, jobId)
  if (task === undefined) return undefined
  const done = await sql`select id from graphile_worker.complete_jobs(array[${jobId}]::bigint[])`
  return done.length > 0 ? task : undefined
}

async function readTask(sql: Sql, jobId: number): Promise<string | undefined> {
  if (!(await queueExists(sql))) return undefined
  const [job] = await sql<{ task: string }[]>`
    select task_identifier as task from graphile_worker.jobs where id = ${jobId}`
  return job?.task
}

/** Counts jobs that are not retried automatically any more. */
export async function countFailedJobs(sql: Sql): Promise<{ count: number; since: Date | null }> {
  if (!(await queueExists(sql))) return { count: 0, since: null }
  const [failed] = await sql<{ count: number; since: Date | null }[]>`
    select count(*)::int as count, min(created_at) as since from graphile_worker.jobs where attempts >= max_attempts`
  return failed ?? { count: 0, since: null }
}

/** Returns whether a job of this task is queued or running. */
export async function isQueued(sql: Sql, task: string): Promise<boolean> {
  if (!(await queueExists(sql))) return false
  const found = await sql`
    select 1 from graphile_worker.jobs
    where task_identifier = ${task} and (attempts < max_attempts or ${isLocked(sql)}) limit 1`
  return found.length > 0
}

/** Queues a job for a worker, once. Returns false if no worker has ever run. */
export async function queueJob(
  sql: Sql,
  task: string,
  { payload = {}, tries }: { payload?: object; tries: number },
): Promise<boolean> {
  if (!(await queueExists(sql))) return false
  // They run one after the other, with at most one waiting.
  await sql`
    select 1 from graphile_worker.add_job(${task}, ${sql.json(payload as never)}::json, queue_name => ${task},
      max_attempts => ${tries}, job_key => ${task})`
  return true
}

const MINUTE_MS = 60_000
/** Every schedule runs at least once a week. */
const MINUTES_AHEAD = 8 * 24 * 60

/**
 * Returns when a cron expression (`0 3 * * *`, in UTC) next matches after `now`; null if that is more than a week
 * ahead.
 */
export function nextRun(times: string, now: Date): Date | null {
  const [item] = loadWorker().parseCrontab(`${times} task`)
  const first = Math.floor(now.getTime() / MINUTE_MS) + 1
  for (let minute = first; minute < first + MINUTES_AHEAD; minute += 1) {
    const at = new Date(minute * MINUTE_MS)
    const digest = {
      min: at.getUTCMinutes(),
      hour: at.getUTCHours(),
      date: at.getUTCDate(),
      month: at.getUTCMonth() + 1,
      dow: at.getUTCDay(),
    }
    if (item?.match(digest)) return at
  }
  return null
}
