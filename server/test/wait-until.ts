import { expect, vi } from 'vitest'
import type { Sql } from '../src/platform/db.ts'

/** Longer than a busy machine takes: the test is that it happens, not how soon. */
const WAIT_OPTIONS = { timeout: 60_000, interval: 20 }

/** Waits until this no longer throws. */
export const waitUntil = <T>(what: () => T | Promise<T>): Promise<T> => vi.waitFor(what, WAIT_OPTIONS)

/** Waits until this many statements of this pool wait for a lock. */
export const waitForBlocked = (sql: Sql, n: number): Promise<void> =>
  waitUntil(async () => {
    const [waiting] = await sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    expect(waiting?.n).toBe(n)
  })
