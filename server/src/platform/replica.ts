import { isDatabaseUnavailable, type Pool } from './db.ts'
import type { Log } from './log.ts'
import { repeatEvery } from './repeat-every.ts'

/**
 * A standby of the database (`DATABASE_READ_URL`) that can serve data that is the same for everyone. It is not used
 * while it is unavailable or behind.
 */
export type Replica = {
  sql: Pool
  /** Whether it responded at the last check and had everything that was written one check before. */
  isUpToDate(): boolean
  /**
   * Returns true for an error of the standby only: the primary can run the query. The standby is then not used until it
   * is healthy again.
   */
  isReplicaError(error: unknown): boolean
  /** Checks its position and updates the state. */
  look(): Promise<void>
  close(): Promise<void>
}

const CHECK_INTERVAL_MS = 5_000

/**
 * PostgreSQL (appendix A): read_only_sql_transaction; serialization_failure and query_canceled are the errors with
 * which a standby ends a statement that conflicts with replication (27.4.2, "Handling Query Conflicts").
 */
const STANDBY_ERRORS = new Set(['25006', '40001', '57014'])

/** Monitors a standby. `isUpToDate` is false until the first two checks succeed. */
export function followReplica(primary: Pool, replica: Pool, log: Log): Replica {
  let isUpToDate = false
  /** What the primary had written at the last check. */
  let requiredLsn: string | undefined
  const setFresh = (now: boolean, why: string) => {
    if (now !== isUpToDate) log.warn({ fresh: now }, why)
    isUpToDate = now
  }
  const look = async () => {
    const waitingFor = requiredLsn
    // While the primary is unavailable the replica keeps its last state.
    requiredLsn = await currentLsn(primary).catch(() => undefined)
    if (waitingFor === undefined) return
    try {
      const isCaughtUp = await hasReplayedUpTo(replica, waitingFor)
      setFresh(
        isCaughtUp,
        isCaughtUp
          ? 'Read replica available again'
          : 'Read replica is lagging; reading lists from the primary database',
      )
    } catch (error) {
      setFresh(false, `Read replica unavailable (${(error as Error).message}); reading lists from the primary database`)
    }
  }
  const measuring = repeatEvery(CHECK_INTERVAL_MS, log, look)
  return {
    sql: replica,
    isUpToDate: () => isUpToDate,
    isReplicaError: (error) => {
      if (STANDBY_ERRORS.has((error as { code?: string }).code ?? '')) return true
      if (!isDatabaseUnavailable(error)) return false
      setFresh(false, 'Read replica unavailable; reading lists from the primary database')
      return true
    },
    look,
    close: async () => {
      await measuring.stop()
      await replica.end({ timeout: 5 })
    },
  }
}

async function currentLsn(primary: Pool): Promise<string> {
  const [row] = await primary<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`
  return row?.lsn ?? '0/0'
}

/** A database that is not a standby counts as up to date. */
async function hasReplayedUpTo(replica: Pool, lsn: string): Promise<boolean> {
  const [row] = await replica<{ has_it: boolean }[]>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
      >= ${lsn}::pg_lsn as has_it`
  return row?.has_it ?? false
}
