import { operations, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { measureImportQueue } from '../imports/import-runs.ts'
import { measureReanalysisQueue } from '../media/reanalysis.ts'
import type { ScheduledJob } from '../module.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { deleteJob, listQueue, nextRun, type QueueLength, rescheduleJob } from '../platform/job-queue.ts'
import { measureMailQueue } from '../platform/outgoing-mail.ts'
import { listFailedUploads, measureAnalysisQueue } from '../uploads/failed-uploads.ts'

const MAX_SHOWN = 100

const MEASURES: Record<operations.WorkQueue['queue'], (sql: Sql) => Promise<QueueLength>> = {
  email: measureMailQueue,
  upload_analysis: measureAnalysisQueue,
  song_analysis: measureReanalysisQueue,
  import: measureImportQueue,
}

const listQueueLengths = (sql: Sql): Promise<operations.WorkQueue[]> =>
  Promise.all(
    operations.WORK_QUEUES.map(async (queue) => {
      const { waiting_since, ...counts } = await MEASURES[queue](sql)
      return { queue, ...counts, waiting_since: waiting_since?.toISOString() ?? null }
    }),
  )

/** Returns the schedule, the job queue, the lengths of other queues, and the uploads whose analysis failed. */
export async function listJobs(
  { sql, now }: AppContext,
  scheduledJobs: readonly ScheduledJob[],
): Promise<ReplyOf<typeof operations.getJobs>> {
  const [queue, queues, failedUploads] = await Promise.all([
    listQueue(sql, MAX_SHOWN),
    listQueueLengths(sql),
    listFailedUploads(sql, MAX_SHOWN),
  ])
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
    queues,
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
