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
  /** Writes other bytes under a name, as a power cut or a broken disk does. */
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

  test('what was kept is there, under the hash of its content, kind and ending', async () => {
    const bytes = randomBytes(5000)
    const stored = await storage.putBytes('audio', bytes)
    expect(stored).toEqual({ sha256: hashOf(bytes), bytes: 5000 })
    expect(await storage.has('audio', stored.sha256)).toBe(true)
    expect(await storage.has('previews', stored.sha256)).toBe(false)
    expect(await storage.has('audio', stored.sha256, '.mp3')).toBe(false)
    expect(await storage.putBytes('audio', bytes)).toEqual(stored)
    expect(await storage.readAll('audio', stored.sha256)).toEqual(bytes)
  })

  test('a file is kept whole, whatever its length', async () => {
    // Longer than a part that goes up by itself; as long as one; one byte; none.
    for (const length of [17 * 1024 * 1024, 16 * 1024 * 1024, 1, 0]) {
      const bytes = randomBytes(length)
      const file = writeFixture('original', bytes)
      expect(await storage.putFile('audio', file, '.wav')).toEqual({ sha256: hashOf(bytes), bytes: length })
      expect((await storage.readAll('audio', hashOf(bytes), '.wav')).equals(bytes)).toBe(true)
      expect((await readFile(file)).equals(bytes)).toBe(true)
    }
  })

  test('any part is read, as a stream or in pieces', async () => {
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

  test('what is shorter than was asked for is an error, not a short file', async () => {
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

  test('what is not there says so in one way', async () => {
    const missing = [
      () => storage.readAll('audio', nowhere),
      () => collect(storage.read('audio', nowhere)),
      () => collect(storage.pieces('audio', nowhere, { from: 5, to: 10 })),
      () => storage.onDisk('audio', nowhere),
      () => storage.copyAs({ kind: 'audio', sha256: nowhere }, 'previews', '.mp3'),
    ]
    for (const pingDatabase of missing) await expect(pingDatabase()).rejects.toBeInstanceOf(NotStoredError)
    expect(await storage.has('audio', nowhere)).toBe(false)
  })

  test('what is kept as another kind as well is there twice, and one goes without the other', async () => {
    const { sha256 } = await storage.putBytes('audio', Buffer.from('frames'))
    for (let n = 0; n < 2; n++) await storage.copyAs({ kind: 'audio', sha256 }, 'previews', '.mp3')
    await storage.remove('audio', sha256)
    expect(await storage.has('audio', sha256)).toBe(false)
    expect(String(await storage.readAll('previews', sha256, '.mp3'))).toBe('frames')
  })

  test('what has another length than its content is replaced when the content is kept again', async () => {
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

  test('what was thrown away is gone, also when it is thrown away twice', async () => {
    const { sha256 } = await storage.putBytes('images', Buffer.from('a picture'))
    await storage.remove('images', sha256)
    await storage.remove('images', sha256)
    expect(await storage.has('images', sha256)).toBe(false)
  })

  test('twenty who keep the same bytes at once leave them whole', async () => {
    const bytes = randomBytes(300_000)
    const file = writeFixture('same', bytes)
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? storage.putBytes('audio', bytes) : storage.putFile('audio', file))),
    )
    expect(new Set(stored.map((one) => one.sha256))).toEqual(new Set([hashOf(bytes)]))
    expect(await storage.readAll('audio', hashOf(bytes))).toEqual(bytes)
  })

  test('a file on this machine has the content until it is let go of, and nothing stays in the scratch', async () => {
    const bytes = randomBytes(200_000)
    const { sha256 } = await storage.putBytes('audio', bytes)
    const file = await storage.onDisk('audio', sha256)
    expect((await readFile(file.path)).equals(bytes)).toBe(true)
    await file.done()
    expect(await storage.has('audio', sha256)).toBe(true)
    expect(scratch()).toEqual([])
  })

  test('a file that cannot be read is its own error, and nothing is kept', async () => {
    await expect(storage.putFile('audio', path.join(folder, 'not there'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(scratch()).toEqual([])
  })

  test('all that is kept of a kind is listed in the order of its names, and nothing else', async () => {
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

  test('the room on this machine’s disk is told', async () => {
    expect(await storage.freeBytes()).toBeGreaterThan(1_000_000)
  })

  test('the store says that it answers', async () => {
    await storage.check()
  })
})
