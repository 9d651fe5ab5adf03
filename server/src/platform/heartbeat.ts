import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Pool, Sql } from './db.ts'
import type { Log } from './log.ts'
import { repeat } from './repeat.ts'

const BEAT_EVERY_MS = 10_000
/** A worker that was not seen for this long is not working. */
export const STALE_SECONDS = 60
const KEPT_HOURS = 24

export type Heartbeat = {
  /** How long ago the last beat was written, in milliseconds. */
  age_ms(): number
  stop(): Promise<void>
}

/** Writes down every few seconds that this worker works, until stopped. */
export async function startHeartbeat(sql: Pool, log: Log): Promise<Heartbeat> {
  const worker_id = randomUUID()
  let beatAt = performance.now()
  const beat = async () => {
    await sql`
      insert into worker_heartbeat (worker_id, host, process_id, started_at, seen_at)
      values (${worker_id}, ${hostname()}, ${process.pid}, now(), now())
      on conflict (worker_id) do update set seen_at = excluded.seen_at`
    beatAt = performance.now()
  }
  await beat()
  await sql`delete from worker_heartbeat where seen_at < now() - make_interval(hours => ${KEPT_HOURS})`
  const beating = repeat(BEAT_EVERY_MS, log, beat)
  return {
    age_ms: () => performance.now() - beatAt,
    stop: async () => {
      await beating.stop()
      // One that ended properly is not missed.
      await sql`delete from worker_heartbeat where worker_id = ${worker_id}`.catch(() => {})
    },
  }
}

export type WorkerSeen = { host: string; process_id: number; seconds: number }

/** Every worker that did not say goodbye, the one seen last first. */
export const listWorkers = async (sql: Sql): Promise<WorkerSeen[]> => sql<WorkerSeen[]>`
  select host, process_id, extract(epoch from now() - seen_at)::float8 as seconds from worker_heartbeat order by seen_at desc`
