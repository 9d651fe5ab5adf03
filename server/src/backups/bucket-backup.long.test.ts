import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { openQueue, openQueueFor } from '../../test/queue-connections.ts'
import { connect, type Pool } from '../platform/db.ts'
import { storageKey } from '../platform/storage.ts'
import { readBucket } from '../platform/storage-config.ts'
import { makeBackup } from './backup.ts'
import { checkPool } from './check.ts'
import { backupPaths } from './manifest.ts'
import { silentProgress as progress } from './progress.ts'
import { restoreBackup } from './restore.ts'

const { signal } = new AbortController()
const parent = mkdtempSync(path.join(tmpdir(), 'dubplate-bucket-backups-'))
const fresh = `bucket_restored_${process.pid}_${Date.now()}`
let bucket: TestBucket
let other: TestBucket
let pool: TestPool
let jobs: pg.Pool
beforeAll(async () => {
  bucket = await startBucket()
  other = await startBucket('moved')
  pool = await openTestPool({ config: { bucket: readBucket(bucket.settings) } })
  jobs = await openQueueFor(pool.ctx.sql)
})
afterAll(async () => {
  await jobs.end()
  await pool.close()
  await Promise.all([bucket.close(), other.close()])
  const root = connect({ socketDir: inject('socketDir'), database: 'postgres' }, { max: 1 })
  await root.unsafe(`drop database if exists ${fresh} with (force)`)
  await root.end()
  rmSync(parent, { recursive: true, force: true })
})

const find = (ctx: { sql: Pool; storage: TestPool['ctx']['storage'] }) =>
  checkPool({ ...ctx, now: () => new Date() }, { files: 'all', progress, signal })

/** Replaces the bytes under a key, as anyone with the bucket's keys can. */
async function overwrite({ endpoint }: TestBucket, key: string, bytes: Buffer): Promise<void> {
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(new PutObjectCommand({ Bucket: 'music', Key: key, Body: bytes }))
  client.destroy()
}

test('backs up a pool in a bucket to a folder and restores it into another bucket', async () => {
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const { sha256 } = await pool.ctx.storage.putBytes('images', Buffer.from('a picture'))
  const { customer_id } = await aMember(pool.ctx)
  await pool.ctx.sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
  expect(await find(pool.ctx)).toEqual({ problems: [], unnamed: [] })
  const [first, second] = [path.join(parent, 'monday'), path.join(parent, 'tuesday')]
  const { manifest } = await makeBackup({ ...pool.ctx, jobs, secret: 'secret' }, { folder: first, progress, signal })
  expect([manifest.files.count, manifest.lost]).toEqual([5, []])
  const kept = readFileSync(path.join(backupPaths(first).media, storageKey('audio', song.files[0]?.sha256 ?? '')))
  expect(kept.equals(song.files[0]?.bytes ?? Buffer.alloc(0))).toBe(true)
  bucket.requests.length = 0
  await makeBackup({ ...pool.ctx, jobs, secret: 'secret' }, { folder: second, progress, signal })
  expect(bucket.requests.filter(({ method }) => method === 'GET')).toEqual([])

  const socketDir = inject('socketDir')
  await pool.ctx.sql.unsafe(`create database ${fresh}`)
  const sql = connect({ socketDir, database: fresh }, { max: 4 })
  const queue = openQueue(fresh)
  const moved = await openTestPool({ config: { bucket: readBucket(other.settings) } })
  const { storage } = moved.ctx
  try {
    await restoreBackup({ sql, jobs: queue, storage }, { folder: second, progress, signal })
    expect(await find({ sql, storage })).toEqual({ problems: [], unnamed: [] })
    const bytes = Buffer.from(kept)
    bytes[77] = (bytes[77] ?? 0) ^ 1
    const key = storageKey('audio', song.files[0]?.sha256 ?? '')
    await overwrite(other, `moved/${key}`, bytes)
    expect((await find({ sql, storage })).problems).toEqual([`${key}: damaged, checksum doesn’t match`])
  } finally {
    await Promise.all([sql.end(), queue.end()])
    await moved.close()
  }
})

test('a bucket that becomes unavailable fails the backup with its error and leaves no files', async () => {
  await aSong(pool.ctx)
  bucket.setUnavailable(true)
  const folder = path.join(parent, 'wednesday')
  await expect(makeBackup({ ...pool.ctx, jobs, secret: 'secret' }, { folder, progress, signal })).rejects.toThrow(
    'is not responding',
  )
  expect(readdirSync(parent).filter((name) => name.includes('wednesday'))).toEqual([])
  bucket.setUnavailable(false)
  const made = await makeBackup({ ...pool.ctx, jobs, secret: 'secret' }, { folder, progress, signal })
  expect(made.manifest.lost).toEqual([])
  expect(made.copied).toBeGreaterThan(0)
  expect(made.copied + made.linked).toBe(made.manifest.files.count)
})
