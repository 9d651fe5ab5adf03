import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { inject } from 'vitest'
import { connectForJobs, type Pool } from '../src/platform/db.ts'

/**
 * Connections of the job queue to a database of this run. `end()` resolves before they are closed, so one may still be
 * open when its database is dropped; PostgreSQL then ends it with an error that is not a test failure.
 */
export const openQueue = (database: string): pg.Pool =>
  connectForJobs({ socketDir: inject('socketDir'), database }).on('error', () => {})

/** The same, to the database that `sql` is connected to. */
export async function openQueueFor(sql: Pool): Promise<pg.Pool> {
  const [row] = await sql<{ name: string }[]>`select current_database() as name`
  return openQueue(row?.name ?? '')
}

/** Creates the tables of the job queue, as the first start of a worker does. */
export async function createQueue(database: string): Promise<void> {
  const pgPool = openQueue(database)
  await runMigrations({ pgPool })
  await pgPool.end()
}
