import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Storage, storageKey } from './storage.ts'
import { createDiskStorage } from './storage-disk.ts'

let folder = ''
let storage: Storage
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-storage-'))
  storage = createDiskStorage(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = 'ab'.repeat(32)

test('a file is missing if its path does not exist, or if its folder is a file', async () => {
  expect(await storage.has('audio', sha256)).toBe(false)
  mkdirSync(path.join(folder, 'media', 'audio'), { recursive: true })
  writeFileSync(path.join(folder, 'media', 'audio', 'ab'), '')
  expect(await storage.has('audio', sha256)).toBe(false)
})

test('an error of the disk does not count as a missing file', async () => {
  const place = path.join(folder, 'media', storageKey('audio', sha256))
  mkdirSync(path.dirname(place), { recursive: true })
  symlinkSync(place, place)
  await expect(storage.has('audio', sha256)).rejects.toMatchObject({ code: 'ELOOP' })
  await expect(storage.readAll('audio', sha256)).rejects.toMatchObject({ code: 'ELOOP' })
})

test('leaves nothing behind if a file cannot be moved to its place', async () => {
  mkdirSync(path.join(folder, 'media'))
  writeFileSync(path.join(folder, 'media', 'images'), '')
  await expect(storage.putBytes('images', Buffer.from('picture'))).rejects.toThrow()
  expect(readdirSync(path.join(folder, 'media', 'scratch'))).toEqual([])
})

test('a file on this disk is the stored one itself, and releasing it keeps it', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.from('sound'))
  const file = await storage.onDisk('audio', sha256)
  expect(file.path).toBe(path.join(folder, 'media', storageKey('audio', sha256)))
  await file.done()
  expect(String(readFileSync(file.path))).toBe('sound')
})

const countOpenFiles = () => readdirSync('/proc/self/fd').length

test.runIf(process.platform === 'linux')('leaves no file open if a reader stops early', async () => {
  const { sha256 } = await storage.putBytes('audio', Buffer.alloc(1_000_000, 7))
  const before = countOpenFiles()
  for (let n = 0; n < 10; n++) {
    for await (const _ of storage.pieces('audio', sha256)) break
    for await (const _ of storage.read('audio', sha256)) break
  }
  await expect.poll(countOpenFiles).toBe(before)
})
