import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDiskStorage, type Storage } from './storage.ts'

let folder = ''
let storage: Storage
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-storage-'))
  storage = makeDiskStorage(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = 'ab'.repeat(32)

test('what was kept is there, under the hash of its content', async () => {
  const kept = await storage.keepBytes('audio', Buffer.from('sound'))
  expect(kept.bytes).toBe(5)
  expect(await storage.has('audio', kept.sha256)).toBe(true)
  expect(await storage.has('previews', kept.sha256)).toBe(false)
  expect(await storage.keepBytes('audio', Buffer.from('sound'))).toEqual(kept)
  expect(readdirSync(path.join(folder, 'media', 'scratch'))).toEqual([])
})

test('a file is missing when there is nothing under its name, or a file where its folder should be', async () => {
  expect(await storage.has('audio', sha256)).toBe(false)
  mkdirSync(path.join(folder, 'media', 'audio'), { recursive: true })
  writeFileSync(path.join(folder, 'media', 'audio', 'ab'), '')
  expect(await storage.has('audio', sha256)).toBe(false)
})

test('a disk that does not say whether a file is there is no reason to call it missing', async () => {
  const place = storage.path('audio', sha256)
  mkdirSync(path.dirname(place), { recursive: true })
  symlinkSync(place, place)
  await expect(storage.has('audio', sha256)).rejects.toMatchObject({ code: 'ELOOP' })
})

test('bytes that could not be put in their place leave nothing behind', async () => {
  mkdirSync(path.join(folder, 'media'))
  writeFileSync(path.join(folder, 'media', 'images'), '')
  await expect(storage.keepBytes('images', Buffer.from('picture'))).rejects.toThrow()
  expect(readdirSync(path.join(folder, 'media', 'scratch'))).toEqual([])
})
