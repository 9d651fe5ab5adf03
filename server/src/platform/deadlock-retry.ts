import type { Pool, Sql } from './db.ts'

/**
 * PostgreSQL ended one of two transactions that waited for each other (deadlock_detected), or another transaction
 * deleted a row this one refers to (foreign_key_violation); see appendix A.
 */
const CONFLICT_CODES = new Set(['40P01', '23503'])
const MAX_ATTEMPTS = 5

/**
 * Runs a transaction, and retries it from the start after a conflict with another one, so that it sees that one's
 * changes.
 */
export async function withDeadlockRetry<T>(pool: Pool, work: (sql: Sql) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await pool.begin(work)) as T
    } catch (error) {
      if (!CONFLICT_CODES.has((error as { code?: string }).code ?? '') || tries === MAX_ATTEMPTS) throw error
    }
  }
}
