import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool, Sql } from './db.ts'
import type { Log } from './log.ts'
import { repeatEvery } from './repeat-every.ts'

const HEARTBEAT_INTERVAL_MS = 10_000
/** A worker without a heartbeat for this long is considered stopped. */
export const STALE_SECONDS = 60
const RETENTION_HOURS = 24

export type Heartbeat = {
  /** Time since the last heartbeat was written, in milliseconds. */
  age_ms(): number
  stop(): Promise<void>
}

/** Records a heartbeat for this worker every few seconds, until stopped. */
export async function startHeartbeat(sql: Pool, log: Log): Promise<Heartbeat> {
  const worker_id = randomUUID()
  let lastBeatAt = performance.now()
  const saveHeartbeat = async () => {
    await sql`
      insert into worker_heartbeat (worker_id, host, process_id, started_at, seen_at)
      values (${worker_id}, ${hostname()}, ${process.pid}, now(), now())
      on conflict (worker_id) do update set seen_at = excluded.seen_at`
    lastBeatAt = performance.now()
  }
  await saveHeartbeat()
  await sql`delete from worker_heartbeat where seen_at < now() - make_interval(hours => ${RETENTION_HOURS})`
  const heartbeatLoop = repeatEvery(HEARTBEAT_INTERVAL_MS, log, saveHeartbeat)
  return {
    age_ms: () => performance.now() - lastBeatAt,
    stop: async () => {
      await heartbeatLoop.stop()
      // A worker that stops properly removes its row, so that it is not reported as missing.
      await sql`delete from worker_heartbeat where worker_id = ${worker_id}`.catch(() => {})
    },
  }
}

export type WorkerHeartbeat = { host: string; process_id: number; seconds: number }

/** Returns every worker that did not stop properly, the one seen last first. */
export const listWorkers = async (sql: Sql): Promise<WorkerHeartbeat[]> => sql<WorkerHeartbeat[]>`
  select host, process_id, extract(epoch from now() - seen_at)::float8 as seconds from worker_heartbeat order by seen_at desc`
