import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { collect } from '../../test/audio-files.ts'
import { startBucket, type TestBucket } from '../../test/bucket.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { openStorage } from './open-storage.ts'
import { projectRoot } from './project-root.ts'
import { type Storage, StorageUnavailableError, storageKey } from './storage.ts'
import { listObjects } from './storage-s3-list.ts'

let bucket: TestBucket
let dataDir = ''
let storage: Storage
const log = createLog('silent')
const open = (settings: Record<string, string> = {}) =>
  openStorage(readConfig({ DATA_DIR: dataDir, ...bucket.settings, ...settings }), log)

beforeAll(async () => {
  bucket = await startBucket()
  dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-s3-'))
  storage = await open()
})
afterAll(async () => {
  await bucket.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  bucket.requests.length = 0
})

const askedFor = (method: string) => bucket.requests.filter((one) => one.method === method)
const isAway = expect.objectContaining({ code: 'STORE_AWAY' })

test('keys are the paths files have in a folder, below the prefix', async () => {
  const { sha256 } = await storage.putBytes('previews', Buffer.from('frames'), '.mp3')
  expect(askedFor('PUT').map((one) => one.path)).toEqual([
    `/music/pool/${storageKey('previews', sha256, '.mp3')}?x-id=PutObject`,
  ])
})

test('uploads bytes once and signs them with their hash, which the server checks', async () => {
  const bytes = randomBytes(100_000)
  const { sha256 } = await storage.putBytes('audio', bytes)
  expect(askedFor('PUT')[0]?.headers['x-amz-content-sha256']).toBe(sha256)
  const file = path.join(dataDir, 'again')
  writeFileSync(file, bytes)
  await storage.putFile('audio', file)
  await storage.putBytes('audio', bytes)
  expect(askedFor('PUT')).toHaveLength(1)
})

test('uploads a large file in parts, each with its hash', async () => {
  const file = path.join(dataDir, 'large')
  writeFileSync(file, randomBytes(40 * 1024 * 1024))
  await storage.putFile('audio', file)
  const parts = askedFor('PUT')
  expect(parts.map((one) => one.bytes).sort((a, b) => b - a)).toEqual([16, 16, 8].map((mb) => mb * 1024 * 1024))
  for (const part of parts) expect(part.headers['x-amz-content-sha256']).toMatch(/^[0-9a-f]{64}$/)
})

test.each([
  ['in one', 100_000],
  ['in parts', 40 * 1024 * 1024],
])('does not store a file that grows while it is uploaded %s', async (_how, length) => {
  const file = path.join(dataDir, 'growing')
  writeFileSync(file, randomBytes(length))
  // Its hash is known by the time the bucket is checked for it.
  bucket.onRequest(({ method }) => method === 'HEAD' && appendFileSync(file, 'more'))
  await expect(storage.putFile('audio', file)).rejects.toThrow('changed while it was being read')
  bucket.onRequest(() => {})
  const [{ path: asked = '' } = {}] = askedFor('HEAD')
  const sha256 = /[0-9a-f]{64}/.exec(asked)?.[0] ?? ''
  expect(await storage.has('audio', sha256)).toBe(false)
})

test.each(['broken', 'ended'] as const)('continues a reply that ends %s where it stopped', async (how) => {
  const bytes = randomBytes(500_000)
  const { sha256 } = await storage.putBytes('audio', bytes)
  bucket.requests.length = 0
  bucket.breakReplies(2, 70_000, how)
  const read = await collect(storage.pieces('audio', sha256, { from: 1000, to: 400_000 }))
  expect(read.equals(bytes.subarray(1000, 400_000))).toBe(true)
  expect(askedFor('GET').map((one) => one.headers.range)).toEqual([
    'bytes=1000-399999',
    'bytes=71000-399999',
    'bytes=141000-399999',
  ])
})

test('rejects an object that is shorter than requested before its first byte', async () => {
  const { sha256 } = await storage.putBytes('audio', randomBytes(1000))
  const reading = storage.pieces('audio', sha256, { from: 0, to: 1001 })
  await expect(reading.next()).rejects.toThrow('at byte 1000, expected 1001')
})

test('repeated interruptions without a byte are an error, not a short file', async () => {
  const { sha256 } = await storage.putBytes('audio', randomBytes(500_000))
  bucket.breakReplies(3, 0)
  await expect(collect(storage.read('audio', sha256))).rejects.toBeInstanceOf(StorageUnavailableError)
})

test('an unavailable bucket does not count as missing files, and works again when it responds', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.from('sound'))
  bucket.setUnavailable(true)
  const file = path.join(dataDir, 'a file')
  writeFileSync(file, 'other sound')
  const calls = [
    () => storage.has('audio', sha256),
    () => storage.readAll('audio', sha256),
    () => storage.putBytes('audio', Buffer.from('more')),
    () => storage.putFile('audio', file),
    () => storage.onDisk('audio', sha256),
    () => storage.remove('audio', sha256),
    () => storage.check(),
  ]
  for (const call of calls) await expect(call()).rejects.toEqual(isAway)
  bucket.setUnavailable(false)
  expect(String(await storage.readAll('audio', sha256))).toBe('sound')
  expect(readdirSync(path.join(dataDir, 'media', 'scratch'))).toEqual([])
})

