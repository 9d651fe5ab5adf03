import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { downloads } from '@dubplate/contract'
import type pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { backupPaths } from '../src/backups/manifest.ts'
import { dumpDatabase } from '../src/backups/table-dump.ts'
import { connect, type Pool } from '../src/platform/db.ts'
import { migrateUpTo } from '../src/platform/migrate.ts'
import { createDiskStorage } from '../src/platform/storage-disk.ts'
import { aMember } from './makers.ts'
import type { TestPool } from './pool.ts'
import { openQueue } from './queue-connections.ts'
import { anUpload } from './upload-makers.ts'

let count = 0

/**
 * A database and storage to restore into until the test ends. The database is only migrated if a migration is given.
 */
export async function aFreshPool(migratedUpTo?: string) {
  const socketDir = inject('socketDir')
  const database = `restored_${process.pid}_${++count}_${Date.now()}`
  const adminConnection = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await adminConnection.unsafe(`create database ${database}`)
  const sql = connect({ socketDir, database }, { max: 4 })
  const jobs = openQueue(database)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-restored-'))
  onTestFinished(async () => {
    await Promise.all([sql.end(), jobs.end()])
    await adminConnection.unsafe(`drop database ${database} with (force)`)
    await adminConnection.end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  if (migratedUpTo) await migrateUpTo(sql, migratedUpTo)
  return { sql, jobs, dataDir, storage: createDiskStorage(dataDir) }
}

/** The rows of every table of a database as a backup would contain them. */
export async function countRows(databases: { sql: Pool; jobs: pg.Pool }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-rows-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { signal } = new AbortController()
  const { tables } = await dumpDatabase(databases, { fileOf: backupPaths(folder).table, signal })
  return tables
}

/** Members who sign up, download, upload files and delete them, until they are stopped. */
export function startWriters(pool: TestPool, songs: readonly { versionIds: number[] }[]) {
  let isStopping = false
  let rounds = 0
  const repeat = async (run: () => Promise<void>) => {
    while (!isStopping) {
      await run()
      rounds += 1
    }
  }
  const loops = [
    repeat(async () => {
      const { token } = await aMember(pool.ctx)
      for (const { versionIds } of songs) {
        await pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, token)
      }
    }),
    repeat(async () => {
      await anUpload(pool.ctx, await aMember(pool.ctx), { analysed: false })
    }),
    repeat(async () => {
      // A picture that a snapshot may contain and that is deleted a moment later.
      const { customer_id } = await aMember(pool.ctx)
      const { sha256 } = await pool.ctx.storage.putBytes('images', Buffer.from(`picture ${customer_id}`))
      await pool.ctx.sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
      await pool.ctx.sql`update customer set profile_picture = null where customer_id = ${customer_id}`
      await pool.ctx.storage.remove('images', sha256)
    }),
  ]
  return {
    rounds: () => rounds,
    stop: async () => {
      isStopping = true
      await Promise.all(loops)
    },
  }
}
