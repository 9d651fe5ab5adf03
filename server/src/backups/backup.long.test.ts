import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import type { TestPool } from '../../test/pool.ts'
import { aFreshPool, countRows } from '../../test/restore-helpers.ts'
import { BACKUP_SECRET, corruptByte, openTestBackups, type TestBackups } from '../../test/test-backups.ts'
import type { Pool } from '../platform/db.ts'
import { readHistory } from '../platform/migrate.ts'
import { storageKey } from '../platform/storage.ts'
import { makeBackup } from './backup.ts'
import { backupPaths, readManifest, writeManifest } from './manifest.ts'
import { silentProgress } from './progress.ts'
import { restoreBackup } from './restore.ts'

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

/** Changes a manifest and its hash, as someone who knows how it is computed could. */
const rewritten = ({ manifest_sha256: _, ...manifest }: Awaited<ReturnType<typeof readManifest>>) =>
  writeManifest(manifest)

const isEmpty = async ({ sql, dataDir }: { sql: Pool; dataDir: string }) => {
  expect(await readHistory(sql)).toEqual([])
  expect(readdirSync(dataDir)).toEqual([])
}

test('finds a changed byte in a file, a table or the file list before anything is written', async () => {
  const song = await aSong(pool.ctx)
  const of = (folder: string) => [
    path.join(backupPaths(folder).media, storageKey('audio', song.files[0]?.sha256 ?? '')),
    backupPaths(folder).table('song'),
    backupPaths(folder).files,
  ]
  for (const n of [0, 1, 2]) {
    const folder = backups.folderAlone()
    await backups.make(folder)
    const fresh = await aFreshPool()
    const broken = of(folder)[n] ?? ''
    corruptByte(broken)
    const referenced = path.basename(broken).split('.')[0]
    await expect(restoreBackup(fresh, { folder, progress, signal })).rejects.toThrow(
      new RegExp(`is damaged\\. Nothing was restored[\\s\\S]*${referenced}`),
    )
    await isEmpty(fresh)
    if (n > 0) continue
    rmSync(broken)
    await expect(restoreBackup(fresh, { folder, progress, signal })).rejects.toThrow(/missing: audio\//)
    await isEmpty(fresh)
  }
})

test('names the file that differs and how', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  // In a separate folder, because backups beside each other share files.
  const folder = backups.folderAlone()
  await backups.make(folder)
  const [short = '', changed = ''] = song.files.map(({ sha256 }) => storageKey('audio', sha256))
  writeFileSync(path.join(backupPaths(folder).media, short), 'short')
  corruptByte(path.join(backupPaths(folder).media, changed))
  const restored = restoreBackup(await aFreshPool(), { folder, progress, signal })
  await expect(restored).rejects.toThrow(`${short}: 5 bytes long instead of ${song.files[0]?.bytes.length}`)
  await expect(restored).rejects.toThrow(`${changed}: its content has changed`)
})

test('detects changed rows even in a valid archive', async () => {
  await aMember(pool.ctx, { email: 'before@pool.test' })
  const folder = backups.freshFolder()
  await backups.make(folder)
  const file = backupPaths(folder).table('customer')
  const rows = gunzipSync(readFileSync(file)).toString()
  expect(rows).toContain('before@pool.test')
  writeFileSync(file, gzipSync(rows.replace('before@pool.test', 'behind@pool.test')))
  const fresh = await aFreshPool()
  await expect(restoreBackup(fresh, { folder, progress, signal })).rejects.toThrow(
    /Nothing was restored[\s\S]*table customer/,
  )
  await isEmpty(fresh)
})

test('a second backup beside the first shares its files, except truncated ones', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const beside = mkdtempSync(path.join(backups.parent, 'beside-'))
  const [first, second] = [path.join(beside, 'monday'), path.join(beside, 'tuesday')]
  await backups.make(first)
  const [cut, shared] = song.files.map(({ sha256 }) => storageKey('audio', sha256))
  const placeIn = (folder: string, key = '') => path.join(backupPaths(folder).media, key)
  writeFileSync(placeIn(first, cut), 'short')
  const later = await aSong(pool.ctx)
  const { copied, linked, manifest } = await backups.make(second)
  expect(statSync(placeIn(second, shared)).ino).toBe(statSync(placeIn(first, shared)).ino)
  expect(statSync(placeIn(second, cut)).size).toBe(song.files[0]?.bytes.length)
  // The truncated file, and a new one with its preview.
  expect([copied, copied + linked]).toEqual([3, manifest.files.count])
  expect(existsSync(placeIn(second, storageKey('audio', later.files[0]?.sha256 ?? '')))).toBe(true)
  rmSync(first, { recursive: true })
  await restoreBackup(await aFreshPool(), { folder: second, progress, signal })
})

