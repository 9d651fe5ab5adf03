import type { Pool, Sql } from './db.ts'

/**
 * PostgreSQL ended one of two transactions that waited for each other, or a row that one of them refers to went with the
 * other (deadlock_detected and foreign_key_violation, appendix A).
 */
const CONFLICT_CODES = new Set(['40P01', '23503'])
const MAX_ATTEMPTS = 5

/**
 * Runs a transaction, and again from its start where another one came across it: what it reads then is what that one left.
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
