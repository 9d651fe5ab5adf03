import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import os, { tmpdir } from 'node:os'
import path from 'node:path'
import { encodedBytes } from '@dubplate/demo/encode'
import type { Recipe } from '@dubplate/demo/song'
import { MPEGDecoder } from 'mpg123-decoder'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createLog } from '../platform/log.ts'
import { projectRoot } from '../platform/project-root.ts'
import { type RenderPool, startRenderPool } from './music.ts'
import type { RenderedTrack } from './music-messages.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-music-'))
let renderPool: RenderPool
let finished: { id: number; made: RenderedTrack }[] = []
let folderCount = 0

function start(size = 1, cacheFolder?: string): void {
  const own: typeof finished = []
  finished = own
  renderPool = startRenderPool({
    childPath: path.join(projectRoot, 'server', 'dist', 'music-child.js'),
    scratch: async () => path.join(folder, `scratch-${++folderCount}`),
    store: async (id, file, rendered) => {
      const stored = path.join(folder, `stored-${id}-${folderCount}`)
      await copyFile(file, stored)
      own.push({ id, made: rendered })
      return (from, to) => createReadStream(stored, { start: from, end: to - 1 })
    },
    size,
    cacheFolder,
    log: createLog('silent'),
  })
}

afterEach(() => renderPool.stop())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const youngestChild = () =>
  Number(execFileSync('pgrep', ['-n', '-P', String(process.pid), '-f', 'music-child']).toString())

const children = () =>
  execFileSync('pgrep', ['-P', String(process.pid), '-f', 'music-child'])
    .toString()
    .trim()
    .split('\n')
    .map(Number)

const lowPriorityChildren = () => children().filter((pid) => os.getPriority(pid) > 0)

/** The shortest possible song: 13 seconds. */
const recipe = (seed: number): Recipe => ({
  seed,
  genre: 'house',
  tonic: 9,
  mode: 'minor',
  bpm: 240,
  version: 'Quick Hit',
  seconds: 8,
})

async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const piece of bytes) chunks.push(piece)
  return Buffer.concat(chunks)
}

test('music can be read while it is generated, has the announced length and is not silent', async () => {
  start()
  const expectedBytes = encodedBytes(recipe(1))
  const whole = await collect(renderPool.read(1, recipe(1), 0, expectedBytes))
  expect(whole).toHaveLength(expectedBytes)
  const decoder = new MPEGDecoder()
  await decoder.ready
  const { channelData, sampleRate } = decoder.decode(whole)
  decoder.free()
  const sound = channelData[0] ?? new Float32Array()
  const level = Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length)
  expect(sampleRate).toBe(44_100)
  expect(level).toBeGreaterThan(0.05)
  const middle = await collect(renderPool.read(1, recipe(1), 5000, 9000))
  expect(middle.equals(whole.subarray(5000, 9000))).toBe(true)
})

test('stores generated music once, with its measurements, however many readers wait for it', async () => {
  start()
  await Promise.all([1, 2, 3].map(() => renderPool.finish(7, recipe(7))))
  expect(finished).toHaveLength(1)
  expect(finished[0]?.made.overview).toHaveLength(3200)
  expect(finished[0]?.made.loudness_lufs).toBeGreaterThan(-20)
  expect(finished[0]?.made.true_peak_db).toBeLessThan(0)
})

test('generates requested versions before others', async () => {
  start()
  for (const id of [1, 2, 3]) renderPool.whenIdle(id, recipe(id))
  await renderPool.finish(3, recipe(3))
  expect(finished.map((one) => one.id)).toEqual([1, 3])
})

test('generates prepared versions before others, and after those that a listener waits for', async () => {
  start()
  for (const id of [1, 2, 3]) renderPool.whenIdle(id, recipe(id))
  const requested = renderPool.finish(4, recipe(4))
  renderPool.prepare(3, recipe(3))
  await Promise.all([requested, renderPool.finish(2, recipe(2))])
  await expect.poll(() => finished.map((one) => one.id)).toEqual([1, 2, 4, 3])
})

