import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runMigrations } from 'graphile-worker'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueueFor } from '../../test/queue-connections.ts'
import { readConfig } from '../platform/config.ts'
import { secretMarkOf } from './backup.ts'
import { runQueuedBackup } from './backup-jobs.ts'
import { recordVerification } from './backup-record.ts'
import { backupPaths, type Manifest } from './manifest.ts'
import { type BackupCandidate, removeOldBackups, selectExpired } from './retention.ts'
import { lastScheduled, queueScheduledBackup } from './schedule.ts'

const { signal } = new AbortController()
let folder = ''
let pool: TestPool
let jobs: pg.Pool
beforeAll(async () => {
  pool = await openTestPool()
  jobs = await openQueueFor(pool.ctx.sql)
  await runMigrations({ pgPool: jobs })
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
})
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-retention-'))
  pool.ctx.config.backupDir = folder
  await pool.ctx.sql`delete from backup`
  await pool.ctx.sql`delete from graphile_worker._private_jobs`
  return () => rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['2026-11-22T04:15:00Z', '2026-11-22T04:15:00.000Z'],
  ['2026-11-22T23:59:59Z', '2026-11-22T04:15:00.000Z'],
  ['2026-11-22T04:14:59Z', '2026-11-21T04:15:00.000Z'],
  ['2026-03-01T00:00:00Z', '2026-02-28T04:15:00.000Z'],
])('at %s the last backup was due at %s', (now, due) => {
  expect(lastScheduled({ hour: 4, minute: 15 }, new Date(now)).toISOString()).toBe(due)
})

const at = (time: string) => ({ ...pool.ctx, now: () => new Date(time) })
const queued = () =>
  pool.ctx.sql<{ payload: { folder: string } }[]>`select payload from graphile_worker._private_jobs order by id`
const recorded = (started_at: string, { fails = false, is_scheduled = true } = {}) => pool.ctx.sql`
  insert into backup (folder, started_at, ended_at, taken_at, error_message, is_scheduled)
  values ('/b', ${started_at}, ${started_at}, ${fails ? null : started_at}, ${fails ? 'No room.' : ''}, ${is_scheduled})`

test('queues the backup of the day once, even when its time passed while nothing ran', async () => {
  await recorded('2026-11-21T04:15:00Z')
  expect(await queueScheduledBackup(at('2026-11-22T04:10:00Z'))).toBe(false)
  const both = await Promise.all([1, 2].map(() => queueScheduledBackup(at('2026-11-22T09:40:00Z'))))
  expect(both.sort()).toEqual([false, true])
  expect(await queued()).toMatchObject([{ payload: { folder: path.join(folder, 'nightly-2026-11-22T09-40-00Z') } }])
})

test('counts a backup made since then', async () => {
  await recorded('2026-11-22T08:00:00Z', { is_scheduled: false })
  expect(await queueScheduledBackup(at('2026-11-22T09:40:00Z'))).toBe(false)
})

test('retries a failed backup after an hour, three times a day', async () => {
  await recorded('2026-11-22T04:15:00Z', { fails: true })
  expect(await queueScheduledBackup(at('2026-11-22T05:10:00Z'))).toBe(false)
  expect(await queueScheduledBackup(at('2026-11-22T05:20:00Z'))).toBe(true)
  await pool.ctx.sql`delete from graphile_worker._private_jobs`
  await recorded('2026-11-22T05:20:00Z', { fails: true })
  await recorded('2026-11-22T06:30:00Z', { fails: true })
  expect(await queueScheduledBackup(at('2026-11-22T12:00:00Z'))).toBe(false)
  expect(await queueScheduledBackup(at('2026-11-23T04:20:00Z'))).toBe(true)
})

