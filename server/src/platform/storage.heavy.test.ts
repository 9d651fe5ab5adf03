import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../test/audio-files.ts'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { NotStoredError, type Storage, storageKey } from './storage.ts'
import { readBucket } from './storage-config.ts'
import { createDiskStorage } from './storage-disk.ts'
import { makeBucketStorage } from './storage-s3.ts'

let bucket: TestBucket
let folder = ''
beforeAll(async () => {
  bucket = await startBucket()
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-storage-'))
})
afterAll(async () => {
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const nowhere = 'ab'.repeat(32)

function writeFixture(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const createBucketStorage = (dataDir: string) => {
  const config = readBucket(bucket.settings)
  if (!config) throw new Error('no bucket')
  return makeBucketStorage(config, dataDir)
}

describe.each([
  ['a folder', createDiskStorage],
  ['a bucket', createBucketStorage],
])('in %s', (where, open) => {
  let storage: Storage
  let dataDir = ''
  beforeAll(() => {
    dataDir = path.join(folder, where.replace(' ', '-'))
    mkdirSync(dataDir)
    storage = open(dataDir)
  })
  /** Overwrites a file with other bytes, as a power cut or a broken disk does. */
  const overwrite = async (sha256: string, bytes: Uint8Array) => {
    const config = where === 'a bucket' ? readBucket(bucket.settings) : undefined
    if (!config) return writeFileSync(path.join(dataDir, 'media', storageKey('audio', sha256)), bytes)
    const { region, endpoint, credentials, prefix } = config
    const client = new S3Client({
      ...{ region, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' },
      ...(endpoint ? { endpoint } : {}),
      ...(credentials ? { credentials } : {}),
    })
    const Key = prefix + storageKey('audio', sha256)
    await client.send(new PutObjectCommand({ Bucket: config.bucket, Key, Body: bytes }))
    client.destroy()
  }
  const scratch = () => {
    const place = path.join(dataDir, 'media', 'scratch')
    return existsSync(place) ? readdirSync(place) : []
  }

  test('a stored file exists under the hash of its content, its kind and extension', async () => {
    const bytes = randomBytes(5000)
    const stored = await storage.putBytes('audio', bytes)
    expect(stored).toEqual({ sha256: hashOf(bytes), bytes: 5000 })
    expect(await storage.has('audio', stored.sha256)).toBe(true)
    expect(await storage.has('previews', stored.sha256)).toBe(false)
    expect(await storage.has('audio', stored.sha256, '.mp3')).toBe(false)
    expect(await storage.putBytes('audio', bytes)).toEqual(stored)
    expect(await storage.readAll('audio', stored.sha256)).toEqual(bytes)
  })

  test('stores a whole file of any length', async () => {
    // Longer than one upload part; exactly one part; one byte; empty.
    for (const length of [17 * 1024 * 1024, 16 * 1024 * 1024, 1, 0]) {
      const bytes = randomBytes(length)
      const file = writeFixture('original', bytes)
      expect(await storage.putFile('audio', file, '.wav')).toEqual({ sha256: hashOf(bytes), bytes: length })
      expect((await storage.readAll('audio', hashOf(bytes), '.wav')).equals(bytes)).toBe(true)
      expect((await readFile(file)).equals(bytes)).toBe(true)
    }
  })

  test('any part can be read, as a stream or in chunks', async () => {
    const bytes = randomBytes(400_000)
    const { sha256 } = await storage.putBytes('previews', bytes, '.mp3')
    for (const [from, to] of [
      [0, 400_000],
      [0, 1],
      [399_999, 400_000],
      [131_072, 262_145],
      [7, 7],
      [100_000, undefined],
      [undefined, 10],
    ]) {
      const range = { ending: '.mp3', ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
      const expected = bytes.subarray(from, to)
      expect((await collect(storage.read('previews', sha256, range))).equals(expected), `${from} to ${to}`).toBe(true)
      expect((await collect(storage.pieces('previews', sha256, range))).equals(expected), `${from} to ${to}`).toBe(true)
    }
  })

  test('a file shorter than requested is an error, not a short read', async () => {
    const { sha256 } = await storage.putBytes('audio', randomBytes(1000))
    for (const [from, to] of [
      [0, 1001],
      [500, 2000],
      [1000, 1001],
      [5000, 6000],
    ]) {
      await expect(collect(storage.pieces('audio', sha256, { from, to }))).rejects.toThrow(
        /^Unexpected end of the original .*at byte \d+, expected \d+$/,
      )
      await expect(collect(storage.read('audio', sha256, { from, to }))).rejects.toThrow(
        /^Unexpected end of the original .*at byte \d+, expected \d+$/,
      )
    }
  })

  test('missing files always throw the same error', async () => {
    const missing = [
      () => storage.readAll('audio', nowhere),
      () => collect(storage.read('audio', nowhere)),
      () => collect(storage.pieces('audio', nowhere, { from: 5, to: 10 })),
      () => storage.onDisk('audio', nowhere),
      () => storage.copyAs({ kind: 'audio', sha256: nowhere }, 'previews', '.mp3'),
    ]
    for (const read of missing) await expect(read()).rejects.toBeInstanceOf(NotStoredError)
    expect(await storage.has('audio', nowhere)).toBe(false)
  })

  test('a file stored under two kinds exists twice, and can be removed separately', async () => {
    const { sha256 } = await storage.putBytes('audio', Buffer.from('frames'))
    for (let n = 0; n < 2; n++) await storage.copyAs({ kind: 'audio', sha256 }, 'previews', '.mp3')
    await storage.remove('audio', sha256)
    expect(await storage.has('audio', sha256)).toBe(false)
    expect(String(await storage.readAll('previews', sha256, '.mp3'))).toBe('frames')
  })

  test('replaces a file of the wrong length when the content is stored again', async () => {
    const bytes = randomBytes(300_000)
    const file = writeFixture('whole', bytes)
    const { sha256 } = await storage.putFile('audio', file)
    expect(await storage.size('audio', sha256)).toBe(300_000)
    for (const keepAgain of [() => storage.putFile('audio', file), () => storage.putBytes('audio', bytes)]) {
      for (const damaged of [bytes.subarray(0, 1000), Buffer.alloc(0)]) {
        await overwrite(sha256, damaged)
        expect(await storage.size('audio', sha256)).toBe(damaged.length)
        await keepAgain()
        expect((await storage.readAll('audio', sha256)).equals(bytes)).toBe(true)
      }
    }
    expect(await storage.size('audio', nowhere)).toBeUndefined()
    expect(scratch()).toEqual([])
  })

  test('a removed file no longer exists, also if it is removed twice', async () => {
    const { sha256 } = await storage.putBytes('images', Buffer.from('a picture'))
    await storage.remove('images', sha256)
    await storage.remove('images', sha256)
    expect(await storage.has('images', sha256)).toBe(false)
  })

  test('twenty concurrent writes of the same bytes leave an intact file', async () => {
    const bytes = randomBytes(300_000)
    const file = writeFixture('same', bytes)
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? storage.putBytes('audio', bytes) : storage.putFile('audio', file))),
    )
    expect(new Set(stored.map((one) => one.sha256))).toEqual(new Set([hashOf(bytes)]))
    expect(await storage.readAll('audio', hashOf(bytes))).toEqual(bytes)
  })

  test('a local copy has the content until it is released, and nothing remains in the scratch folder', async () => {
    const bytes = randomBytes(200_000)
    const { sha256 } = await storage.putBytes('audio', bytes)
    const file = await storage.onDisk('audio', sha256)
    expect((await readFile(file.path)).equals(bytes)).toBe(true)
    await file.done()
    expect(await storage.has('audio', sha256)).toBe(true)
    expect(scratch()).toEqual([])
  })

  test('a source that cannot be read throws its own error, and nothing is stored', async () => {
    await expect(storage.putFile('audio', path.join(folder, 'not there'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(scratch()).toEqual([])
  })

  test('lists every file of a kind sorted by name, and nothing else', async () => {
    const stored = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        storage.putBytes('attachments', Buffer.from(`listed ${n}`), n % 2 ? '.mp3' : ''),
      ),
    )
    await storage.putBytes('images', Buffer.from('of another kind'))
    const listed: { sha256: string; ending: string; bytes: number }[] = []
    for await (const { changed_at, ...one } of storage.list('attachments')) {
      expect(Math.abs(Date.now() - changed_at.getTime())).toBeLessThan(60_000)
      listed.push(one)
    }
    const expected = stored.map((one, n) => ({ ...one, ending: n % 2 ? '.mp3' : '' }))
    expect(listed).toEqual(expected.sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)))
  })

  test('reports the free space on this machine’s disk', async () => {
    expect(await storage.freeBytes()).toBeGreaterThan(1_000_000)
  })

  test('reports that storage responds', async () => {
    await storage.check()
  })
})
