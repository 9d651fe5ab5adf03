import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { dashboard } from '@dubplate/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import type { TestPool } from '../../test/pool.ts'
import { aFreshPool } from '../../test/restore-helpers.ts'
import { corruptByte, openTestBackups, type TestBackups } from '../../test/test-backups.ts'
import { findMailHold, releaseMail } from '../platform/mail-hold.ts'
import type { Mailer } from '../platform/mailer.ts'
import { sendDueMail } from '../platform/outbox.ts'
import { storageKey } from '../platform/storage.ts'
import { backupPaths, readManifest } from './manifest.ts'
import { silentProgress as progress } from './progress.ts'
import { rehearseRestore } from './rehearse.ts'
import { repairFiles } from './repair.ts'
import { restoreBackup } from './restore.ts'
import { restoreFiles, selectFiles, writeFilesOut } from './single-files.ts'

const { signal } = new AbortController()
let backups: TestBackups
let pool: TestPool
let database = ''
beforeAll(async () => {
  backups = await openTestBackups()
  pool = backups.pool
  const [row] = await pool.ctx.sql<{ name: string }[]>`select current_database() as name`
  database = row?.name ?? ''
})
afterAll(() => backups.close())

async function backUp() {
  const folder = backups.folderAlone()
  await backups.make(folder)
  return folder
}
const placeOf = (sha256: string) => path.join(pool.ctx.config.dataDir, 'media', storageKey('audio', sha256))
const options = { readsAll: false, isDryRun: false, progress, signal }
const damaged = async () =>
  (await pool.ctx.sql<{ sha256: string }[]>`select encode(sha256, 'hex') as sha256 from damaged_file`).map(
    ({ sha256 }) => sha256,
  )

/** A song with one original missing, one truncated and one altered. */
async function aDamagedSong() {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [missing = '', short = '', altered = ''] = song.files.map(({ sha256 }) => sha256)
  const damage = () => {
    rmSync(placeOf(missing))
    writeFileSync(placeOf(short), 'short')
    corruptByte(placeOf(altered))
  }
  const isGood = () => song.files.every(({ sha256, bytes }) => readFileSync(placeOf(sha256)).equals(bytes))
  const restore = () => {
    for (const { sha256, bytes } of song.files) writeFileSync(placeOf(sha256), bytes)
  }
  return { song, missing, short, altered, damage, isGood, restore }
}

test('repair restores missing and damaged files from any folder, whatever their names there', async () => {
  const { song, altered, damage, isGood } = await aDamagedSong()
  const folder = mkdtempSync(path.join(backups.parent, 'loose-'))
  mkdirSync(path.join(folder, 'Old promos'))
  for (const [n, { bytes }] of song.files.entries())
    writeFileSync(path.join(folder, 'Old promos', `track ${n}.mp3`), bytes)
  // The same length with other content, which must not be used.
  const other = Buffer.from(song.files[0]?.bytes ?? [])
  other[500]! ^= 1
  writeFileSync(path.join(folder, 'a first one.mp3'), other)
  damage()
  const dry = await repairFiles(pool.ctx, { ...options, from: folder, isDryRun: true, readsAll: true })
  expect(dry.repaired).toHaveLength(3)
  expect(() => isGood()).toThrow('ENOENT')
  // Without reading every file, altered ones are not known yet.
  expect((await repairFiles(pool.ctx, { ...options, from: folder })).repaired).toHaveLength(2)
  const all = await repairFiles(pool.ctx, { ...options, from: folder, readsAll: true })
  expect(all).toEqual({ repaired: [storageKey('audio', altered)], notFound: [] })
  expect([isGood(), await damaged()]).toEqual([true, []])
})

test('repair names and records files that are not in the folder, and finds them in a backup', async () => {
  const { missing, short, damage, isGood } = await aDamagedSong()
  const backup = await backUp()
  const empty = path.join(backups.parent, 'empty')
  mkdirSync(empty)
  damage()
  const none = await repairFiles(pool.ctx, { ...options, from: empty })
  expect(none.repaired).toEqual([])
  expect(new Set(none.notFound)).toEqual(
    new Set([
      { key: storageKey('audio', missing), damage: 'missing' },
      { key: storageKey('audio', short), damage: 'truncated' },
    ]),
  )
  expect((await damaged()).sort()).toEqual([missing, short].sort())
  // Any parent folder of the backup works as well.
  await repairFiles(pool.ctx, { ...options, from: path.dirname(backup), readsAll: true })
  expect([isGood(), await damaged()]).toEqual([true, []])
  await expect(repairFiles(pool.ctx, { ...options, from: backupPaths(backup).manifest })).rejects.toThrow(
    'is not a folder',
  )
})

