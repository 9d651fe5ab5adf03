import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { BACKUP_SECRET, breakByte, openTestBackups, type TestBackups } from '../../test/backing-up.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { queueBeside } from '../../test/queue-connections.ts'
import { aFreshPool, rowsOf, startWriters } from '../../test/restoring.ts'
import type { Pool } from '../platform/db.ts'
import { readHistory } from '../platform/migrate.ts'
import { keyOf } from '../platform/storage.ts'
import { version } from '../platform/version.ts'
import { makeBackup } from './backup.ts'
import { checkPool } from './check.ts'
import { places, readManifest } from './manifest.ts'
import { FILE_COLUMNS, readAllNamed } from './named-files.ts'
import { restoreBackup } from './restore.ts'
import { silentSteps } from './steps.ts'
import { dumpDatabase } from './table-dump.ts'

const steps = silentSteps
const { signal } = new AbortController()
let backups: TestBackups
let pool: TestPool
beforeAll(async () => {
  backups = await openTestBackups()
  pool = backups.pool
})
afterAll(() => backups.close())

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const find = (world: Parameters<typeof checkPool>[0]) => checkPool(world, { files: 'all', steps, signal })

test('a backup taken while members download, join and upload comes back as it was, and check finds nothing wrong', async () => {
  const songs = [await aSong(pool.world, { versions: ['Clean', 'Dirty'] }), await aSong(pool.world)]
  const busy = startWriters(pool, songs)
  onTestFinished(busy.stop)
  await expect.poll(busy.rounds).toBeGreaterThan(20)
  const before = busy.rounds()
  const folder = backups.freshFolder()
  const { manifest } = await backups.make(folder)
  expect(busy.rounds()).toBeGreaterThan(before)
  await busy.stop()
  expect(manifest.lost).toEqual([])
  expect(await readManifest(folder)).toMatchObject(version)

  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, steps, signal })
  expect(await rowsOf(fresh)).toEqual(manifest.tables)
  expect(manifest.tables.find(({ table }) => table === 'download')?.rows).toBeGreaterThan(10)
  const files = readFileSync(places(folder).files, 'utf8').trim().split('\n')
  expect((await readAllNamed(fresh.sql)).map((file) => file.sha256)).toEqual(
    files.map((line) => JSON.parse(line).sha256),
  )
  expect(await find({ ...fresh, now: () => new Date() })).toEqual({ troubles: [], unnamed: [] })

  const inFolder = readdirSync(places(folder).media, { recursive: true, withFileTypes: true })
  expect(inFolder.filter((entry) => entry.isFile())).toHaveLength(files.length)

  // Numbers go on where they were.
  const world = { ...pool.world, ...fresh }
  await aMember(world)
  await aSong(world)
})

const isEmpty = async ({ sql, dataDir }: { sql: Pool; dataDir: string }) => {
  expect(await readHistory(sql)).toEqual([])
  expect(readdirSync(dataDir)).toEqual([])
}

test('refuses a backup whose manifest was changed, before anything is written', async () => {
  const folder = backups.freshFolder()
  await backups.make(folder)
  const manifest = await readManifest(folder)
  // Every table that is still listed is as it was written: only the manifest itself shows that one is gone.
  const without = { ...manifest, tables: manifest.tables.filter(({ table }) => table !== 'download') }
  writeFileSync(places(folder).manifest, JSON.stringify(without))
  const fresh = await aFreshPool()
  await expect(restoreBackup(fresh, { folder, steps, signal })).rejects.toThrow(
    'Its manifest.json is not as it was when the backup was made.',
  )
  await isEmpty(fresh)
  // Backups of the first versions have no hash of their own.
  const { manifest_sha256: _, ...older } = manifest
  writeFileSync(places(folder).manifest, JSON.stringify(older))
  expect((await readManifest(folder)).taken_at).toBe(manifest.taken_at)
})

test('who comes while the tables are written is in none of them, and neither is their picture', async () => {
  const folder = backups.freshFolder()
  let picture = ''
  const came = async () => {
    if (picture) return
    picture = hashOf(folder)
    const { customer_id } = await aMember(pool.world)
    await pool.world.sql`update customer set profile_picture = ${picture} where customer_id = ${customer_id}`
  }
  const before = await pool.world.sql`select 1 from customer`
  const snapshot = await dumpDatabase(
    { ...pool.world, jobs: backups.jobs },
    { fileOf: places(folder).table, signal, onTable: came },
  )
  await pool.world.sql`update customer set profile_picture = null where profile_picture = ${picture}`
  expect(snapshot.tables.find(({ table }) => table === 'customer')?.rows).toBe(before.length)
  expect(snapshot.files.map(({ sha256 }) => sha256)).not.toContain(picture)
})

test('a backup is whole or it is not there: one that is ended leaves nothing', async () => {
  const folder = path.join(mkdtempSync(path.join(backups.parent, 'ended-')), 'backup')
  const ending = new AbortController()
  const ends = { ...steps, done: () => ending.abort(new Error('ended')) }
  const tools = { ...pool.world, jobs: backups.jobs, secret: BACKUP_SECRET }
  await expect(makeBackup(tools, { folder, steps: ends, signal: ending.signal })).rejects.toThrow('ended')
  expect(readdirSync(path.dirname(folder))).toEqual([])
})

test('refuses to back up into a folder that is not empty, and to restore into a database that is not empty', async () => {
  const folder = backups.freshFolder()
  await backups.make(folder)
  await expect(backups.make(folder)).rejects.toThrow(`${folder} is not empty. Use a new folder for each backup.`)
  await expect(backups.make(places(folder).manifest)).rejects.toThrow('is a file')
  const full = { ...pool.world, jobs: backups.jobs }
  const rows = await rowsOf(full)
  await expect(restoreBackup(full, { folder, steps, signal })).rejects.toThrow(
    'This installation is not empty (“customer” has rows). Nothing was changed.',
  )
  expect(await rowsOf(full)).toEqual(rows)
})

test('a file that is lost or broken in the store is named, and the backup has all the others', async () => {
  const own = await openTestPool()
  const queue = await queueBeside(own.world.sql)
  onTestFinished(async () => {
    await queue.end()
    await own.close()
  })
  const song = await aSong(own.world, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [gone = '', broken = ''] = song.files.map(({ sha256 }) => sha256)
  await own.world.storage.remove('audio', gone)
  breakByte(path.join(own.world.config.dataDir, 'media', keyOf('audio', broken)))
  const { manifest } = await makeBackup(
    { ...own.world, jobs: queue, secret: BACKUP_SECRET },
    { folder: backups.freshFolder(), steps, signal },
  )
  expect(new Set(manifest.lost)).toEqual(
    new Set([
      { kind: 'audio', sha256: gone, why: 'missing' },
      { kind: 'audio', sha256: broken, why: 'broken' },
    ]),
  )
  expect(manifest.files.count).toBe(4)
})

test('tables refer to each other in no circle, and every column that names a file is known', async () => {
  const columns = await pool.world.sql<{ place: string }[]>`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and (column_name like '%sha256%' or column_name like '%picture%')`
  const others = ['damaged_file.sha256', 'import_cover.sent_sha256', 'merchandise.picture_from']
  const known = FILE_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(columns.map(({ place }) => place).sort()).toEqual([...known, ...others].sort())
})
