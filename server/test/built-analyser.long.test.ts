import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Analyser, startAnalyser } from '../src/analysis/analyser.ts'
import { flacOf, tone } from '../src/analysis/make-audio.ts'
import { builtProgram } from '../src/platform/project-root.ts'
import { makeAiff, makeMp3, makeWav } from './audio-files.ts'
import { encodedSound } from './encoded-sounds.ts'

/** The built child process, `server/dist/analyser-child.js`: it may read its build and its packages, and nothing else. */
const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-built-analyser-'))
let analyser: Analyser
beforeAll(() => {
  analyser = startAnalyser({ childPath: builtProgram('analyser-child'), size: 1, attempts: 1 })
})
afterAll(async () => {
  await analyser.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.each([
  ['mp3', () => makeMp3({ tone: 300 })],
  ['flac', () => flacOf([tone({ hz: 330, seconds: 1 })])],
  ['wav', () => makeWav({ tone: 320 })],
  ['aiff', () => makeAiff({ tone: 340 })],
  ['m4a', () => encodedSound('aac.m4a')],
  ['ogg', () => encodedSound('vorbis.ogg')],
  ['opus', () => encodedSound('opus.opus')],
])('the built analyser decodes %s and writes its preview', async (format, make) => {
  const file = path.join(folder, `sound.${format}`)
  const previewPath = path.join(folder, `${format}-preview.mp3`)
  writeFileSync(file, await make())
  expect(await analyser.analyse(file, { previewPath })).toMatchObject({ format, playable: true })
  expect(readFileSync(previewPath).length).toBeGreaterThan(1000)
})
