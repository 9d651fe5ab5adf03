import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool, Sql } from './db.ts'
import { queueExists } from './job-queue.ts'
import type { Log } from './log.ts'
import { repeatEvery } from './repeat-every.ts'

const HEARTBEAT_INTERVAL_MS = 10_000
/** A worker without a heartbeat for this long is considered stopped. */
export const STALE_SECONDS = 60
const RETENTION_HOURS = 24

export type Heartbeat = {
  /** Time since the last heartbeat was written, in milliseconds. */
  age_ms(): number
  /** For how long it has been written without a longer interruption, in milliseconds; 0 during one. */
  steady_ms(): number
  stop(): Promise<void>
}

/**
 * Records a heartbeat for this worker every few seconds, until stopped. `queueWorkerIds` returns the ids under which it
 * locks jobs.
 */
export async function startHeartbeat(sql: Pool, log: Log, queueWorkerIds: () => readonly string[]): Promise<Heartbeat> {
  const worker_id = randomUUID()
  let lastBeatAt = performance.now()
  const steadiness = trackSteadiness(Date.now())
  const saveHeartbeat = async () => {
    await sql`
      insert into worker_heartbeat (worker_id, host, process_id, started_at, seen_at, queue_worker_ids)
      values (${worker_id}, ${hostname()}, ${process.pid}, now(), now(), ${queueWorkerIds()})
      on conflict (worker_id) do update set seen_at = excluded.seen_at, queue_worker_ids = excluded.queue_worker_ids`
    lastBeatAt = performance.now()
    steadiness.beat(Date.now())
  }
  await saveHeartbeat()
  await sql`delete from worker_heartbeat where seen_at < now() - make_interval(hours => ${RETENTION_HOURS})`
  const heartbeatLoop = repeatEvery(HEARTBEAT_INTERVAL_MS, log, saveHeartbeat)
  return {
    age_ms: () => performance.now() - lastBeatAt,
    steady_ms: () => steadiness.steady_ms(Date.now()),
    stop: async () => {
      await heartbeatLoop.stop()
      // A worker that stops properly removes its row, so that it is not reported as missing.
      await sql`delete from worker_heartbeat where worker_id = ${worker_id}`.catch(() => {})
    },
  }
}

/**
 * Measures for how long heartbeats have come without a gap in which a worker would be considered stopped. Times are
 * those of the system's clock, which goes on while the computer sleeps.
 */
export function trackSteadiness(start_ms: number): { beat(now_ms: number): void; steady_ms(now_ms: number): number } {
  let steadySince = start_ms
  let lastBeatAt = start_ms
  const isGap = (now_ms: number) => now_ms - lastBeatAt > STALE_SECONDS * 1000
  return {
    beat: (now_ms) => {
      if (isGap(now_ms)) steadySince = now_ms
      lastBeatAt = now_ms
    },
    steady_ms: (now_ms) => (isGap(now_ms) ? 0 : now_ms - steadySince),
  }
}

/**
 * Returns the jobs that a worker was running when it was killed to the queue; those without attempts left are then
 * shown as failed. graphile-worker itself waits for four hours. Returns the tasks.
 *
 * While a worker of an earlier release runs, whose ids are unknown, nothing is released.
 */
export async function releaseJobsOfKilledWorkers(sql: Sql): Promise<string[]> {
  if (!(await queueExists(sql))) return []
  const isAlive = sql`seen_at > now() - make_interval(secs => ${STALE_SECONDS})`
  const abandoned = await sql<{ task: string; locked_by: string }[]>`
    select task_identifier as task, locked_by from graphile_worker.jobs
    where locked_at < now() - make_interval(secs => ${STALE_SECONDS})
      and locked_by <> all (select unnest(queue_worker_ids) from worker_heartbeat where ${isAlive})
      and not exists (select 1 from worker_heartbeat where ${isAlive} and queue_worker_ids is null)`
  const workers = [...new Set(abandoned.map(({ locked_by }) => locked_by))]
  if (workers.length > 0) await sql`select graphile_worker.force_unlock_workers(${workers}::text[])`
  return abandoned.map(({ task }) => task)
}

export type WorkerHeartbeat = { host: string; process_id: number; seconds: number }

/** Returns every worker that did not stop properly, the one seen last first. */
export const listWorkers = async (sql: Sql): Promise<WorkerHeartbeat[]> => sql<WorkerHeartbeat[]>`
  select host, process_id, extract(epoch from now() - seen_at)::float8 as seconds from worker_heartbeat order by seen_at desc`
