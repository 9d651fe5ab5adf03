import { expect, test } from 'vitest'
import { ownLibrary } from '../index.ts'
import { importParts } from './import-parts.ts'
import { makeEntry } from './library-entry.ts'
import type { LibraryEntry } from './library-file.ts'

const entriesNamed = (count: number, title: string): LibraryEntry[] =>
  Array.from(
    { length: count },
    (_, n) => makeEntry(`C:/Music/House/${n}.mp3`, { artist: 'A', title, album: 'Not sent' })!,
  )

const inputOf = (part: object) =>
  ownLibrary.importCollection.input.safeParse({ name: 'A', format: 'm3u', total: 20_000, ...part })

test('splits a library into parts that are accepted, in order and complete', () => {
  const parts = [...importParts(entriesNamed(1201, 'T'))]
  expect(parts.map(({ offset, entries }) => [offset, entries.length])).toEqual([
    [0, 500],
    [500, 500],
    [1000, 201],
  ])
  for (const part of parts) expect(inputOf(part).success).toBe(true)
  expect(Object.keys(parts[0]!.entries[0]!)).not.toContain('album')
})

test('keeps parts below the limit of requests, also with long texts in other scripts', () => {
  const parts = [...importParts(entriesNamed(500, '音'.repeat(1000)))]
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(220_000)
  expect(parts.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(500)
  expect(parts[0]!.entries[0]!.title).toHaveLength(300)
})

test('removes characters that cannot be stored', () => {
  const [part] = importParts(entriesNamed(1, 'A\0B\ud800C😀'))
  expect(part!.entries[0]!.title).toBe('ABC😀')
})
