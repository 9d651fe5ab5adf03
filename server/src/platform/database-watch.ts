import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSockets } from './database-sockets.ts'
import type { Pool } from './db.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'

/** How long nothing may arrive from the database while a query is open. A busy machine responds within seconds. */
const SILENCE_TIMEOUT_MS = 10_000
const CHECK_INTERVAL_MS = 1000
const PING_INTERVAL_MS = 2000

const STANDBY_MESSAGE =
  'DATABASE_URL leads to a standby, which cannot write. Connecting again. If this continues, make it lead to the primary.'

class DatabaseUnusableError extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/**
 * Pings the database every two seconds. If nothing has arrived from it for ten seconds, all connections are closed:
 * open queries fail as unavailable instead of hanging, and new connections fail by the drivers' time limits until the
 * database is back. They are also closed if they lead to a standby, which a failover can leave behind: new connections
 * reach the new primary. `ping` is a pool of one connection on the same sockets.
 */
export function watchDatabase(
  ping: Pool,
  sockets: DatabaseSockets,
  log: Log,
  { silence_ms = SILENCE_TIMEOUT_MS }: { silence_ms?: number } = {},
): { stop(): Promise<void> } {
  let isPinging = false
  let lastHeardAt = performance.now()
  let lastPingAt = 0
  const pingDatabase = async () => {
    isPinging = true
    lastPingAt = performance.now()
    try {
      const [found] = await ping<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`
      lastHeardAt = performance.now()
      if (found?.is_standby) throw new DatabaseUnusableError(STANDBY_MESSAGE)
      outages.database.recovered(log)
    } catch (error) {
      outages.database.failed(log, error)
      if (error instanceof DatabaseUnusableError) sockets.closeAll()
    } finally {
      isPinging = false
    }
  }
  const look = async () => {
    if (!isPinging && performance.now() - lastPingAt >= PING_INTERVAL_MS) void pingDatabase()
    // Data that arrived while this process was busy is read before silence is measured.
    await nextTurn()
    await nextTurn()
    const now = performance.now()
    if (sockets.hasReceived()) lastHeardAt = now
    if (!isPinging || now - Math.max(lastHeardAt, lastPingAt) < silence_ms) return
    outages.database.failed(
      log,
      new DatabaseUnusableError(`The database has not responded for ${Math.round(silence_ms / 1000)} s.`),
    )
    sockets.closeAll()
  }
  const timer = setInterval(() => void look(), CHECK_INTERVAL_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await ping.end({ timeout: 1 })
    },
  }
}
