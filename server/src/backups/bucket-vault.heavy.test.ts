import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueue, openQueueFor } from '../../test/queue-connections.ts'
import { connect } from '../platform/db.ts'
import { storageKey } from '../platform/storage.ts'
import { readBucket } from '../platform/storage-config.ts'
import { createDiskStorage } from '../platform/storage-disk.ts'
import { openVault, placeOfVault } from '../platform/storage-s3-vault.ts'
import { makeBackup } from './backup.ts'
import { checkPool } from './check.ts'
import { backupPaths, readManifest } from './manifest.ts'
import { silentProgress as progress } from './progress.ts'
import { checkBackup, restoreBackup } from './restore.ts'
import { pruneVault } from './vault-copies.ts'

const { signal } = new AbortController()
const parent = mkdtempSync(path.join(tmpdir(), 'dubplate-vault-'))
let bucket: TestBucket
let pool: TestPool
let jobs: pg.Pool
beforeAll(async () => {
  bucket = await startBucket()
  pool = await openTestPool({ config: { bucket: readBucket(bucket.settings) } })
  jobs = await openQueueFor(pool.ctx.sql)
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
  await bucket.close()
  rmSync(parent, { recursive: true, force: true })
})

let made = 0
const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const config = () => ({ bucket: pool.ctx.config.bucket, storageCredentials: keys })
const backUp = async () => {
  const folder = path.join(parent, `backup-${++made}`)
  const deps = { ...pool.ctx, jobs, secret: 'secret' }
  return { folder, ...(await makeBackup(deps, { folder, progress, signal, filesInBucket: pool.ctx.config.bucket })) }
}
const vault = () => {
  const own = readBucket(bucket.settings)
  if (!own) throw new Error('The test has no bucket.')
  return openVault(placeOfVault(own), own.credentials)
}
const kept = async () => {
  const names: string[] = []
  for await (const { sha256 } of vault().list('audio')) names.push(sha256)
  return names
}

/** Changes the bucket directly, without the pool knowing. */
async function inBucket(command: PutObjectCommand | DeleteObjectCommand): Promise<void> {
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new S3Client({ endpoint: bucket.endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(command as PutObjectCommand)
  client.destroy()
}
const keyInVault = (sha256: string) => `pool/backups/${storageKey('audio', sha256)}`

/** Creates a separate database to restore into. */
async function aFreshDatabase() {
  const database = `vault_restored_${process.pid}_${++made}_${Date.now()}`
  await pool.ctx.sql.unsafe(`create database ${database}`)
  const sql = connect({ socketDir: inject('socketDir'), database }, { max: 4 })
  const queue = openQueue(database)
  onTestFinished(async () => {
    await Promise.all([sql.end(), queue.end()])
    await pool.ctx.sql.unsafe(`drop database ${database} with (force)`)
  })
  return { sql, jobs: queue }
}

test('backs a bucket up within the bucket without downloading files or copying them twice', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  bucket.requests.length = 0
  const first = await backUp()
  const fetched = () => bucket.requests.filter(({ method, path }) => method === 'GET' && /[0-9a-f]{64}/.test(path))
  expect(fetched()).toEqual([])
  expect([first.manifest.files.count, first.manifest.lost, first.copied]).toEqual([4, [], 4])
  expect(existsSync(backupPaths(first.folder).media)).toBe(false)
  expect((await kept()).sort()).toEqual(song.files.map(({ sha256 }) => sha256).sort())
  const second = await backUp()
  expect([second.copied, second.linked]).toEqual([0, 4])
  expect(fetched()).toEqual([])
})

test('restores from the bucket into another one by copying there, and into a folder by downloading', async () => {
  const song = await aSong(pool.ctx)
  const { folder } = await backUp()
  const { sha256 = '', bytes } = song.files[0] ?? {}
  // The backup has what the pool loses after it was made.
  await pool.ctx.storage.remove('audio', sha256)

  const moved = readBucket({
    ...bucket.settings,
    STORAGE_URL: bucket.settings.STORAGE_URL.replace('/pool?', '/moved?'),
  })
  const other = await openTestPool({ config: { bucket: moved } })
  onTestFinished(() => other.close())
  const there = {
    ...(await aFreshDatabase()),
    storage: other.ctx.storage,
    config: { bucket: moved, storageCredentials: keys },
  }
  await restoreBackup(there, { folder, progress, signal })
  expect(await checkPool({ ...there, now: () => new Date() }, { files: 'all', progress, signal })).toEqual({
    ...{ problems: [], unnamed: [] },
  })

  const dataDir = mkdtempSync(path.join(parent, 'data-'))
  const onDisk = {
    ...(await aFreshDatabase()),
    storage: createDiskStorage(dataDir),
    config: { ...config(), bucket: undefined },
  }
  await restoreBackup(onDisk, { folder, progress, signal })
  expect(readFileSync(path.join(dataDir, 'media', storageKey('audio', sha256))).equals(bytes ?? Buffer.alloc(0))).toBe(
    true,
  )
  expect(readdirSync(path.join(dataDir, 'media', 'scratch'))).toEqual([])
})

test('finds missing, truncated and altered files in the bucket before anything is restored', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const { folder } = await backUp()
  const [gone = '', short = '', changed = ''] = song.files.map(({ sha256 }) => sha256)
  const bytes = Buffer.from(song.files[2]?.bytes ?? [])
  bytes[100] = (bytes[100] ?? 0) ^ 1
  await inBucket(new DeleteObjectCommand({ Bucket: 'music', Key: keyInVault(gone) }))
  await inBucket(new PutObjectCommand({ Bucket: 'music', Key: keyInVault(short), Body: 'short' }))
  await inBucket(new PutObjectCommand({ Bucket: 'music', Key: keyInVault(changed), Body: bytes }))
  const fresh = { ...(await aFreshDatabase()), storage: pool.ctx.storage, config: config() }
  const restored = restoreBackup(fresh, { folder, progress, signal })
  await expect(restored).rejects.toThrow(`missing: ${storageKey('audio', gone)}`)
  await expect(restored).rejects.toThrow(`${storageKey('audio', short)}: 5 bytes long instead of`)
  await expect(restored).rejects.toThrow(`${storageKey('audio', changed)}: its content has changed`)
  expect(await fresh.sql`select to_regclass('public.customer') as customer`).toEqual([{ customer: null }])
  // Without reading the files only the first two are found.
  const fast = checkBackup(folder, { progress, signal, config: config(), isFast: true })
  await expect(fast).rejects.toThrow(/missing: /)
  await expect(fast).rejects.not.toThrow(/its content has changed/)
  // The next backup copies missing and truncated files again; the altered copy is found by reading it.
  const next = await backUp()
  expect(next.manifest.lost).toEqual([])
  expect(next.copied).toBe(2)
})

