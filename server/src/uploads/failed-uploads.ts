import type { uploads } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { EMPTY_QUEUE, type QueueLength } from '../platform/job-queue.ts'

export type FailedUpload = {
  upload_id: number
  name: string
  error_message: string
  customer_id: number
  dj_name: string
  at: Date
}

/** Returns existing uploads whose analysis failed, newest first. */
export async function listFailedUploads(sql: Sql, max: number): Promise<FailedUpload[]> {
  const rows = await sql<(Omit<FailedUpload, 'error_message'> & { faults: uploads.Fault[] })[]>`
    select u.upload_id, u.name, u.faults, u.customer_id, c.dj_name, u.updated_at as at
    from upload u join customer c using (customer_id)
    where u.state = 'failed' and u.removed_at is null order by u.upload_id desc limit ${max}`
  return rows.map(({ faults, ...row }) => ({ ...row, error_message: faults[0]?.message ?? '' }))
}

/** Counts the uploads whose analysis is not done. */
export async function measureAnalysisQueue(sql: Sql): Promise<QueueLength> {
  const [length] = await sql<QueueLength[]>`
    select count(*) filter (where state = 'queued')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      min(updated_at) filter (where state = 'queued') as waiting_since
    from upload where state in ('queued', 'running', 'failed') and removed_at is null`
  return length ?? EMPTY_QUEUE
}

/** Queues it again, with all its attempts. Throws `unknown_upload`. */
export async function retryAnalysis(sql: Sql, uploadId: number): Promise<void> {
  const done = await sql`
    update upload set state = 'queued', attempts = 0, progress = 0, playable = null, faults = '[]', updated_at = now(), due_at = now()
    where upload_id = ${uploadId} and state = 'failed' and removed_at is null`
  if (done.count === 0)
    throw new ApiError('unknown_upload', 'The analysis of this file hasn’t failed, so it can’t be retried.')
}