test.each([
  ['before it starts', false],
  ['after it has started', true],
])('takes requested versions away from the process with low priority, %s', async (_, isStarted) => {
  start(2)
  renderPool.whenIdle(1, recipe(1))
  if (isStarted) await expect.poll(() => existsSync(path.join(folder, `scratch-${folderCount}`))).toBe(true)
  // A busy machine nearly does this.
  for (const pid of lowPriorityChildren()) process.kill(pid, 'SIGSTOP')
  await Promise.all([2, 1, 3].map((id) => renderPool.finish(id, recipe(id))))
  expect(finished.map((one) => one.id).sort()).toEqual([1, 2, 3])
  for (const pid of lowPriorityChildren()) process.kill(pid, 'SIGCONT')
  renderPool.whenIdle(4, recipe(4))
  await expect.poll(() => finished.map((one) => one.id)).toContain(4)
})

test('generates the same bytes for the same recipe', async () => {
  start(2)
  const length = encodedBytes(recipe(5))
  const [one, two] = await Promise.all([11, 12].map((id) => collect(renderPool.read(id, recipe(5), 0, length))))
  expect(one?.equals(two ?? Buffer.alloc(0))).toBe(true)
})

test('does not generate music that is in the cache', async () => {
  const cacheFolder = path.join(folder, 'cache')
  const length = encodedBytes(recipe(4))
  const cachedFiles = () =>
    readdirSync(cacheFolder, { recursive: true, encoding: 'utf8' }).map((name) => {
      const { ino, mtimeMs } = statSync(path.join(cacheFolder, name))
      return { name, ino, mtimeMs }
    })
  start(1, cacheFolder)
  const first = await collect(renderPool.read(1, recipe(4), 0, length))
  await renderPool.finish(1, recipe(4))
  const cachedBefore = cachedFiles()
  const [one] = finished
  await renderPool.stop()
  start(1, cacheFolder)
  expect((await collect(renderPool.read(2, recipe(4), 0, length))).equals(first)).toBe(true)
  await renderPool.finish(2, recipe(4))
  expect(finished[0]?.made).toEqual(one?.made)
  expect(cachedFiles()).toEqual(cachedBefore)
})

test('an invalid recipe fails for its own readers, not for the next job', async () => {
  start()
  await expect(renderPool.finish(1, { ...recipe(1), genre: 'polka' })).rejects.toThrow()
  await renderPool.finish(2, recipe(2))
  expect(finished.map((one) => one.id)).toEqual([2])
})

test('a process killed before it starts fails its job, and another process handles the next one', async () => {
  start()
  const pendingRead = collect(renderPool.read(1, recipe(1), 0, encodedBytes(recipe(1))))
  const failed = expect(pendingRead).rejects.toThrow('The music generator process exited')
  process.kill(youngestChild(), 'SIGKILL')
  await failed
  await renderPool.finish(2, recipe(2))
  expect(finished.map((one) => one.id)).toEqual([2])
})

test('a process killed halfway fails its readers and leaves no partial file, and the next job succeeds', async () => {
  start()
  const chunks = renderPool.read(1, recipe(1), 0, encodedBytes(recipe(1)))[Symbol.asyncIterator]()
  const scratch = path.join(folder, `scratch-${folderCount}`)
  await chunks.next()
  expect(existsSync(scratch)).toBe(true)
  process.kill(youngestChild(), 'SIGKILL')
  const readRest = async () => {
    while (!(await chunks.next()).done);
  }
  await expect(readRest()).rejects.toThrow('The music generator process exited')
  await expect.poll(() => existsSync(scratch)).toBe(false)
  await renderPool.finish(1, recipe(1))
  expect(finished.map((one) => one.id)).toEqual([1])
})

test('stopping rejects reads of files that were not started', async () => {
  start()
  renderPool.whenIdle(1, recipe(1))
  const pendingRead = collect(renderPool.read(2, recipe(2), 0, encodedBytes(recipe(2))))
  const failed = expect(pendingRead).rejects.toThrow('The server is shutting down.')
  await renderPool.stop()
  await failed
})
