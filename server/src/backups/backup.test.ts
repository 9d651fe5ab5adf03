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
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { downloads } from '@dubplate/contract'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { queueBeside, queueIn } from '../../test/queue-connections.ts'
import { anUpload } from '../../test/uploading.ts'
import { connect, type Pool } from '../platform/db.ts'
import { migrateUpTo, readHistory } from '../platform/migrate.ts'
import { keyOf } from '../platform/storage.ts'
import { makeDiskStorage } from '../platform/storage-disk.ts'
import { version } from '../platform/version.ts'
import { makeBackup } from './backup.ts'
import { checkPool } from './check.ts'
import { places, readManifest, writeManifest } from './manifest.ts'
import { FILE_COLUMNS, readAllNamed } from './named-files.ts'
import { restoreBackup } from './restore.ts'
import { silentSteps } from './steps.ts'
import { dumpDatabase } from './table-dump.ts'

const SECRET = 'x'.repeat(32)
const steps = silentSteps
const { signal } = new AbortController()
const parent = mkdtempSync(path.join(tmpdir(), 'dubplate-backups-'))
let pool: TestPool
let jobs: pg.Pool
beforeAll(async () => {
  pool = await openTestPool()
  jobs = await queueBeside(pool.world.sql)
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
  rmSync(parent, { recursive: true, force: true })
})

let made = 0
const freshFolder = () => path.join(parent, `backup-${++made}`)
const backUp = (folder = freshFolder()) =>
  makeBackup({ ...pool.world, jobs, secret: SECRET }, { folder, steps, signal })

/** A pool of its own to restore into: a database, never migrated unless said otherwise, and a store. */
async function aFreshPool(migratedUpTo?: string) {
  const socketDir = inject('socketDir')
  const database = `restored_${process.pid}_${++made}_${Date.now()}`
  const root = connect({ socketDir, database: 'postgres' }, { max: 1 })
  await root.unsafe(`create database ${database}`)
  const sql = connect({ socketDir, database }, { max: 4 })
  const jobs = queueIn(database)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-restored-'))
  onTestFinished(async () => {
    await Promise.all([sql.end(), jobs.end()])
    await root.unsafe(`drop database ${database} with (force)`)
    await root.end()
    rmSync(dataDir, { recursive: true, force: true })
  })
  if (migratedUpTo) await migrateUpTo(sql, migratedUpTo)
  return { sql, jobs, dataDir, storage: makeDiskStorage(dataDir) }
}