test('names a file that the bucket has lost or truncated, and continues with the others', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const [gone = '', short = ''] = song.files.map(({ sha256 }) => sha256)
  await pool.ctx.storage.remove('audio', gone)
  await inBucket(new PutObjectCommand({ Bucket: 'music', Key: `pool/${storageKey('audio', short)}`, Body: 'short' }))
  const { manifest } = await backUp()
  const lost = manifest.lost.filter(({ sha256 }) => [gone, short].includes(sha256))
  expect(lost.map(({ sha256, why }) => [sha256, why]).sort()).toEqual(
    [
      [gone, 'missing'],
      [short, 'broken'],
    ].sort(),
  )
  expect(await kept()).not.toContain(short)
})

test('an aborted backup leaves no list, and removing a backup removes the files only it needed', async () => {
  const own = await openTestPool({
    config: {
      bucket: readBucket({ ...bucket.settings, STORAGE_URL: bucket.settings.STORAGE_URL.replace('/pool?', '/prune?') }),
    },
  })
  const queue = await openQueueFor(own.ctx.sql)
  onTestFinished(async () => {
    await queue.end()
    await own.close()
  })
  const { bucket: location } = own.ctx.config
  if (!location) throw new Error('The test has no bucket.')
  const copies = openVault(placeOfVault(location), location.credentials)
  const listed = async () => {
    const names: string[] = []
    for await (const { sha256 } of copies.list('audio')) names.push(sha256)
    return names
  }
  const make = (name: string, options = {}) =>
    makeBackup(
      { ...own.ctx, jobs: queue, secret: 'secret' },
      { folder: path.join(parent, name), progress, signal, filesInBucket: location, ...options },
    )
  const before = await aSong(own.ctx)
  await make('prune-first')
  const song = await aSong(own.ctx)
  const ending = new AbortController()
  const ends = { ...progress, done: () => ending.abort(new Error('ended')) }
  await expect(make('ended', { progress: ends, signal: ending.signal })).rejects.toThrow('ended')
  const lists: Buffer[] = []
  for await (const list of copies.readLists()) lists.push(list)
  expect(lists).toHaveLength(1)
  await make('prune-second')
  const both = [before, song].map(({ files }) => files[0]?.sha256).sort()
  expect((await listed()).sort()).toEqual(both)
  const { files_in_bucket } = await readManifest(path.join(parent, 'prune-second'))
  await copies.removeList(files_in_bucket?.list ?? '')
  // Recent files may belong to a backup in progress.
  expect(await pruneVault(copies, new Date())).toBe(0)
  expect(await pruneVault(copies, new Date(Date.now() + 2 * 86_400_000))).toBe(2)
  expect(await listed()).toEqual([before.files[0]?.sha256])
})
