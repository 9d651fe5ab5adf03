import fs from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { wasmFiles } from '../../../../scripts/wasm-files.mjs'
import { tone, wavOf } from '../make-audio.ts'
import { type ConverterOptions, startConverter } from './converter.ts'

// Inside the repository, so that the bundle can resolve its packages.
const folder = path.resolve('node_modules/.cache', `converter-test-${process.pid}`)
const childPath = path.join(folder, 'analyser-child.mjs')
const hangingChild = path.join(folder, 'hangs.mjs')
const source = path.join(folder, 'source.wav')
const target = path.join(folder, 'target')

beforeAll(async () => {
  fs.mkdirSync(folder, { recursive: true })
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, '..', 'analyser-child.ts'),
    platform: 'node',
    plugins: [wasmFiles()],
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ file: childPath, format: 'esm' })
  await bundle.close()
  fs.writeFileSync(hangingChild, 'setInterval(() => {}, 1000)')
  const sine = tone({ hz: 440, seconds: 30 })
  fs.writeFileSync(source, wavOf([sine, sine]))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

function start(options: Partial<ConverterOptions> = {}) {
  const converter = startConverter({ childPath, ...options })
  onTestFinished(converter.stop)
  return converter
}

const conversion = { source, target, maxDurationSeconds: 600 } as const

test('converts a file in a confined process, and reports its progress', async () => {
  const shares: number[] = []
  await start().convert({ ...conversion, format: 'mp3', onProgress: (share) => shares.push(share) })
  const mp3 = fs.readFileSync(target)
  expect(mp3.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfb]))
  expect(mp3.length).toBeGreaterThan(30 * 40_000)
  expect(shares.length).toBeGreaterThan(0)
  expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
})

test('rejects with the reason of the process', async () => {
  fs.writeFileSync(`${source}.txt`, 'no audio')
  const failed = start().convert({ ...conversion, source: `${source}.txt`, format: 'aiff' })
  await expect(failed).rejects.toMatchObject({ kind: 'failed', message: 'The file is not a lossless recording' })
})

test('rejects when the process hangs, and when the converter is stopped', async () => {
  const hung = start({ childPath: hangingChild, flags: [], timeLimitSeconds: 1 })
  const failed = hung.convert({ ...conversion, format: 'mp3' })
  await expect(failed).rejects.toMatchObject({ kind: 'failed', message: 'timed out after 1 seconds' })
  const stopped = start({ childPath: hangingChild, flags: [] })
  const unfinished = expect(stopped.convert({ ...conversion, format: 'mp3' })).rejects.toMatchObject({
    kind: 'stopped',
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  await stopped.stop()
  await unfinished
})
