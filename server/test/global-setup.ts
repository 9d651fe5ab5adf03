import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../src/platform/db.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { createLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'
import { type Snapshot, takeSnapshot } from './clean-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    socketDir: string
    /** The state in which every test finds its database. */
    snapshot: Snapshot
  }
}

/**
 * This database is discarded after the run, so durability is off. Deadlocks are detected sooner than after a second.
 */
const RUN_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  deadlock_timeout: '100ms',
  // Statistics updated during the run would change plans in the middle of a test.
  autovacuum: 'off',
}

/** One real PostgreSQL for the run, with a migrated template that test databases are cloned from. */
export default async function globalSetup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-test-'))
  chmodSync(folder, 0o755)
  const postgres = await startEmbeddedPostgres(folder, createLog('error'))
  const first = connect({ socketDir: postgres.socketDir, database: 'postgres' }, { max: 1 })
  for (const [name, value] of Object.entries(RUN_SETTINGS)) await first.unsafe(`alter system set ${name} = '${value}'`)
  await first`select pg_reload_conf()`
  await first`create database template_pool`
  await first.end()
  const template = connect({ socketDir: postgres.socketDir, database: 'template_pool' }, { max: 2 })
  await migrate(template)
  project.provide('snapshot', await takeSnapshot(template))
  await template.end()
  project.provide('socketDir', postgres.socketDir)
  return async () => {
    await disconnectAll(postgres.socketDir)
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Workers keep their connections until they end, which is after this; the database stops only when it has no
 * connections.
 */
async function disconnectAll(socketDir: string): Promise<void> {
  const sql = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await sql`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid()`
  await sql.end()
}
