import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatabaseSockets } from './database-sockets.ts'
import type { Pool } from './db.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'

/** How long nothing may arrive from the database while a question of ours is open. A busy machine answers in seconds. */
const SILENCE_MS = 10_000
const LOOK_EVERY_MS = 1000
const ASK_EVERY_MS = 2000

export class DatabaseSilentError extends Error {
  readonly code = 'CONNECTION_CLOSED'
}

/**
 * Asks the database every two seconds whether it answers. When nothing has arrived from it for ten seconds, all
 * connections are closed: what waits fails as unavailable instead of hanging, and each new connection fails by the
 * drivers' own time limit until the database is back. `ping` is a pool of one connection on the same sockets.
 */
export function watchDatabase(
  ping: Pool,
  sockets: DatabaseSockets,
  log: Log,
  { silence_ms = SILENCE_MS }: { silence_ms?: number } = {},
): { stop(): Promise<void> } {
  let isAsking = false
  let heardAt = performance.now()
  let askedAt = 0
  const ask = async () => {
    isAsking = true
    askedAt = performance.now()
    try {
      await ping`select 1`
      heardAt = performance.now()
      outages.database.recovered(log)
    } catch (error) {
      outages.database.failed(log, error)
    } finally {
      isAsking = false
    }
  }
  const look = async () => {
    if (!isAsking && performance.now() - askedAt >= ASK_EVERY_MS) void ask()
    // What arrived while this process itself was busy is read before silence is measured.
    await nextTurn()
    await nextTurn()
    const now = performance.now()
    if (sockets.hasReceived()) heardAt = now
    if (!isAsking || now - Math.max(heardAt, askedAt) < silence_ms) return
    outages.database.failed(
      log,
      new DatabaseSilentError(`The database has not answered for ${Math.round(silence_ms / 1000)} s.`),
    )
    sockets.closeAll()
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await ping.end({ timeout: 1 })
    },
  }
}
