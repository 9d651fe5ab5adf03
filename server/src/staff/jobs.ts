import type { operations, ReplyOf } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { dropJob, listQueue, nextRun, rescheduleJob } from '../platform/job-queue.ts'
import { Refusal } from '../platform/refusal.ts'
import { TIMETABLE } from '../timetable.ts'
import { listGivenUp } from '../uploads/given-up.ts'
import type { World } from '../world.ts'

const MOST_SHOWN = 100

/** What runs at which times, what is in the queue, and the uploads whose analysis was given up. */
export async function listJobs({ sql, now }: World): Promise<ReplyOf<typeof operations.getJobs>> {
  const [queue, givenUp] = await Promise.all([listQueue(sql, MOST_SHOWN), listGivenUp(sql, MOST_SHOWN)])
  return {
    timetable: TIMETABLE.map(({ times, task, about }) => ({
      ...{ task, about, times },
      next_at: nextRun(times, now())?.toISOString() ?? null,
    })),
    jobs: queue.jobs.map((job) => ({
      ...job,
      run_at: job.run_at.toISOString(),
      created_at: job.created_at.toISOString(),
    })),
    more: queue.total - queue.jobs.length,
    given_up: givenUp.map(({ customer_id, dj_name, at, ...upload }) => ({
      ...upload,
      customer: { customer_id, dj_name },
      at: at.toISOString(),
    })),
  }
}

const unknownJob = () => new Refusal('unknown_job', 'This job no longer exists or is running.')

/** Answers its task. Refuses `unknown_job`. */
export async function runJobAgain(sql: Sql, jobId: number): Promise<string> {
  const task = await rescheduleJob(sql, jobId)
  if (task === undefined) throw unknownJob()
  return task
}

/** Answers its task. Refuses `unknown_job`. */
export async function throwJobAway(sql: Sql, jobId: number): Promise<string> {
  const task = await dropJob(sql, jobId)
  if (task === undefined) throw unknownJob()
  return task
}
