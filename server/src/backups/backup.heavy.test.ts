import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueueFor } from '../../test/queue-connections.ts'
import { aFreshPool, countRows, startWriters } from '../../test/restore-helpers.ts'
import { BACKUP_SECRET, corruptByte, openTestBackups, type TestBackups } from '../../test/test-backups.ts'
import type { Pool } from '../platform/db.ts'
import { readHistory } from '../platform/migrate.ts'
import { storageKey } from '../platform/storage.ts'
import { version } from '../platform/version.ts'
import { makeBackup } from './backup.ts'
import { checkPool } from './check.ts'
import { backupPaths, readManifest } from './manifest.ts'
import { silentProgress } from './progress.ts'
import { FILE_COLUMNS, readAllReferenced } from './referenced-files.ts'
import { restoreBackup } from './restore.ts'
import { dumpDatabase } from './table-dump.ts'

const progress = silentProgress
const { signal } = new AbortController()
let backups: TestBackups
let pool: TestPool
beforeAll(async () => {
  backups = await openTestBackups()
  pool = backups.pool
})
afterAll(() => backups.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const find = (ctx: Parameters<typeof checkPool>[0]) => checkPool(ctx, { files: 'all', progress, signal })

test('restores a backup taken while members download, join and upload, and check finds no problems', async () => {
  const songs = [await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }), await aSong(pool.ctx)]
  const busy = startWriters(pool, songs)
  onTestFinished(busy.stop)
  const countDownloads = async () => (await pool.ctx.sql`select 1 from download`).length
  await expect.poll(countDownloads).toBeGreaterThan(10)
  const before = busy.rounds()
  const folder = backups.freshFolder()
  const { manifest } = await backups.make(folder)
  expect(busy.rounds()).toBeGreaterThan(before)
  await busy.stop()
  expect(manifest.lost).toEqual([])
  expect(await readManifest(folder)).toMatchObject(version)

  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, progress, signal })
  expect(await countRows(fresh)).toEqual(manifest.tables)
  expect(manifest.tables.find(({ table }) => table === 'download')?.rows).toBeGreaterThan(10)
  const files = readFileSync(backupPaths(folder).files, 'utf8').trim().split('\n')
  expect((await readAllReferenced(fresh.sql)).map((file) => file.sha256)).toEqual(
    files.map((line) => JSON.parse(line).sha256),
  )
  expect(await find({ ...fresh, now: () => new Date() })).toEqual({ problems: [], unnamed: [] })

  const inFolder = readdirSync(backupPaths(folder).media, { recursive: true, withFileTypes: true })
  expect(inFolder.filter((entry) => entry.isFile())).toHaveLength(files.length)

  // Sequences continue where they were.
  const ctx = { ...pool.ctx, ...fresh }
  await aMember(ctx)
  await aSong(ctx)
})

const isEmpty = async ({ sql, dataDir }: { sql: Pool; dataDir: string }) => {
  expect(await readHistory(sql)).toEqual([])
  expect(readdirSync(dataDir)).toEqual([])
}

test('refuses a backup whose manifest was changed, before anything is written', async () => {
  const folder = backups.freshFolder()
  await backups.make(folder)
  const manifest = await readManifest(folder)
  // Every table that is still listed is intact: only the manifest's hash shows that one is missing.
  const without = { ...manifest, tables: manifest.tables.filter(({ table }) => table !== 'download') }
  writeFileSync(backupPaths(folder).manifest, JSON.stringify(without))
  const fresh = await aFreshPool()
  await expect(restoreBackup(fresh, { folder, progress, signal })).rejects.toThrow(
    'its manifest.json was changed after the backup was made.',
  )
  await isEmpty(fresh)
  // Backups of the first versions have no hash of their own.
  const { manifest_sha256: _, ...older } = manifest
  writeFileSync(backupPaths(folder).manifest, JSON.stringify(older))
  expect((await readManifest(folder)).taken_at).toBe(manifest.taken_at)
})

test('includes neither rows nor pictures of a member who joins while the tables are exported', async () => {
  const folder = backups.freshFolder()
  let picture = ''
  const waitForBackup = async () => {
    if (picture) return
    picture = hashOf(folder)
    const { customer_id } = await aMember(pool.ctx)
    await pool.ctx.sql`update customer set profile_picture = ${picture} where customer_id = ${customer_id}`
  }
  const before = await pool.ctx.sql`select 1 from customer`
  const snapshot = await dumpDatabase(
    { ...pool.ctx, jobs: backups.jobs },
    { fileOf: backupPaths(folder).table, signal, onTable: waitForBackup },
  )
  await pool.ctx.sql`update customer set profile_picture = null where profile_picture = ${picture}`
  expect(snapshot.tables.find(({ table }) => table === 'customer')?.rows).toBe(before.length)
  expect(snapshot.files.map(({ sha256 }) => sha256)).not.toContain(picture)
})

test('leaves nothing when a backup is aborted', async () => {
  const folder = path.join(mkdtempSync(path.join(backups.parent, 'ended-')), 'backup')
  const ending = new AbortController()
  const ends = { ...progress, done: () => ending.abort(new Error('ended')) }
  const deps = { ...pool.ctx, jobs: backups.jobs, secret: BACKUP_SECRET }
  await expect(makeBackup(deps, { folder, progress: ends, signal: ending.signal })).rejects.toThrow('ended')
  expect(readdirSync(path.dirname(folder))).toEqual([])
})

test('refuses to back up into a non-empty folder, and to restore into a non-empty database', async () => {
  const folder = backups.freshFolder()
  await backups.make(folder)
  await expect(backups.make(folder)).rejects.toThrow(`${folder} is not empty. Use a new folder for each backup.`)
  await expect(backups.make(backupPaths(folder).manifest)).rejects.toThrow('is a file')
  const full = { ...pool.ctx, jobs: backups.jobs }
  const rows = await countRows(full)
  await expect(restoreBackup(full, { folder, progress, signal })).rejects.toThrow(
    'This installation is not empty (“customer” has rows). Nothing was changed.',
  )
  expect(await countRows(full)).toEqual(rows)
})

test('names a file that is lost or damaged in the store and backs up all the others', async () => {
  const own = await openTestPool()
  const queue = await openQueueFor(own.ctx.sql)
  onTestFinished(async () => {
    await queue.end()
    await own.close()
  })
  const song = await aSong(own.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [gone = '', broken = ''] = song.files.map(({ sha256 }) => sha256)
  await own.ctx.storage.remove('audio', gone)
  corruptByte(path.join(own.ctx.config.dataDir, 'media', storageKey('audio', broken)))
  const { manifest } = await makeBackup(
    { ...own.ctx, jobs: queue, secret: BACKUP_SECRET },
    { folder: backups.freshFolder(), progress, signal },
  )
  expect(new Set(manifest.lost)).toEqual(
    new Set([
      { kind: 'audio', sha256: gone, why: 'missing' },
      { kind: 'audio', sha256: broken, why: 'broken' },
    ]),
  )
  expect(manifest.files.count).toBe(4)
})

test('has no circular references between tables, and knows every column that names a file', async () => {
  const columns = await pool.ctx.sql<{ place: string }[]>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and (column_name like '%sha256%' or column_name like '%picture%')`
  const others = ['damaged_file.sha256', 'import_cover.uploaded_sha256', 'merchandise.picture_source']
  const known = FILE_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(columns.map(({ place: location }) => location).sort()).toEqual([...known, ...others].sort())
})
