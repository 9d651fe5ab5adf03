import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../src/platform/db.ts'
import { storageKey } from '../src/platform/storage.ts'
import { aMember, aSong } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'

/** The operator's commands as separate processes: their messages, exit codes and behaviour when killed. */

// Within the repository, so that the bundle finds its packages.
const built = path.resolve('node_modules/.cache', `backup-test-${process.pid}`)
const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-backup-command-'))
const restored = `command_restored_${process.pid}_${Date.now()}`
let pool: TestPool
let database = ''
beforeAll(async () => {
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, '../src/pool.ts'),
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
  pool = await openTestPool()
  const [row] = await pool.ctx.sql<{ name: string }[]>`select current_database() as name`
  database = row?.name ?? ''
  await pool.ctx.sql.unsafe(`create database ${restored}`)
})
afterAll(async () => {
  await pool.close()
  const adminConnection = connect({ socketDir: inject('socketDir'), database: 'postgres' }, { max: 1 })
  await adminConnection.unsafe(`drop database ${restored} with (force)`)
  await adminConnection.end()
  for (const directory of [built, folder]) rmSync(directory, { recursive: true, force: true })
})

const settings = (of = database, dataDir = pool.ctx.config.dataDir) => ({
  ...{ PATH: process.env.PATH, PGHOST: inject('socketDir'), PGUSER: 'dubplate' },
  ...{ DATABASE_URL: `postgres:///${of}`, DATA_DIR: dataDir },
})
const script = path.join(built, 'pool.js')

function run(args: string[], env: Record<string, string | undefined> = settings()) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8', env })
  return { status, said: stdout.trim(), complained: stderr.trim() }
}

test('a pool is backed up, restored elsewhere, checked and exported by commands', async () => {
  const song = await aSong(pool.ctx)
  await aMember(pool.ctx)
  const backup = path.join(folder, 'monday')
  expect(run(['backup', backup])).toMatchObject({
    status: 0,
    said: expect.stringMatching(
      /^Backup of \S+ completed in .*: [\d,]+ rows and 2 files .* It doesn’t include SECRET; keep that separately\.$/,
    ),
  })
  expect(run(['backup', backup])).toMatchObject({ status: 1, complained: expect.stringContaining('is not empty.') })
  expect(run(['restore', backup])).toMatchObject({
    status: 1,
    complained: expect.stringContaining('This installation is not empty'),
  })
  expect(run(['restore', backup, '--dry-run'])).toMatchObject({
    status: 0,
    said: expect.stringContaining('is valid: all rows and all 2 files match'),
  })
  // The back office shows it.
  const made = await pool.ctx.sql`
    select folder, taken_at is not null as is_made, checked_at is not null as is_read, check_error from backup
    order by backup_id`
  expect(made).toEqual([
    { folder: backup, is_made: true, is_read: true, check_error: '' },
    { folder: backup, is_made: false, is_read: false, check_error: '' },
  ])

  const otherSettings = settings(restored, path.join(folder, 'elsewhere'))
  expect(run(['restore', backup], otherSettings)).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^Restored the backup of /),
    complained: expect.stringContaining('SECRET differs from the one in use when the backup was made'),
  })
  expect(run(['check'], otherSettings)).toMatchObject({ status: 0, said: 'No problems found.' })
  const there = connect({ socketDir: inject('socketDir'), database: restored }, { max: 1 })
  expect(await there`select read_files, problems from pool_check`).toEqual([{ read_files: true, problems: [] }])
  await there.end()
  const file = path.join(folder, 'elsewhere', 'media', storageKey('audio', song.files[0]?.sha256 ?? ''))
  writeFileSync(file, Buffer.concat([readFileSync(file).subarray(1), Buffer.from('x')]))
  expect(run(['check', '--fast'], otherSettings)).toMatchObject({ status: 0 })
  expect(run(['check'], otherSettings)).toMatchObject({
    status: 1,
    said: expect.stringMatching(/^audio\/.*: damaged, checksum doesn’t match$/),
    complained: expect.stringContaining('Problems found.'),
  })
  expect(run(['repair'], otherSettings)).toMatchObject({
    status: 2,
    complained: expect.stringContaining('repair --from FOLDER'),
  })
  expect(run(['repair', '--from', backup], otherSettings)).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^Repaired: audio\/.*\n1 file restored\.$/),
  })
  expect(run(['check'], otherSettings).status).toBe(0)
  rmSync(file)
  expect(run(['restore', backup, '--song', String(song.entity_id)], otherSettings)).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^Restored: audio\//),
  })
  expect(run(['rehearse-restore', backup])).toMatchObject({
    status: 0,
    said: expect.stringMatching(/was restored into a scratch database and checked: .* No problems found\.$/),
  })
  expect(run(['worker-health'])).toMatchObject({ status: 1, complained: 'No worker is running. Start one.' })
  await pool.ctx.sql`insert into worker_heartbeat values (gen_random_uuid(), 'pool-1', 7, now(), now())`
  expect(run(['worker-health'])).toMatchObject({
    status: 0,
    said: expect.stringMatching(/^A worker is running \(pool-1, process 7/),
  })
  expect(run(['worker-health', '--this-host']).status).toBe(1)
  expect(run(['release-mail'])).toMatchObject({ status: 0, said: 'No email is on hold.' })
  const csv = path.join(folder, 'members.csv')
  expect(run(['export', 'members', csv], otherSettings)).toMatchObject({
    status: 0,
    said: `Exported 1 members to ${csv}.`,
  })
})

const unfinished = () => readdirSync(folder).filter((name) => name.includes('.unfinished-'))

/** Starts a backup that waits for a table locked by another connection, in the middle of its work. */
async function interruptDuring(name: string, onStarted: (backup: ChildProcess) => Promise<void>): Promise<void> {
  await pool.ctx.sql.begin(async (sql) => {
    await sql`lock table ticket in access exclusive mode`
    const backup = spawn(process.execPath, [script, 'backup', path.join(folder, name)], {
      env: settings(),
      stdio: 'ignore',
    })
    onTestFinished(() => void backup.kill('SIGKILL'))
    // Queried outside a transaction, in which the result would not change.
    const waiting = async () =>
      (
        await pool.ctx.sql`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'lock table%'`
      ).length
    await expect.poll(waiting, { timeout: 60_000 }).toBe(1)
    await onStarted(backup)
  })
}

test('a killed backup is not a backup, and the next one deletes its files after an hour', async () => {
  await interruptDuring('killed', async (backup) => {
    const deleted = once(backup, 'exit')
    backup.kill('SIGKILL')
    await deleted
  })
  expect(existsSync(path.join(folder, 'killed'))).toBe(false)
  const [left = ''] = unfinished()
  expect(readdirSync(path.join(folder, left))).toContain('media')
  expect(run(['restore', path.join(folder, left), '--dry-run'])).toMatchObject({
    status: 1,
    complained: expect.stringContaining('is not a backup: manifest.json is missing.'),
  })
  utimesSync(path.join(folder, left), new Date(0), new Date(0))
  expect(run(['backup', path.join(folder, 'killed')]).status).toBe(0)
  expect(unfinished()).toEqual([])
})

test('a backup that is interrupted deletes its files', async () => {
  let ended: Promise<unknown[]> | undefined
  await interruptDuring('stopped', async (backup) => {
    ended = once(backup, 'exit')
    backup.kill('SIGTERM')
  })
  expect((await ended)?.[0]).toBe(130)
  expect(unfinished()).toEqual([])
  expect(existsSync(path.join(folder, 'stopped'))).toBe(false)
})
