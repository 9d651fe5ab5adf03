import type { Sql } from '../platform/db.ts'
import { EMPTY_QUEUE, type QueueLength } from '../platform/job-queue.ts'

/** A file whose analysis ended its process this often is marked as failed and not tried again. */
const MAX_ATTEMPTS = 3
/** A worker that sends no heartbeat for this long is considered stopped. */
const HEARTBEAT_TIMEOUT_SECONDS = 90
const RETRY_DELAY_SECONDS = 30

/** A stored file that is being analysed again; `attempts` distinguishes this attempt from earlier ones. */
export type Reanalysis = { file_id: number; sha256: string; requested_by: number | null; attempts: number }

/** Queues stored files for another analysis. Running analyses continue. Part of the caller's transaction. */
export async function queueReanalysis(sql: Sql, fileIds: readonly number[], requestedBy: number): Promise<void> {
  const sorted = [...new Set(fileIds)].sort((a, b) => a - b)
  await sql`
    insert into reanalysis as r (file_id, requested_by) select file_id, ${requestedBy} from unnest(${sorted}::bigint[]) file_id
    on conflict (file_id) do update set requested_by = excluded.requested_by, requested_at = now(), due_at = now(), attempts = 0, progress = 0,
      state = 'queued', last_error = ''
    where r.state <> 'running'`
}

/** Counts the stored files whose repeated analysis is not done. */
export async function measureReanalysisQueue(sql: Sql): Promise<QueueLength> {
  const [length] = await sql<QueueLength[]>`
    select count(*) filter (where state = 'queued')::int as waiting,
      count(*) filter (where state = 'running')::int as running,
      count(*) filter (where state = 'failed')::int as failed,
      min(requested_at) filter (where state = 'queued') as waiting_since
    from reanalysis where state <> 'done'`
  return length ?? EMPTY_QUEUE
}

/** Claims the file that has waited longest, or one whose analysis was interrupted. */
export async function claimReanalysis(sql: Sql): Promise<Reanalysis | undefined> {
  const [claimed] = await sql<Reanalysis[]>`
    update reanalysis r set state = 'running', progress = 0, attempts = attempts + 1, updated_at = now()
    from file f
    where f.file_id = r.file_id and r.file_id = (
      select file_id from reanalysis
      where state in ('queued', 'running')
        and (state = 'queued' and due_at <= now() or updated_at < now() - make_interval(secs => ${HEARTBEAT_TIMEOUT_SECONDS}))
      order by due_at, file_id limit 1 for update skip locked)
    returning r.file_id, encode(f.sha256, 'hex') as sha256, r.requested_by, r.attempts`
  if (!claimed || claimed.attempts <= MAX_ATTEMPTS) return claimed
  await markFailed(sql, claimed, 'The analysis failed three times.')
  return claimReanalysis(sql)
}

const isCurrentAttempt = (sql: Sql, { file_id, attempts }: Reanalysis) =>
  sql`file_id = ${file_id} and attempts = ${attempts} and state = 'running'`

export const saveProgress = async (sql: Sql, reanalysis: Reanalysis, progress: number): Promise<void> => {
  await sql`update reanalysis set progress = ${progress}, updated_at = now() where ${isCurrentAttempt(sql, reanalysis)}`
}

/** Shows that the analysis is still running, whatever its progress. */
export const sendHeartbeat = async (sql: Sql, reanalysis: Reanalysis): Promise<void> => {
  await sql`update reanalysis set updated_at = now() where ${isCurrentAttempt(sql, reanalysis)}`
}

export const markDone = async (sql: Sql, reanalysis: Reanalysis): Promise<void> => {
  await sql`update reanalysis set state = 'done', progress = 1, updated_at = now() where ${isCurrentAttempt(sql, reanalysis)}`
}

export async function markFailed(sql: Sql, reanalysis: Reanalysis, errorMessage: string): Promise<void> {
  await sql`
    update reanalysis set state = 'failed', last_error = ${errorMessage}, updated_at = now() where ${isCurrentAttempt(sql, reanalysis)}`
}

/** Queues another attempt; when the failure was not the file's fault, the attempt is not counted. */
export async function requeueReanalysis(
  sql: Sql,
  reanalysis: Reanalysis,
  { countsAsAttempt }: { countsAsAttempt: boolean },
): Promise<void> {
  await sql`
    update reanalysis set state = 'queued', attempts = attempts - ${countsAsAttempt ? 0 : 1}, updated_at = now(),
      due_at = now() + make_interval(secs => ${RETRY_DELAY_SECONDS})
    where ${isCurrentAttempt(sql, reanalysis)}`
}
