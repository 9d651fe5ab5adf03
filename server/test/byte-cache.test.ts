import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openByteCache } from './byte-cache.ts'

const song = Buffer.from('the bytes of a song')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-byte-cache-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const makeSong = () => vi.fn(async () => Buffer.from(song))

test('makes the same bytes once, in this process and in the next', async () => {
  const make = makeSong()
  const cached = openByteCache(folder)
  expect(await cached('key', make)).toEqual(song)
  expect(await cached('key', make)).toEqual(song)
  expect(await openByteCache(folder)('key', make)).toEqual(song)
  expect(make).toHaveBeenCalledTimes(1)
})

test('makes the bytes of another key', async () => {
  const cached = openByteCache(folder)
  await cached('key', makeSong())
  expect(await cached('other', async () => Buffer.from('other'))).toEqual(Buffer.from('other'))
})

test('returns copies: a change of one does not change the next', async () => {
  const cached = openByteCache(folder)
  ;(await cached('key', makeSong())).fill(0)
  expect(await cached('key', makeSong())).toEqual(song)
})

test.each<[string, (file: string) => void]>([
  ['truncated', (file) => truncateSync(file, 40)],
  ['empty', (file) => truncateSync(file)],
  ['changed', (file) => writeFileSync(file, readFileSync(file).fill(1, 40))],
])('makes a %s file again', async (_, damage) => {
  await openByteCache(folder)('key', makeSong())
  damage(path.join(folder, 'key'))
  const make = makeSong()
  expect(await openByteCache(folder)('key', make)).toEqual(song)
  expect(make).toHaveBeenCalledTimes(1)
  expect(await openByteCache(folder)('key', vi.fn())).toEqual(song)
})

test('makes bytes once for two callers at the same time', async () => {
  const make = makeSong()
  const cached = openByteCache(folder)
  expect(await Promise.all([cached('key', make), cached('key', make)])).toEqual([song, song])
  expect(make).toHaveBeenCalledTimes(1)
})

test('leaves complete files only when two processes make the same bytes', async () => {
  await Promise.all([1, 2].map(() => openByteCache(folder)('key', makeSong())))
  expect(readdirSync(folder)).toEqual(['key'])
  expect(await openByteCache(folder)('key', vi.fn())).toEqual(song)
})

test('tries again after an error', async () => {
  const cached = openByteCache(folder)
  await expect(cached('key', () => Promise.reject(new Error('no encoder')))).rejects.toThrow('no encoder')
  expect(await cached('key', makeSong())).toEqual(song)
})