test('makes none without BACKUP_DIR, or with BACKUP_TIME=off', async () => {
  const off = { ...at('2026-11-22T09:40:00Z'), config: { ...pool.ctx.config, backupTime: undefined } }
  expect(await queueScheduledBackup(off)).toBe(false)
  pool.ctx.config.backupDir = undefined
  expect(await queueScheduledBackup(at('2026-11-22T09:40:00Z'))).toBe(false)
})

test('reads BACKUP_TIME and BACKUP_KEEP', () => {
  const read = (env: Record<string, string>) => readConfig({ SECRET: 'x'.repeat(32), ...env })
  expect(read({})).toMatchObject({ backupTime: { hour: 4, minute: 15 }, backupKeep: { daily: 7, weekly: 4 } })
  expect(read({ BACKUP_TIME: 'off' }).backupTime).toBeUndefined()
  expect(read({ BACKUP_KEEP: '14 daily' }).backupKeep).toEqual({ daily: 14, weekly: 0 })
  expect(read({ BACKUP_KEEP: '3 daily, 8 weekly' }).backupKeep).toEqual({ daily: 3, weekly: 8 })
  for (const [name, value] of [
    ['BACKUP_TIME', '25:00'],
    ['BACKUP_KEEP', '0 daily'],
    ['BACKUP_KEEP', 'everything'],
  ] as const)
    expect(() => read({ [name]: value })).toThrow(`Invalid ${name}="${value}": expected `)
  expect(() => read({ BACKUP_FILES: 'bucket' })).toThrow(/BACKUP_FILES="bucket".+STORAGE_URL/)
})

/** One backup a day for this many days up to 22 November 2026, a Sunday, newest first. */
const ofDays = (days: number): BackupCandidate[] =>
  Array.from({ length: days }, (_, n) => {
    const taken_at = new Date(Date.UTC(2026, 10, 22 - n, 4, 15)).toISOString()
    return { folder: taken_at.slice(0, 10), taken_at, isGood: true }
  })
const keptFolders = (all: BackupCandidate[], keep = { daily: 7, weekly: 4 }) => {
  const old = selectExpired(all, keep)
  return all.filter((one) => !old.includes(one)).map((one) => one.folder)
}

test('keeps the last of each day for a week and the last of each week for four', () => {
  expect(keptFolders(ofDays(60))).toEqual([
    ...['2026-11-22', '2026-11-21', '2026-11-20', '2026-11-19', '2026-11-18', '2026-11-17', '2026-11-16'],
    ...['2026-11-15', '2026-11-08', '2026-11-01'],
  ])
})

test('counts days that have a backup, so a pool that was off keeps as many', () => {
  const everyThird = ofDays(60).filter((_, n) => n % 3 === 0)
  expect(keptFolders(everyThird, { daily: 7, weekly: 0 })).toHaveLength(7)
})

test('never removes the newest backup that is not known to be damaged, however old', () => {
  const all = ofDays(40).map((one, n) => ({ ...one, isGood: n === 39 }))
  expect(keptFolders(all, { daily: 2, weekly: 0 })).toEqual(['2026-11-22', '2026-11-21', all[39]?.folder])
  const [first, second] = ofDays(1).concat(ofDays(1))
  const damaged = { ...first!, folder: 'later', taken_at: '2026-11-22T05:00:00Z', isGood: false }
  const sameDay = [damaged, { ...second!, folder: 'earlier' }]
  expect(keptFolders([...sameDay, ...ofDays(9).slice(1)], { daily: 3, weekly: 0 })).toEqual([
    ...['later', 'earlier', '2026-11-21', '2026-11-20'],
  ])
})

const SECRET_MARK = 'ours0000'
/** Creates a folder with the manifest of a complete backup. */
function aBackup(name: string, { taken_at, secret_mark = SECRET_MARK }: { taken_at: string; secret_mark?: string }) {
  const manifest: Manifest = {
    ...{
      dubplate_backup: 1,
      version: '0',
      commit: '',
      taken_at,
      migrations: [],
      tables: [],
      sequences: [],
      lost: [],
      secret_mark,
    },
    files: { count: 0, bytes: 0, sha256: '0'.repeat(64) },
  }
  mkdirSync(path.join(folder, name))
  writeFileSync(backupPaths(path.join(folder, name)).manifest, JSON.stringify(manifest))
}

