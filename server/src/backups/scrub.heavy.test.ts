import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { clearDamagedFile, listDamagedFiles, recordDamagedFile } from '../platform/damaged-files.ts'
import { StorageUnavailableError, storageKey } from '../platform/storage.ts'
import { recheckDamaged } from './file-damage.ts'
import { readScrub, scrubDays, scrubFiles } from './scrub.ts'
import { measureStorage } from './storage-usage.ts'

const { signal } = new AbortController()
let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from damaged_file`
  await pool.ctx.sql`delete from storage_scrub`
})

const placeOf = (sha256: string) => path.join(pool.ctx.config.dataDir, 'media', storageKey('audio', sha256))
const damaged = async () =>
  Object.fromEntries((await listDamagedFiles(pool.ctx.sql, 100)).map(({ sha256, kind }) => [sha256, kind]))
/** Runs one night of a pool that reads everything within this many days. */
const runScrub = (scrubDays: number) => scrubFiles({ ...pool.ctx, config: { ...pool.ctx.config, scrubDays } }, signal)

/** A song with one original missing, one truncated and one altered, and a function that repairs them. */
async function aDamagedSong() {
  const { files } = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [missing = '', truncated = '', altered = ''] = files.map(({ sha256 }) => sha256)
  rmSync(placeOf(missing))
  writeFileSync(placeOf(truncated), readFileSync(placeOf(truncated)).subarray(0, 100))
  const bytes = readFileSync(placeOf(altered))
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  writeFileSync(placeOf(altered), bytes)
  const repair = () => {
    for (const { sha256, bytes } of files) writeFileSync(placeOf(sha256), bytes)
  }
  return { found: { [missing]: 'missing', [truncated]: 'truncated', [altered]: 'altered' }, altered, repair }
}

test('reads every stored file once in SCRUB_DAYS and records what is damaged', async () => {
  const { found, repair } = await aDamagedSong()
  const read = vi.spyOn(pool.ctx.storage, 'pieces')
  const scrubbedCounts: number[] = []
  for (let n = 0; n < 29; n += 1) {
    const before = read.mock.calls.length
    await runScrub(30)
    scrubbedCounts.push(read.mock.calls.length - before)
  }
  const shas = read.mock.calls.map(([kind, sha256]) => `${kind} ${sha256}`)
  read.mockRestore()
  expect(await damaged()).toEqual(found)
  const referenced = await pool.ctx.sql`select sha256 from file union all select sha256 from preview`
  expect(new Set(shas).size).toBe(referenced.length)
  expect(await readScrub(pool.ctx.sql)).toMatchObject({ finished_at: expect.any(Date) })
  repair()
  // Files known to be damaged are checked every night, whichever part is due.
  await runScrub(256)
  expect(await damaged()).toEqual({})
})

test('reads only one part a night, and continues there the next', async () => {
  await runScrub(64)
  expect((await readScrub(pool.ctx.sql))?.done).toBe(4 / 256)
  await runScrub(64)
  expect(await readScrub(pool.ctx.sql)).toMatchObject({ done: 8 / 256, finished_at: null })
})

test('records nothing while the store is unavailable, and reads that part again', async () => {
  await aSong(pool.ctx)
  const outage = vi.spyOn(pool.ctx.storage, 'pieces').mockImplementation(() => {
    throw new StorageUnavailableError('no answer')
  })
  await expect(runScrub(1)).rejects.toThrow('no answer')
  outage.mockRestore()
  expect(await damaged()).toEqual({})
  expect((await readScrub(pool.ctx.sql))?.finished_at).toBeNull()
})

test('stops when the worker stops, and keeps its position', async () => {
  const ending = new AbortController()
  ending.abort(new Error('The worker stops.'))
  await runScrub(64)
  const config = { ...pool.ctx.config, scrubDays: 1 }
  await expect(scrubFiles({ ...pool.ctx, config }, ending.signal)).rejects.toThrow('The worker stops.')
  expect((await readScrub(pool.ctx.sql))?.done).toBeGreaterThanOrEqual(4 / 256)
})

test('reads a bucket only where SCRUB_DAYS is set, because reading it may cost money', () => {
  const bucket = { bucket: 'music' } as never
  expect(scrubDays({ scrubDays: undefined, bucket: undefined })).toBe(30)
  expect(scrubDays({ scrubDays: undefined, bucket })).toBe(0)
  expect(scrubDays({ scrubDays: 60, bucket })).toBe(60)
  expect(scrubDays({ scrubDays: 0, bucket: undefined })).toBe(0)
})

test('the nightly measurement records missing and truncated files without reading any', async () => {
  const { found, altered, repair } = await aDamagedSong()
  await measureStorage(pool.ctx)
  const { [altered]: _, ...byListing } = found
  expect(await damaged()).toEqual(byListing)
  repair()
  await measureStorage(pool.ctx)
  expect(await damaged()).toEqual({})
})

test('deletes the damage record of a file that nothing references', async () => {
  const { sql } = pool.ctx
  const sha256 = 'ab'.repeat(32)
  const { customer_id } = await aMember(pool.ctx)
  await sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
  expect(await recordDamagedFile(sql, sha256, 'missing', { kind: 'images' })).toBe(true)
  expect(await recordDamagedFile(sql, sha256, 'altered', { kind: 'images' })).toBe(false)
  await recheckDamaged(pool.ctx)
  expect(await damaged()).toEqual({ [sha256]: 'missing' })
  await sql`update customer set profile_picture = null where customer_id = ${customer_id}`
  await recheckDamaged(pool.ctx)
  expect(await damaged()).toEqual({})
  expect(await clearDamagedFile(sql, sha256, { kind: 'images' })).toBe(false)
})
