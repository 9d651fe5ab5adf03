import { databaseIsAway, type Pool } from './db.ts'
import type { Log } from './log.ts'
import { repeat } from './repeat.ts'

/**
 * A standby that follows the database (`DATABASE_READ_URL`): what is the same for everybody may be read there. Nothing is
 * asked of it while it is away or behind.
 */
export type Replica = {
  sql: Pool
  /** Whether it answered last time it was asked, with all that had been written one look before. */
  isFresh(): boolean
  /** True for trouble that is the standby's own: the database itself can answer. It is left alone until it is well again. */
  isItsTrouble(error: unknown): boolean
  /** Looks how far it is, and follows from there. */
  look(): Promise<void>
  close(): Promise<void>
}

const LOOK_EVERY_MS = 5_000

/**
 * PostgreSQL (appendix A): read_only_sql_transaction; serialization_failure and query_canceled are what a standby ends a
 * statement with that stands in the way of what it has to follow (27.4.2, "Handling Query Conflicts").
 */
const STANDBY_TROUBLE = new Set(['25006', '40001', '57014'])

/** Follows a standby. `isFresh` is false until the first two looks have found it so. */
export function followReplica(primary: Pool, replica: Pool, log: Log): Replica {
  let isFresh = false
  /** What the primary had written at the last look. */
  let wanted: string | undefined
  const say = (now: boolean, why: string) => {
    if (now !== isFresh) log.warn({ fresh: now }, why)
    isFresh = now
  }
  const look = async () => {
    const was = wanted
    // While the database itself is away the replica is as good as it was.
    wanted = await writtenBy(primary).catch(() => undefined)
    if (was === undefined) return
    try {
      const hasIt = await hasReplayed(replica, was)
      say(
        hasIt,
        hasIt ? 'Read replica available again' : 'Read replica is lagging; reading lists from the primary database',
      )
    } catch (error) {
      say(false, `Read replica unavailable (${(error as Error).message}); reading lists from the primary database`)
    }
  }
  const looking = repeat(LOOK_EVERY_MS, log, look)
  return {
    sql: replica,
    isFresh: () => isFresh,
    isItsTrouble: (error) => {
      const isOwn = databaseIsAway(error) || STANDBY_TROUBLE.has((error as { code?: string }).code ?? '')
      if (databaseIsAway(error)) say(false, 'Read replica unavailable; reading lists from the primary database')
      return isOwn
    },
    look,
    close: async () => {
      await looking.stop()
      await replica.end({ timeout: 5 })
    },
  }
}

async function writtenBy(primary: Pool): Promise<string> {
  const [row] = await primary<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`
  return row?.lsn ?? '0/0'
}

/** A database that follows nobody is as far as itself. */
async function hasReplayed(replica: Pool, lsn: string): Promise<boolean> {
  const [row] = await replica<{ has_it: boolean }[]>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end
      >= ${lsn}::pg_lsn as has_it`
  return row?.has_it ?? false
}