test('restores single files of a backup into a running pool', async () => {
  const { song, missing, short, altered, damage, isGood, restore } = await aDamagedSong()
  const folder = await backUp()
  damage()
  const chosen = await selectFiles(folder, { files: [`audio/ab/cd/${missing}`, short.toUpperCase()], song: undefined })
  expect(await restoreFiles(pool.ctx, folder, chosen)).toMatchObject({
    restored: expect.arrayContaining([storageKey('audio', missing), storageKey('audio', short)]),
  })
  expect(isGood()).toBe(false)
  // The song has three originals, three previews, and at most one cover.
  const ofSong = await selectFiles(folder, { files: [], song: song.entity_id })
  const done = await restoreFiles(pool.ctx, folder, ofSong)
  expect(done.restored).toContain(storageKey('audio', altered))
  expect(done.good).toContain(storageKey('audio', missing))
  expect(isGood()).toBe(true)

  // Nothing is taken from a damaged backup, and existing files stay.
  corruptByte(path.join(backupPaths(folder).media, storageKey('audio', altered)))
  corruptByte(placeOf(altered))
  const before = readFileSync(placeOf(altered))
  const one = await selectFiles(folder, { files: [altered], song: undefined })
  await expect(restoreFiles(pool.ctx, folder, one)).rejects.toThrow('is damaged in the backup')
  expect(readFileSync(placeOf(altered)).equals(before)).toBe(true)
  restore()
})

test('exports the files of a song with readable names, including one that was deleted since', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean'] })
  const folder = await backUp()
  const chosen = await selectFiles(folder, { files: [], song: song.entity_id })
  const to = path.join(backups.parent, 'written-out')
  const written = await writeFilesOut(pool.ctx.config, folder, { files: chosen, to })
  const original = written.find((location) => !location.includes('preview') && location.endsWith('.mp3')) ?? ''
  expect(path.basename(original)).toContain(`${song.title} (Clean)`)
  expect(readFileSync(original).equals(song.files[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
  await expect(writeFilesOut(pool.ctx.config, folder, { files: chosen, to })).rejects.toThrow('is never overwritten')
  const unknownFile = { files: ['ab'.repeat(32)], song: undefined }
  await expect(selectFiles(folder, unknownFile)).rejects.toThrow('Nothing was restored.')
  await expect(selectFiles(folder, { files: ['music.mp3'], song: undefined })).rejects.toThrow('is not a stored file')
  await expect(selectFiles(folder, { files: [], song: 987_654 })).rejects.toThrow('does not contain song 987654')
})

test('email of a pool restored with --hold-mail is not sent before it is released', async () => {
  const queue = (to: string, sql = pool.ctx.sql) => sql`
    insert into outgoing_mail (to_address, subject, html, body) values (${to}, 'Hello', '', '')`
  await queue('before@example.test')
  const folder = await backUp()
  await pool.ctx.sql`delete from outgoing_mail`
  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, progress, signal, holdsMail: true })
  await queue('after@example.test', fresh.sql)
  const sent: string[] = []
  const post = { send: async ({ to }: { to: string }) => void sent.push(to) } as unknown as Mailer
  const send = () => sendDueMail({ sql: fresh.sql, log: pool.ctx.log }, post)
  await send()
  expect(sent).toEqual([])
  expect(await findMailHold(fresh.sql)).toMatchObject({ reason: 'Restored from a backup.' })
  expect(await releaseMail(fresh.sql, { discard: true })).toEqual({ released: 1, discarded: 1 })
  await send()
  expect(sent).toEqual(['after@example.test'])
  expect(await releaseMail(fresh.sql, { discard: true })).toBeUndefined()

  const other = await aFreshPool()
  await restoreBackup(other, { folder, progress, signal })
  await sendDueMail({ sql: other.sql, log: pool.ctx.log }, post)
  expect(sent).toEqual(['after@example.test', 'before@example.test'])
})