/** The rows of every table of a database as a backup would have them now. */
async function rowsOf(databases: { sql: Pool; jobs: pg.Pool }) {
  const folder = mkdtempSync(path.join(parent, 'rows-'))
  const { tables } = await dumpDatabase(databases, { fileOf: places(folder).table, signal })
  return tables
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const find = (world: Parameters<typeof checkPool>[0]) => checkPool(world, { files: 'all', steps, signal })

/** Members who come, download, send files and lose them again, until told to stop. */
function writers(songs: readonly { versionIds: number[] }[]) {
  let isStopping = false
  let rounds = 0
  const again = async (what: () => Promise<void>) => {
    while (!isStopping) {
      await what()
      rounds += 1
    }
  }
  const loops = [
    again(async () => {
      const { token } = await aMember(pool.world)
      for (const { versionIds } of songs) {
        await pool.ask(downloads.downloadVersion, { version: versionIds[0] ?? 0 }, token)
      }
    }),
    again(async () => {
      await anUpload(pool.world, await aMember(pool.world), { analysed: false })
    }),
    again(async () => {
      // Comes, is shown, and is thrown away: what a snapshot may name and a moment later is gone.
      const { customer_id } = await aMember(pool.world)
      const { sha256 } = await pool.world.storage.keepBytes('images', Buffer.from(`picture ${customer_id}`))
      await pool.world.sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
      await pool.world.sql`update customer set profile_picture = null where customer_id = ${customer_id}`
      await pool.world.storage.remove('images', sha256)
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

test('a backup taken while members download, join and upload comes back as it was, and check finds nothing wrong', async () => {
  const songs = [await aSong(pool.world, { versions: ['Clean', 'Dirty'] }), await aSong(pool.world)]
  const busy = writers(songs)
  onTestFinished(busy.stop)
  await expect.poll(busy.rounds).toBeGreaterThan(20)
  const before = busy.rounds()
  const folder = freshFolder()
  const { manifest } = await backUp(folder)
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

/** A manifest changed by someone who knows how it is hashed. */
const rewritten = ({ manifest_sha256: _, ...manifest }: Awaited<ReturnType<typeof readManifest>>) =>
  writeManifest(manifest)

/** Changes one byte in the middle of a file. */
function breakByte(file: string): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length / 2)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

const isEmpty = async ({ sql, dataDir }: { sql: Pool; dataDir: string }) => {
  expect(await readHistory(sql)).toEqual([])
  expect(readdirSync(dataDir)).toEqual([])
}

test('a broken byte in a backup, be it of a file, of a table or of the list, is found before anything is written', async () => {
  const song = await aSong(pool.world)
  const of = (folder: string) => [
    path.join(places(folder).media, keyOf('audio', song.files[0]?.sha256 ?? '')),
    places(folder).table('song'),
    places(folder).files,
  ]
  for (const n of [0, 1, 2]) {
    const folder = mkdtempSync(path.join(parent, 'alone-')).concat('/backup')
    await backUp(folder)
    const fresh = await aFreshPool()
    const broken = of(folder)[n] ?? ''
    breakByte(broken)
    const named = path.basename(broken).split('.')[0]
    await expect(restoreBackup(fresh, { folder, steps, signal })).rejects.toThrow(
      new RegExp(`is damaged; nothing was written[\\s\\S]*${named}`),
    )
    await isEmpty(fresh)
    if (n > 0) continue
    rmSync(broken)
    await expect(restoreBackup(fresh, { folder, steps, signal })).rejects.toThrow(/missing: audio\//)
    await isEmpty(fresh)
  }
})

test('refuses a backup whose manifest was changed, before anything is written', async () => {
  const folder = freshFolder()
  await backUp(folder)
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

test('names the file that differs and how', async () => {
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  // On its own: backups beside each other share files.
  const folder = mkdtempSync(path.join(parent, 'alone-')).concat('/backup')
  await backUp(folder)
  const [short = '', changed = ''] = song.files.map(({ sha256 }) => keyOf('audio', sha256))
  writeFileSync(path.join(places(folder).media, short), 'short')
  breakByte(path.join(places(folder).media, changed))
  const restored = restoreBackup(await aFreshPool(), { folder, steps, signal })
  await expect(restored).rejects.toThrow(`${short}: 5 bytes long instead of ${song.files[0]?.bytes.length}`)
  await expect(restored).rejects.toThrow(`${changed}: its content was changed`)
})

test('other rows than were written are found out, however well they are packed', async () => {
  const folder = freshFolder()
  await backUp(folder)
  const file = places(folder).table('customer')
  const changed = gunzipSync(readFileSync(file)).toString().replace('@example.test', '@example.tess')
  writeFileSync(file, gzipSync(changed))
  const fresh = await aFreshPool()
  await expect(restoreBackup(fresh, { folder, steps, signal })).rejects.toThrow(
    /nothing was written[\s\S]*the table customer/,
  )
  await isEmpty(fresh)
})

test('who comes while the tables are written is in none of them, and neither is their picture', async () => {
  const folder = freshFolder()
  let picture = ''
  const came = async () => {
    if (picture) return
    picture = hashOf(folder)
    const { customer_id } = await aMember(pool.world)
    await pool.world.sql`update customer set profile_picture = ${picture} where customer_id = ${customer_id}`
  }
  const before = await pool.world.sql`select 1 from customer`
  const snapshot = await dumpDatabase({ ...pool.world, jobs }, { fileOf: places(folder).table, signal, onTable: came })
  await pool.world.sql`update customer set profile_picture = null where profile_picture = ${picture}`
  expect(snapshot.tables.find(({ table }) => table === 'customer')?.rows).toBe(before.length)
  expect(snapshot.files.map(({ sha256 }) => sha256)).not.toContain(picture)
})

test('a second backup beside the first shares its files and takes over none that is shorter than it should be', async () => {
  const song = await aSong(pool.world, { versions: ['Clean', 'Dirty'] })
  const beside = mkdtempSync(path.join(parent, 'beside-'))
  const [first, second] = [path.join(beside, 'monday'), path.join(beside, 'tuesday')]
  await backUp(first)
  const [cut, shared] = song.files.map(({ sha256 }) => keyOf('audio', sha256))
  const placeIn = (folder: string, key = '') => path.join(places(folder).media, key)
  writeFileSync(placeIn(first, cut), 'short')
  const later = await aSong(pool.world)
  const { copied, linked, manifest } = await backUp(second)
  expect(statSync(placeIn(second, shared)).ino).toBe(statSync(placeIn(first, shared)).ino)
  expect(statSync(placeIn(second, cut)).size).toBe(song.files[0]?.bytes.length)
  // The one that was cut, and a new one with its preview.
  expect([copied, copied + linked]).toEqual([3, manifest.files.count])
  expect(existsSync(placeIn(second, keyOf('audio', later.files[0]?.sha256 ?? '')))).toBe(true)
  rmSync(first, { recursive: true })
  await restoreBackup(await aFreshPool(), { folder: second, steps, signal })
})

test('shares nothing with an earlier backup that is known to be damaged', async () => {
  const song = await aSong(pool.world)
  const beside = mkdtempSync(path.join(parent, 'rotten-'))
  const [first, second] = [path.join(beside, 'monday'), path.join(beside, 'tuesday')]
  await backUp(first)
  breakByte(path.join(places(first).media, keyOf('audio', song.files[0]?.sha256 ?? '')))
  await pool.world.sql`
    insert into backup_made (folder, began_at, ended_at, taken_at, check_trouble)
    values (${first}, now(), now(), now(), 'It is damaged.')`
  expect(await backUp(second)).toMatchObject({ linked: 0 })
  await restoreBackup(await aFreshPool(), { folder: second, steps, signal })
})

test('a backup is whole or it is not there: one that is ended leaves nothing', async () => {
  const folder = path.join(mkdtempSync(path.join(parent, 'ended-')), 'backup')
  const ending = new AbortController()
  const ends = { ...steps, done: () => ending.abort(new Error('ended')) }
  const tools = { ...pool.world, jobs, secret: SECRET }
  await expect(makeBackup(tools, { folder, steps: ends, signal: ending.signal })).rejects.toThrow('ended')
  expect(readdirSync(path.dirname(folder))).toEqual([])
})

test('what a killed backup left is no backup, and is cleared away by a later one', async () => {
  const beside = mkdtempSync(path.join(parent, 'killed-'))
  const whole = path.join(beside, 'monday')
  await backUp(whole)
  const left = path.join(beside, 'tuesday.unfinished-0a0b0c0d')
  // As it is the moment before its manifest is written, and while somebody may be at it still.
  await backUp(left)
  rmSync(places(left).manifest)
  await expect(readManifest(left)).rejects.toThrow('is no backup: it has no manifest.json')
  await backUp(path.join(beside, 'wednesday'))
  expect(existsSync(left)).toBe(true)
  utimesSync(left, new Date(0), new Date(0))
  await backUp(path.join(beside, 'thursday'))
  expect(readdirSync(beside).sort()).toEqual(['monday', 'thursday', 'wednesday'])
})

test('a backup goes into no folder that holds something, and a restore into no pool that does', async () => {
  const folder = freshFolder()
  await backUp(folder)
  await expect(backUp(folder)).rejects.toThrow(`${folder} is not empty. Name a folder that is not there yet`)
  await expect(backUp(places(folder).manifest)).rejects.toThrow('is a file')
  const full = { ...pool.world, jobs }
  const rows = await rowsOf(full)
  await expect(restoreBackup(full, { folder, steps, signal })).rejects.toThrow(
    'This pool is not empty (there are rows in “customer”), and nothing was changed.',
  )
  expect(await rowsOf(full)).toEqual(rows)
})

test('a restore that breaks off leaves a database without rows, and can be run again', async () => {
  const folder = freshFolder()
  const { manifest } = await backUp(folder)
  const fresh = await aFreshPool()
  const ending = new AbortController()
  let tables = 0
  const ends = {
    ...steps,
    begin: (what: string) => {
      tables = what === 'Bringing back tables' ? 1 : 0
    },
    done: () => {
      if (tables > 0 && ++tables > 20) ending.abort(new Error('broken off'))
    },
  }
  await expect(restoreBackup(fresh, { folder, steps: ends, signal: ending.signal })).rejects.toThrow('broken off')
  expect(await fresh.sql`select 1 from customer`).toEqual([])
  await restoreBackup(fresh, { folder, steps, signal })
  expect(await rowsOf(fresh)).toEqual(manifest.tables)
})

test('rows that refer to nothing do not come in, however well they are hashed', async () => {
  const fresh = await aFreshPool()
  const folder = freshFolder()
  await backUp(folder)
  const manifest = await readManifest(folder)
  const without = manifest.tables.map((table) =>
    table.table === 'song' ? { ...table, rows: 0, bytes: 0, sha256: hashOf('') } : table,
  )
  writeFileSync(places(folder).table('song'), gzipSync(''))
  writeFileSync(places(folder).manifest, rewritten({ ...manifest, tables: without }))
  await expect(restoreBackup(fresh, { folder, steps, signal })).rejects.toThrow(/violates foreign key constraint/)
  expect(await fresh.sql`select 1 from customer`).toEqual([])
})

test('a backup of an older version comes back and is brought to the newest one; of a newer one it is refused', async () => {
  const old = await aFreshPool('0013-uploads.sql')
  await old.sql`insert into customer (email, dj_name, password_hash) values ('old@example.test', 'DJ Old', '!')`
  const folder = freshFolder()
  await makeBackup({ ...old, secret: SECRET }, { folder, steps, signal })
  const fresh = await aFreshPool()
  await restoreBackup(fresh, { folder, steps, signal })
  expect(await fresh.sql`select dj_name from customer`).toEqual([{ dj_name: 'DJ Old' }])
  const newest = await readHistory(pool.world.sql)
  expect(await readHistory(fresh.sql)).toEqual(newest)

  const newer = await aFreshPool(newest.at(-1)?.name)
  await expect(restoreBackup(newer, { folder, steps, signal })).rejects.toThrow('Restore into a new database.')
  const manifest = await readManifest(folder)
  const migrations = [...manifest.migrations, { name: '9999-later.sql', hash: hashOf('') }]
  writeFileSync(places(folder).manifest, rewritten({ ...manifest, migrations }))
  await expect(restoreBackup(await aFreshPool(), { folder, steps, signal })).rejects.toThrow('Run the newer version.')
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
    { ...own.world, jobs: queue, secret: SECRET },
    { folder: freshFolder(), steps, signal },
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
