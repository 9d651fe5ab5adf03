import type { operations, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { ScheduledJob } from '../module.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { deleteJob, listQueue, nextRun, rescheduleJob } from '../platform/job-queue.ts'
import { listFailedUploads } from '../uploads/failed-uploads.ts'

const MAX_SHOWN = 100

/** Returns the schedule, the queue, and the uploads whose analysis failed. */
export async function listJobs(
  { sql, now }: AppContext,
  scheduledJobs: readonly ScheduledJob[],
): Promise<ReplyOf<typeof operations.getJobs>> {
  const [queue, failedUploads] = await Promise.all([listQueue(sql, MAX_SHOWN), listFailedUploads(sql, MAX_SHOWN)])
  return {
    schedule: scheduledJobs.map(({ times, task, about }) => ({
      ...{ task, about, times },
      next_at: nextRun(times, now())?.toISOString() ?? null,
    })),
    jobs: queue.jobs.map((job) => ({
      ...job,
      run_at: job.run_at.toISOString(),
      created_at: job.created_at.toISOString(),
    })),
    more: queue.total - queue.jobs.length,
    abandoned: failedUploads.map(({ customer_id, dj_name, at, ...upload }) => ({
      ...upload,
      customer: { customer_id, dj_name },
      at: at.toISOString(),
    })),
  }
}

const unknownJobError = () => new ApiError('unknown_job', 'This job no longer exists or is running.')

/** Returns its task. Throws `unknown_job`. */
export async function retryJob(sql: Sql, jobId: number): Promise<string> {
  const task = await rescheduleJob(sql, jobId)
  if (task === undefined) throw unknownJobError()
  return task
}

/** Returns its task. Throws `unknown_job`. */
export async function discardFailedJob(sql: Sql, jobId: number): Promise<string> {
  const task = await deleteJob(sql, jobId)
  if (task === undefined) throw unknownJobError()
  return task
}
