import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dashboard } from '@dubplate/contract'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueueFor } from '../../test/queue-connections.ts'
import { runQueuedBackup } from './backup-jobs.ts'
import { recordVerification } from './backup-record.ts'
import { readManifest } from './manifest.ts'
import { measureStorage } from './storage-usage.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-backups-'))
let pool: TestPool
let jobs: pg.Pool
let admin: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ config: { backupDir: folder } })
  admin = await aMember(pool.ctx, { staff_role: 'admin', application: 'none' })
  jobs = await openQueueFor(pool.ctx.sql)
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = () => pool.ask(dashboard.getStorage, {}, admin.token)
const measureNow = () => pool.ask(dashboard.measureStorage, {}, admin.token)
const backUp = () => pool.ask(dashboard.backUp, {}, admin.token)
const { signal } = new AbortController()

test('says so when nothing has been measured or backed up yet', async () => {
  expect(await read()).toMatchObject({
    ...{ measured: null, is_measuring: false, growth: [], missing_originals: [], backups: [], last_check: null },
    ...{ backup_dir: folder, backup_days: 7, is_backup_old: true, is_backing_up: false },
    place: { bucket: null, free_bytes: expect.any(Number), disk_bytes: expect.any(Number) },
  })
  // Without a worker nothing would run the job.
  for (const call of [measureNow, backUp]) expect(await errorOf(call())).toMatchObject({ code: 'worker_not_running' })
})

test('measures the usage of each kind, with missing and unreferenced files', async () => {
  const { sql, storage, config } = pool.ctx
  const [song, lost] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  await storage.remove('audio', lost.files[0]!.sha256)
  await sql`update file set missing_since = now() where file_id = ${lost.files[0]!.file_id}`
  const orphan = await storage.putBytes('images', Buffer.from('a picture nobody names'))
  const unfinished = path.join(config.dataDir, 'media', 'unfinished')
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(path.join(unfinished, '7-half'), 'half')
  // The file is older than the grace period, during which a new file may still be referenced.
  const later = new Date(Date.now() + 2 * 3_600_000)
  await measureStorage({ ...pool.ctx, now: () => later })
  const { measured, missing_originals } = await read()
  const kind = (name: dashboard.StoredKind) => measured?.kinds.find((one) => one.kind === name)
  expect(kind('originals')).toMatchObject({ files: 1, bytes: song.files[0]!.bytes.length })
  expect(kind('previews')?.files).toBe(2)
  expect(kind('pictures')).toMatchObject({ files: 1, bytes: 22 })
  expect(kind('unfinished')).toMatchObject({ files: 1, bytes: 4 })
  expect(measured).toMatchObject({ missing: 1, orphans: 1, orphan_bytes: 22 })
  expect(measured?.database_bytes).toBeGreaterThan(1e6)
  expect(measured?.tables.length).toBeGreaterThan(5)
  expect(missing_originals).toMatchObject([{ song: `${lost.artist} – ${lost.title} (Clean)` }])
  await storage.remove('images', orphan.sha256)

  await sql`update storage_usage set day = '2026-11-19', measured_at = '2026-11-19T03:40:00Z'`
  for (const at of ['2026-11-20T03:12:00Z', '2026-11-20T15:00:00Z'])
    await measureStorage({ ...pool.ctx, now: () => new Date(at) })
  const { growth, measured: second } = await read()
  expect(growth.map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-20'])
  expect(growth[0]!.store_bytes - growth[1]!.store_bytes).toBe(22)
  expect(second).toMatchObject({ measured_at: '2026-11-20T15:00:00.000Z', orphans: 0 })
})

test('a worker makes a requested backup once, lists it and records it in the audit log', async () => {
  await runMigrations({ pgPool: jobs })
  const both = await Promise.allSettled([backUp(), backUp()])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await errorOf(backUp())).toMatchObject({ status: 409, code: 'backup_in_progress' })
  expect((await read()).is_backing_up).toBe(true)
  const waiting = await pool.ctx.sql<{ payload: { folder: string } }[]>`
    select payload from graphile_worker._private_jobs`
  expect(waiting).toHaveLength(1)
  const { payload } = waiting[0]!
  expect(path.dirname(payload.folder)).toBe(folder)
  await runQueuedBackup(pool.ctx, jobs, { payload, signal })
  await pool.ctx.sql`delete from graphile_worker._private_jobs`
  const manifest = await readManifest(payload.folder)
  const { backups, is_backing_up, is_backup_old } = await read()
  expect([is_backing_up, is_backup_old]).toEqual([false, false])
  expect(backups).toMatchObject([
    {
      ...{ folder: payload.folder, taken_at: manifest.taken_at, error_message: '', lost: 1, checked_at: null },
      ...{ files: manifest.files.count, copied: manifest.files.count, requested_by: expect.stringMatching(/^DJ/) },
    },
  ])
  expect(backups[0]!.bytes).toBeGreaterThan(manifest.files.bytes)
  const [auditEntry] = await pool.ctx.sql`select after from audit where action = 'backup started'`
  expect(auditEntry?.after).toEqual({ folder: payload.folder })
  await recordVerification(pool.ctx.sql, payload.folder, '')
  expect((await read()).backups[0]).toMatchObject({ checked_at: expect.any(String), check_error: '' })
})

test('a failed backup is listed with its reason and does not count as a backup', async () => {
  await pool.ctx.sql`delete from backup`
  const taken = path.join(folder, 'taken')
  mkdirSync(taken)
  writeFileSync(path.join(taken, 'file'), '')
  const payload = { folder: taken, staff_id: admin.customer_id }
  await expect(runQueuedBackup(pool.ctx, jobs, { payload, signal })).rejects.toThrow('is not empty')
  const { backups, is_backup_old } = await read()
  expect(backups).toMatchObject([
    { folder: taken, taken_at: null, error_message: expect.stringContaining('is not empty') },
  ])
  expect(is_backup_old).toBe(true)

  const stopped = new AbortController()
  stopped.abort(new Error('The worker stops.'))
  const broken = { folder: path.join(folder, 'broken'), staff_id: admin.customer_id }
  await expect(runQueuedBackup(pool.ctx, jobs, { payload: broken, signal: stopped.signal })).rejects.toThrow()
  expect(existsSync(broken.folder)).toBe(false)
})

test('says how to make backups when no folder is configured', async () => {
  pool.ctx.config.backupDir = undefined
  expect((await read()).backup_dir).toBeNull()
  expect(await errorOf(backUp())).toMatchObject({ status: 422, code: 'backup_folder_not_configured' })
})