test('removes only complete scheduled backups of this pool', async () => {
  for (let day = 10; day < 20; day += 1) aBackup(`nightly-2026-11-${day}`, { taken_at: `2026-11-${day}T04:15:00.000Z` })
  aBackup('before-the-upgrade', { taken_at: '2026-01-01T00:00:00.000Z' })
  aBackup('nightly-of-another-pool', { taken_at: '2026-01-01T00:00:00.000Z', secret_mark: 'theirs00' })
  aBackup('nightly-2026-11-01.unfinished-0a0b0c0d', { taken_at: '2026-11-01T00:00:00.000Z' })
  mkdirSync(path.join(folder, 'nightly-without-manifest'))
  // The newest was verified and found to be damaged.
  await recorded('2026-11-19T04:15:00Z')
  await pool.ctx.sql`update backup set folder = ${path.join(folder, 'nightly-2026-11-19')}`
  await recordVerification(pool.ctx.sql, path.join(folder, 'nightly-2026-11-19'), 'It is damaged.')
  const options = {
    ...{ parent: folder, keep: { daily: 1, weekly: 0 }, secretMark: SECRET_MARK },
    ...{ storageCredentials: undefined, now: new Date() },
  }
  const removed = await removeOldBackups(pool.ctx, options)
  expect(removed).toHaveLength(8)
  expect(readdirSync(folder).sort()).toEqual([
    ...['before-the-upgrade', 'nightly-2026-11-01.unfinished-0a0b0c0d', 'nightly-2026-11-18', 'nightly-2026-11-19'],
    ...['nightly-of-another-pool', 'nightly-without-manifest'],
  ])
})

test('the worker makes the scheduled backup, records it and removes the one before', async () => {
  await aSong(pool.ctx)
  pool.ctx.config.backupKeep = { daily: 1, weekly: 0 }
  const secret_mark = secretMarkOf(pool.ctx.config.secret)
  aBackup('nightly-2020-01-01T00-00-00Z', { taken_at: '2020-01-01T00:00:00.000Z', secret_mark })
  await queueScheduledBackup(pool.ctx)
  const [{ payload } = { payload: { folder: '' } }] = await queued()
  await runQueuedBackup(pool.ctx, jobs, { payload, signal })
  expect(readdirSync(folder)).toEqual([path.basename(payload.folder)])
  expect(await pool.ctx.sql`select folder, is_scheduled, error_message from backup`).toEqual([
    { folder: payload.folder, is_scheduled: true, error_message: '' },
  ])
  // A backup that staff start removes nothing.
  const { customer_id } = await aMember(pool.ctx, { staff_role: 'admin' })
  const asked = { folder: path.join(folder, 'asked'), staff_id: customer_id }
  await runQueuedBackup(pool.ctx, jobs, { payload: asked, signal })
  expect(existsSync(payload.folder)).toBe(true)
})

test('a scheduled backup that fails removes nothing and is recorded with its reason', async () => {
  aBackup('nightly-2020-01-01T00-00-00Z', { taken_at: '2020-01-01T00:00:00.000Z' })
  const taken = path.join(folder, 'nightly-taken')
  mkdirSync(taken)
  writeFileSync(path.join(taken, 'file'), '')
  const payload = { folder: taken, staff_id: null, is_scheduled: true }
  await expect(runQueuedBackup(pool.ctx, jobs, { payload, signal })).rejects.toThrow('is not empty')
  expect(readdirSync(folder)).toContain('nightly-2020-01-01T00-00-00Z')
  expect(await pool.ctx.sql`select error_message <> '' as failed, is_scheduled from backup`).toEqual([
    { failed: true, is_scheduled: true },
  ])
})