test('does not restore records about the store and the workers of the old machine', async () => {
  const { sql } = pool.ctx
  await sql`insert into damaged_file (stored_as, sha256, kind) values ('audio', ${Buffer.alloc(32, 7)}, 'missing')`
  await sql`insert into worker_heartbeat values (gen_random_uuid(), 'old', 1, now(), now())`
  const folder = await backUp()
  await sql`delete from damaged_file`
  await sql`delete from worker_heartbeat`
  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, progress, signal })
  expect(await fresh.sql`select 1 from damaged_file union all select 1 from worker_heartbeat`).toEqual([])
})

const databases = async () =>
  (await pool.ctx.sql`select datname from pg_database where datname like 'dubplate_rehearsal_%'`).length
const rehearse = (folder: string) =>
  rehearseRestore(
    { sql: pool.ctx.sql, where: { socketDir: inject('socketDir'), database }, config: pool.ctx.config },
    { folder, progress, signal },
  )
const gauge = async (name: string) =>
  Number((await pool.app.inject('/metrics')).body.match(new RegExp(`^${name} (.+)$`, 'm'))?.[1])

test('rehearses a restore: checks, records it and leaves nothing behind', async () => {
  await aSong(pool.ctx)
  const folder = await backUp()
  const before = readdirSync(path.dirname(folder))
  const { problems, manifest } = await rehearse(folder)
  expect(problems).toEqual([])
  expect([await databases(), readdirSync(path.dirname(folder))]).toEqual([0, before])
  const [row] = await pool.ctx.sql`select folder, rows::int, files::int, error_message from restore_rehearsal`
  expect(row).toEqual({
    ...{ folder, files: manifest.files.count, error_message: '' },
    rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
  })
  expect(await gauge('dubplate_restore_rehearsal_age_seconds')).toBeLessThan(600)
  // The backup is unchanged: its files were linked, not moved.
  const file = readdirSync(backupPaths(folder).media, { recursive: true, withFileTypes: true }).find((one) =>
    one.isFile(),
  )
  expect(statSync(path.join(file?.parentPath ?? '', file?.name ?? '')).nlink).toBe(1)
  expect((await readManifest(folder)).taken_at).toBe(manifest.taken_at)
})

test('records a failed rehearsal with its reason, and removes its files', async () => {
  const folder = await backUp()
  const copy = path.join(mkdtempSync(path.join(backups.parent, 'broken-')), 'backup')
  cpSync(folder, copy, { recursive: true })
  corruptByte(backupPaths(copy).table('customer'))
  await expect(rehearse(copy)).rejects.toThrow('is damaged')
  expect(await databases()).toBe(0)
  const [row] = await pool.ctx.sql<{ error_message: string }[]>`
    select error_message from restore_rehearsal where folder = ${copy}`
  expect(row?.error_message).toContain('table customer')
  // A later rehearsal removes what a killed one left, once it is old enough.
  const old = path.join(path.dirname(folder), 'rehearsal.unfinished-0a0b0c0d')
  mkdirSync(old)
  utimesSync(old, new Date(0), new Date(0))
  await pool.ctx.sql.unsafe('create database dubplate_rehearsal_1700000000000_0a0b0c')
  await rehearse(folder)
  expect(await databases()).toBe(0)
})

test('admins see damaged files, the scrub and the last rehearsal under Storage and on the dashboard', async () => {
  const { token } = await aMember(pool.ctx, { staff_role: 'admin', application: 'none' })
  const song = await aSong(pool.ctx)
  const { sha256 = '' } = song.files[0] ?? {}
  await pool.ctx.sql`
    insert into damaged_file (stored_as, sha256, kind) values ('audio', decode(${sha256}, 'hex'), 'truncated')`
  const { damaged_files, last_rehearsal, schedule } = await pool.ask(dashboard.getStorage, {}, token)
  expect(damaged_files).toMatchObject([
    { sha256, stored_as: 'audio', kind: 'truncated', song: `${song.artist} – ${song.title} (Clean)` },
  ])
  expect(last_rehearsal).toMatchObject({ error_message: '' })
  expect(schedule).toBeNull()
  const { items } = await pool.ask(dashboard.getAttentionItems, {}, token)
  expect(items.find(({ kind }) => kind === 'files_damaged')).toMatchObject({ count: 1, is_urgent: true })
  await pool.ctx.sql`delete from damaged_file`
})
