import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { wasmFiles } from '../../scripts/wasm-files.mjs'
import { importFolder } from '../src/imports/folder-import.ts'
import { StorageUnavailableError } from '../src/platform/storage.ts'
import { readBucket } from '../src/platform/storage-config.ts'
import { makeMp3, makeWav } from './audio-files.ts'
import { startBucket, type TestBucket } from './bucket.ts'
import { openTestPool, type TestPool } from './pool.ts'

// Within the repository, so that the bundle finds its packages.
const built = path.resolve('node_modules/.cache', `bucket-import-test-${process.pid}`)
// The analysing processes have a low priority: on a busy machine they take long.
vi.setConfig({ testTimeout: 120_000 })

let bucket: TestBucket
let pool: TestPool
let folder = ''
beforeAll(async () => {
  const bundle = await rolldown({
    input: { 'analyser-child': path.join(import.meta.dirname, '../src/analysis/analyser-child.ts') },
    platform: 'node',
    plugins: [wasmFiles()],
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
  bucket = await startBucket()
  pool = await openTestPool({ config: { bucket: readBucket(bucket.settings) } })
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-import-'))
  writeFileSync(path.join(folder, 'Nova - Sunrise.mp3'), await makeMp3({ tone: 300 }))
  writeFileSync(path.join(folder, 'Nova - Sunset.wav'), makeWav({ tone: 320 }))
})
afterAll(async () => {
  await pool.close()
  await bucket.close()
  for (const directory of [built, folder]) rmSync(directory, { recursive: true, force: true })
})

const runImport = () =>
  importFolder(pool.ctx, {
    ...{ folder, section: 1, jobs: 2, childPath: path.join(built, 'analyser-child.js') },
    signal: new AbortController().signal,
  })

const files = () => pool.ctx.sql<{ sha256: string; preview: string }[]>`
  select encode(f.sha256, 'hex') as sha256, encode(p.sha256, 'hex') as preview
  from file f join preview p using (file_id) order by f.bytes`

test('an import fails when the bucket becomes unavailable, and the next one continues', async () => {
  bucket.onRequest(({ method }) => bucket.setUnavailable(method === 'PUT'))
  await expect(runImport()).rejects.toBeInstanceOf(StorageUnavailableError)
  bucket.onRequest(() => {})
  bucket.setUnavailable(false)
  expect(await runImport()).toMatchObject({ versions_added: 2, skipped: [] })
  const { storage, config } = pool.ctx
  for (const { sha256, preview } of await files()) {
    expect([await storage.has('audio', sha256), await storage.has('previews', preview, '.mp3')]).toEqual([true, true])
  }
  const media = path.join(config.dataDir, 'media')
  expect([existsSync(path.join(media, 'audio')), readdirSync(path.join(media, 'scratch'))]).toEqual([false, []])
})

test('does not upload existing files again, and restores lost ones from the source folder', async () => {
  const [mp3 = { sha256: '' }] = await files()
  await pool.ctx.storage.remove('audio', mp3.sha256)
  bucket.requests.length = 0
  expect(await runImport()).toMatchObject({ versions_added: 0 })
  expect(bucket.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  const kept = await pool.ctx.storage.readAll('audio', mp3.sha256)
  expect(kept.equals(readFileSync(path.join(folder, 'Nova - Sunrise.mp3')))).toBe(true)
})