test('a missing bucket does not count as missing files', async () => {
  bucket.setUnavailable(true)
  const elsewhere = await open({ STORAGE_URL: bucket.settings.STORAGE_URL.replace('music', 'elsewhere') })
  bucket.setUnavailable(false)
  await expect(elsewhere.has('audio', 'ab'.repeat(32))).rejects.toEqual(isAway)
  await expect(elsewhere.readAll('audio', 'ab'.repeat(32))).rejects.toEqual(isAway)
})

test('does not return wrong content under a name as the whole file', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.from('sound that is overwritten'))
  const address = `${bucket.endpoint}/music/pool/${storageKey('audio', sha256)}`
  // The test's server lets anyone write.
  await fetch(address, { method: 'PUT', body: 'noise', headers: { 'x-amz-date': 'now' } })
  await expect(storage.readAll('audio', sha256)).rejects.toThrow('does not match its checksum')
  await expect(storage.onDisk('audio', sha256)).rejects.toThrow('does not match its checksum')
  expect(readdirSync(path.join(dataDir, 'media', 'scratch'))).toEqual([])
})

test.each([
  ['a wrong secret', { STORAGE_SECRET_ACCESS_KEY: 'wrong' }, 'denied (SignatureDoesNotMatch)'],
  ['an unknown key', { STORAGE_ACCESS_KEY_ID: 'NOBODY' }, 'denied (InvalidAccessKeyId)'],
])('refuses to start with %s', async (_what, settings, sentence) => {
  await expect(open(settings)).rejects.toBeInstanceOf(ConfigError)
  await expect(open(settings)).rejects.toThrow(`Invalid STORAGE_URL: access to bucket "music" ${sentence}.`)
})

test('refuses to start with a bucket that does not exist', async () => {
  const STORAGE_URL = bucket.settings.STORAGE_URL.replace('music', 'elsewhere')
  await expect(open({ STORAGE_URL })).rejects.toThrow('Invalid STORAGE_URL: bucket "elsewhere" doesn’t exist.')
})

test('storage that is unavailable at the start may become available later', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.from('sound'))
  bucket.setUnavailable(true)
  const early = await open()
  bucket.setUnavailable(false)
  expect(await early.has('audio', sha256)).toBe(true)
})

test('a signed URL returns the bytes of a file until it expires', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.from('sound'))
  const options = { seconds: 60, name: 'song.mp3', type: 'audio/mpeg' }
  const good = await fetch((await storage.address('audio', sha256, options)) ?? '')
  expect([good.status, await good.text()]).toEqual([200, 'sound'])
  expect(good.headers.get('content-type')).toContain('audio/mpeg')
  expect(good.headers.get('content-disposition')).toBe('attachment; filename="song.mp3"')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 61_000 })
  const old = await storage.address('audio', sha256, options)
  vi.useRealTimers()
  expect((await fetch(old ?? '')).status).toBe(403)
  const changed = (await storage.address('audio', sha256, options))?.replace(sha256, 'ab'.repeat(32))
  expect((await fetch(changed ?? '')).status).toBe(403)
})

test('returns no URL if browsers have no access to storage, and the browser’s endpoint if it differs', async () => {
  const url = bucket.settings.STORAGE_URL
  const running = await open({ STORAGE_URL: url.replace('redirect=on', 'redirect=off') })
  expect(await running.address('audio', 'ab'.repeat(32), { seconds: 60 })).toBeUndefined()
  const redirectingStorage = await open({ STORAGE_URL: url.replace('redirect=on', 'redirect=https://media.example') })
  expect(await redirectingStorage.address('audio', 'ab'.repeat(32), { seconds: 60 })).toMatch(
    /^https:\/\/media\.example\/music\/pool\/audio\/ab\/ab\/(ab)+\?/,
  )
})

test('the Amazon SDK is only loaded if a bucket is configured', () => {
  const source = path.join(projectRoot, 'server', 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  )
  const findImports = (key: RegExp) => files.filter((name) => key.test(readFileSync(path.join(source, name), 'utf8')))
  const sdk = findImports(/from '@aws-sdk\//)
  expect(sdk.filter((name) => !/^platform.storage-s3(-\w+)?\.ts$/.test(name))).toEqual([])
  const users = findImports(/from '\.+\/(platform\/)?storage-s3(-(read|upload))?\.ts'/)
  const ours = ['storage-s3-vault.ts', 'storage-s3.ts'].map((name) => path.join('platform', name))
  expect(users.sort()).toEqual(ours)
})

test('a folder of several pages is listed completely and in order', async () => {
  const stored: string[] = []
  for (let n = 0; n < 7; n++) stored.push((await storage.putBytes('attachments', Buffer.from(`page ${n}`))).sha256)
  const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new S3Client({ endpoint: bucket.endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  bucket.requests.length = 0
  const listed: string[] = []
  const folder = { bucket: 'music', folder: 'pool/attachments/', pageSize: 3 }
  for await (const { sha256 } of listObjects(client, folder)) listed.push(sha256)
  client.destroy()
  expect(askedFor('GET')).toHaveLength(3)
  expect(listed).toEqual(stored.sort())
})