test('shares nothing with an earlier backup that is known to be damaged', async () => {
  const song = await aSong(pool.ctx)
  const beside = mkdtempSync(path.join(backups.parent, 'rotten-'))
  const [first, second] = [path.join(beside, 'monday'), path.join(beside, 'tuesday')]
  await backups.make(first)
  corruptByte(path.join(backupPaths(first).media, storageKey('audio', song.files[0]?.sha256 ?? '')))
  await pool.ctx.sql`
    insert into backup (folder, started_at, ended_at, taken_at, check_error)
    values (${first}, now(), now(), now(), 'It is damaged.')`
  expect(await backups.make(second)).toMatchObject({ linked: 0 })
  await restoreBackup(await aFreshPool(), { folder: second, progress, signal })
})

test('what a killed backup left is not a backup, and a later backup removes it', async () => {
  const beside = mkdtempSync(path.join(backups.parent, 'killed-'))
  const whole = path.join(beside, 'monday')
  await backups.make(whole)
  const left = path.join(beside, 'tuesday.unfinished-0a0b0c0d')
  // The folder just before its manifest is written, while a backup may still be running.
  await backups.make(left)
  rmSync(backupPaths(left).manifest)
  await expect(readManifest(left)).rejects.toThrow('is not a backup: manifest.json is missing.')
  await backups.make(path.join(beside, 'wednesday'))
  expect(existsSync(left)).toBe(true)
  utimesSync(left, new Date(0), new Date(0))
  await backups.make(path.join(beside, 'thursday'))
  expect(readdirSync(beside).sort()).toEqual(['monday', 'thursday', 'wednesday'])
})

test('an aborted restore leaves a database without rows, and can be repeated', async () => {
  const folder = backups.freshFolder()
  const { manifest } = await backups.make(folder)
  const fresh = await aFreshPool()
  const ending = new AbortController()
  let tables = 0
  const ends = {
    ...progress,
    begin: (what: string) => {
      tables = what === 'Restoring tables' ? 1 : 0
    },
    done: () => {
      if (tables > 0 && ++tables > 20) ending.abort(new Error('broken off'))
    },
  }
  await expect(restoreBackup(fresh, { folder, progress: ends, signal: ending.signal })).rejects.toThrow('broken off')
  expect(await fresh.sql`select 1 from customer`).toEqual([])
  await restoreBackup(fresh, { folder, progress, signal })
  expect(await countRows(fresh)).toEqual(manifest.tables)
})

test('refuses rows with invalid references, even with correct hashes', async () => {
  const fresh = await aFreshPool()
  const folder = backups.freshFolder()
  await backups.make(folder)
  const manifest = await readManifest(folder)
  const without = manifest.tables.map((table) =>
    table.table === 'song' ? { ...table, rows: 0, bytes: 0, sha256: hashOf('') } : table,
  )
  writeFileSync(backupPaths(folder).table('song'), gzipSync(''))
  writeFileSync(backupPaths(folder).manifest, rewritten({ ...manifest, tables: without }))
  await expect(restoreBackup(fresh, { folder, progress, signal })).rejects.toThrow(/violates foreign key constraint/)
  expect(await fresh.sql`select 1 from customer`).toEqual([])
})

test('restores and migrates a backup of an older version; refuses one of a newer version', async () => {
  const old = await aFreshPool('0013-uploads.sql')
  await old.sql`insert into customer (email, dj_name, password_hash) values ('old@example.test', 'DJ Old', '!')`
  const folder = backups.freshFolder()
  await makeBackup({ ...old, secret: BACKUP_SECRET }, { folder, progress, signal })
  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, progress, signal })
  expect(await fresh.sql`select dj_name from customer`).toEqual([{ dj_name: 'DJ Old' }])
  const newest = await readHistory(pool.ctx.sql)
  expect(await readHistory(fresh.sql)).toEqual(newest)

  const newer = await aFreshPool(newest.at(-1)?.name)
  await expect(restoreBackup(newer, { folder, progress, signal })).rejects.toThrow('Restore into a new database.')
  const manifest = await readManifest(folder)
  const migrations = [...manifest.migrations, { name: '9999-later.sql', hash: hashOf('') }]
  writeFileSync(backupPaths(folder).manifest, rewritten({ ...manifest, migrations }))
  await expect(restoreBackup(await aFreshPool(), { folder, progress, signal })).rejects.toThrow('Run a newer version.')
})
