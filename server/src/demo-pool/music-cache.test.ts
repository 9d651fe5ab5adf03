import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Recipe } from '@dubplate/demo/song'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashSynthesiser, openMusicCache } from './music-cache.ts'
import type { RenderedTrack } from './music-messages.ts'

const recipe: Recipe = { seed: 1, genre: 'house', tonic: 9, mode: 'minor', bpm: 124, version: 'Original' }
const rendered: RenderedTrack = {
  ...{ bytes: 5, duration_seconds: 60.5, loudness_lufs: -9.5, loudness_range: 3, true_peak_db: -1 },
  ...{ overview: new Uint8Array([1, 2, 3]), detail: new Uint8Array([4, 5]) },
  quality: { faults: [], spectrum: null, fingerprint: new Int32Array([6]), level_print: new Uint8Array([7]) },
}
const [one, other] = ['1'.repeat(64), '2'.repeat(64)]

let parent: string
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'dubplate-music-cache-'))
})
afterEach(() => rmSync(parent, { recursive: true }))

const place = (name: string) => path.join(parent, name)

async function addSong(synthesiser = one) {
  const cache = openMusicCache(parent, synthesiser)
  writeFileSync(place('made.mp3'), 'music')
  await cache.add(recipe, rendered, place('made.mp3'))
  return cache
}

test('returns the music and the measurements of a recipe that was added', async () => {
  const cache = await addSong()
  expect(await cache.copyTo(place('copy.mp3'), recipe)).toEqual(rendered)
  expect(readFileSync(place('copy.mp3'), 'utf8')).toBe('music')
})

test('returns nothing for another recipe or another synthesiser', async () => {
  const cache = await addSong()
  expect(await cache.copyTo(place('copy.mp3'), { ...recipe, version: 'Clean' })).toBeUndefined()
  expect(await openMusicCache(parent, other).copyTo(place('copy.mp3'), recipe)).toBeUndefined()
  expect(readdirSync(parent)).not.toContain('copy.mp3')
})

test.each<[string, (file: string) => void]>([
  ['truncated', (file) => truncateSync(file, 60)],
  ['empty', (file) => truncateSync(file)],
  ['changed', (file) => writeFileSync(file, readFileSync(file).fill(0, 60))],
])('ignores a %s file', async (_, damage) => {
  const cache = await addSong()
  const folder = readdirSync(parent).find((name) => name.startsWith('music-'))!
  const [file] = readdirSync(place(folder))
  damage(path.join(parent, folder, file!))
  expect(await cache.copyTo(place('copy.mp3'), recipe)).toBeUndefined()
  await addSong()
  expect(await cache.copyTo(place('copy.mp3'), recipe)).toEqual(rendered)
})

test('removes the music of other synthesisers and nothing else', async () => {
  await addSong(other)
  const cache = await addSong(one)
  mkdirSync(place('music-of-mine'))
  await cache.removeOutdated()
  expect(readdirSync(parent).sort()).toEqual(['made.mp3', `music-${'1'.repeat(16)}`, 'music-of-mine'])
  expect(await cache.copyTo(place('copy.mp3'), recipe)).toEqual(rendered)
})

test('distinguishes synthesisers by their program', async () => {
  const hashOf = (text: string) => {
    writeFileSync(place('program.js'), text)
    return hashSynthesiser(place('program.js'))
  }
  const first = await hashOf('import "./chunk-1.js"')
  expect(await hashOf('import "./chunk-2.js"')).not.toBe(first)
  expect(await hashOf('import "./chunk-1.js"')).toBe(first)
})
