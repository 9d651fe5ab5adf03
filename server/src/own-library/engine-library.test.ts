import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type LibraryFile, LibraryFileError, readLibrary } from '@dubplate/contract/library-files'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../platform/project-root.ts'

/** Made by sqlite3 from m.sql, next to it. */
const database = readFileSync(path.join(projectRoot, 'server', 'test', 'fixtures', 'engine', 'm.db'))
const PAGE_BYTES = 512
const TRACK_ROOT_PAGE = 3

const fileOf = (bytes: Uint8Array): LibraryFile => ({
  size: bytes.length,
  read: async (start, end) => bytes.slice(start, end),
})
const read = (bytes: Uint8Array) => readLibrary(fileOf(bytes))

/** The database with other bytes at this position. */
function withBytes(at: number, bytes: number[]): Uint8Array {
  const copy = Uint8Array.from(database)
  copy.set(bytes, at)
  return copy
}

describe('Engine', () => {
  test('reads the columns that exist', async () => {
    const { format, entries, error } = await read(database)
    expect({ format, error }).toEqual({ format: 'engine', error: null })
    expect(entries[0]).toEqual({
      artist: 'Ärtist',
      title: 'Títle 東',
      version: '',
      remixer: 'Bob',
      album: 'Alb',
      isrc: '',
      duration_seconds: 215,
      bpm: 123.98,
      bytes: 8_600_000_000,
      file_name: 'Ä 東 😀.mp3',
      path_parts: ['Music', 'House', 'Ä 東 😀.mp3'],
    })
  })

  test('reads every row of a table with many pages, in order', async () => {
    const { entries } = await read(database)
    expect(entries.slice(2, 60)).toMatchObject(
      Array.from({ length: 58 }, (_, n) => ({
        title: `Song ${n + 3}`,
        artist: `Artist ${(n + 3) % 7}`,
        duration_seconds: (n + 3) * 5,
        bpm: 100 + (n + 3) / 4,
        path_parts: ['Music', `${n + 3}.mp3`],
      })),
    )
  })

  test('reads a row that continues on other pages', async () => {
    const { entries } = await read(database)
    expect(entries[1]).toMatchObject({
      title: 'Title '.repeat(400).trim(),
      artist: 'Long',
      duration_seconds: 1,
      bpm: 90,
      file_name: `${'Long '.repeat(150)}.mp3`,
    })
  })

  test('skips a stream, but not a file that has an address as well', async () => {
    const { entries } = await read(database)
    expect(entries).toHaveLength(62)
    expect(entries.slice(60)).toMatchObject([
      { title: '', file_name: 'only-name.mp3' },
      { title: 'Both', file_name: 'both.mp3' },
    ])
  })

  test('rejects a database of another program', async () => {
    const other = Uint8Array.from(
      Buffer.from(Buffer.from(database).toString('latin1').replaceAll('Track', 'Other'), 'latin1'),
    )
    await expect(read(other)).rejects.toMatchObject({ code: 'unknown_format' })
  })

  test('keeps the rows before the end of an incomplete file', async () => {
    const { entries, error } = await read(database.subarray(0, database.length - PAGE_BYTES))
    expect(error).toMatchObject({ code: 'incomplete' })
    expect(entries.length).toBeGreaterThan(0)
    expect(entries.length).toBeLessThan(62)
    expect(entries[0]?.title).toBe('Títle 東')
    expect(await read(database.subarray(0, 50))).toMatchObject({ entries: [], error: { code: 'incomplete' } })
  })

  const root = (TRACK_ROOT_PAGE - 1) * PAGE_BYTES
  const damaged: [string, Uint8Array][] = [
    ['a page size that does not exist', withBytes(16, [0, 3])],
    ['a page of another kind', withBytes(root, [2])],
    ['a page that contains itself', withBytes(root + 8, [0, 0, 0, TRACK_ROOT_PAGE])],
    ['a page with more cells than fit', withBytes(root + 3, [0xff, 0xff])],
    ['a page without number', withBytes(root + 8, [0, 0, 0, 0])],
  ]
  test.each(damaged)('reports damage: %s', async (_, bytes) => {
    expect((await read(bytes)).error).toMatchObject({ code: 'damaged' })
  })

  test('ends with a result whatever the bytes of the file are', async () => {
    for (let n = 0; n < 300; n++) {
      const copy = Uint8Array.from(database)
      for (let k = 0; k < 20; k++)
        copy[100 + ((n * 7919 + k * 104_729) % (copy.length - 100))] = (n * 31 + k * 17) % 256
      const result = await read(copy).catch((error: unknown) => error)
      if (!(result instanceof LibraryFileError)) expect(result).toHaveProperty('entries')
    }
  })
})
