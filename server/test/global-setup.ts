import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../src/platform/db.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts'
import { makeLog } from '../src/platform/log.ts'
import { migrate } from '../src/platform/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    socketDir: string
  }
}

/**
 * Nothing of this database outlives the run: what it says is kept need not have reached the disk. Who stands in each
 * other's way is found out sooner than after a second.
 */
const FOR_A_RUN = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  deadlock_timeout: '100ms',
}

/** One real PostgreSQL for the run, with a migrated template that each test file clones. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-test-'))
  chmodSync(folder, 0o755)
  const postgres = await startEmbeddedPostgres(folder, makeLog('error'))
  const first = connect({ socketDir: postgres.socketDir, database: 'postgres' }, { max: 1 })
  for (const [name, value] of Object.entries(FOR_A_RUN)) await first.unsafe(`alter system set ${name} = '${value}'`)
  await first`select pg_reload_conf()`
  await first`create database template_pool`
  await first.end()
  const template = connect({ socketDir: postgres.socketDir, database: 'template_pool' }, { max: 2 })
  await migrate(template)
  await template.end()
  project.provide('socketDir', postgres.socketDir)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
