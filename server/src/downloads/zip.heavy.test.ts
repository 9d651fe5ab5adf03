import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { collect, fileStorage } from '../../test/audio-files.ts'
import { fc, runCount } from '../../test/properties.ts'
import { type PlacedSegment, readSegments, segmentLength, sliceSegments, totalLength } from './segments.ts'
import { layOutZip, type ZipEntry } from './zip.ts'

const modified = new Date('2024-05-17T13:37:43Z')
let folder = ''
let originalPath = ''
const original = Buffer.from(Array.from({ length: 9000 }, (_, n) => (n * 31) & 0xff))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zip-'))
  originalPath = join(folder, 'original')
  await writeFile(originalPath, original)
})
afterAll(() => rm(folder, { recursive: true }))

/** Fresh bytes followed by a range of the original, as in downloads. */
function anEntry(name: string, head: string, end: number): ZipEntry & { content: Buffer } {
  const content = Buffer.concat([Buffer.from(head), original.subarray(0, end)])
  const segments = [Buffer.from(head), { sha256: originalPath, start: 0, end }]
  return { name, modified, length: content.length, crc32: crc32(content), segments, content }
}

const toBuffer = (segments: PlacedSegment[]) => collect(readSegments(fileStorage, segments))
const options = { lazyEntries: true, autoClose: false, strictFileNames: true }
const openArchive = promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)

function listEntries(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: yauzl.Entry[] = []
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', reject)
    zip.readEntry()
  })
}

async function unpack(archive: Buffer) {
  const zip = await openArchive(archive, options)
  const read = promisify<yauzl.Entry, Readable>(zip.openReadStream.bind(zip))
  const files: { name: string; modified: Date; mode: number; content: Buffer }[] = []
  for (const entry of await listEntries(zip)) {
    const content = await collect(await read(entry))
    const mode = entry.externalFileAttributes >>> 16
    files.push({ name: entry.fileName, modified: entry.getLastModDate(), mode, content })
    expect(crc32(content)).toBe(entry.crc32)
  }
  return files
}

test('an independent reader finds every file with name, time, mode and content', async () => {
  const entries = [anEntry('Crate/Ночь.mp3', 'ID3', 9000), anEntry('夜.flac', '', 10), anEntry('empty', '', 0)]
  const layout = layOutZip(entries)
  const archive = await toBuffer(layout.segments)
  expect(archive.length).toBe(layout.length)
  const expected = entries.map(({ name, content }) => ({ name, modified, mode: 0o100644, content }))
  expect(await unpack(archive)).toEqual(expected)
})

test('any zip unpacks to its input, with and without zip64, and any range of it is a slice of the whole', {
  tags: 'property',
}, async () => {
  const files = fc.array(fc.tuple(fc.string({ maxLength: 8 }), fc.string(), fc.nat(9000)), { maxLength: 6 })
  const limits = fc.record({ size: fc.constantFrom(1, 100, 5000, 0xffffffff), count: fc.constantFrom(1, 3, 0xffff) })
  await fc.assert(
    fc.asyncProperty(files, limits, fc.nat(60_000), fc.nat(60_000), async (list, limit, x, y) => {
      const entries = list.map(([name, head, end]) => anEntry(name, head, end))
      const layout = layOutZip(entries, { limits: limit })
      const archive = await toBuffer(layout.segments)
      expect(archive.length).toBe(layout.length)
      expect((await unpack(archive)).map(({ content }) => content)).toEqual(entries.map(({ content }) => content))
      const [from, to] = [Math.min(x, y), Math.max(x, y)]
      expect(await toBuffer(sliceSegments(layout.segments, from, to))).toEqual(archive.subarray(from, to))
    }),
    { numRuns: runCount(60) },
  )
})

test('two files with the same name are both included', async () => {
  const archive = await toBuffer(layOutZip([anEntry('a.mp3', 'x', 1), anEntry('A.mp3', 'y', 2)]).segments)
  expect((await unpack(archive)).map(({ name }) => name)).toEqual(['a.mp3', 'A (2).mp3'])
})

/** Reads an archive whose files are far too large to write: only fresh bytes exist, and ranges read as zeros. */
class VirtualArchive extends yauzl.RandomAccessReader {
  readonly segments: PlacedSegment[]
  constructor(segments: PlacedSegment[]) {
    super()
    this.segments = segments
  }
  override read(buffer: Buffer, offset: number, length: number, at: number, done: (error: Error | null) => void) {
    let filled = offset
    for (const segment of sliceSegments(this.segments, at, at + length)) {
      if (Buffer.isBuffer(segment)) segment.copy(buffer, filled)
      else buffer.fill(0, filled, filled + segmentLength(segment))
      filled += segmentLength(segment)
    }
    done(null)
  }
}

test('a file of 5 GB and the one after it are found through zip64', async () => {
  const length = 5 * 2 ** 30
  const long = { start: 0, end: length, sha256: '/nowhere' }
  const entries: ZipEntry[] = [
    { name: 'long.wav', modified, length, crc32: 1, segments: [long] },
    { ...anEntry('after.mp3', 'after', 0), segments: [Buffer.from('after')] },
  ]
  const layout = layOutZip(entries)
  expect(totalLength(layout.segments)).toBe(layout.length)
  const reader = new VirtualArchive(layout.segments)
  const openReader = promisify<yauzl.RandomAccessReader, number, yauzl.Options, yauzl.ZipFile>(
    yauzl.fromRandomAccessReader,
  )
  const found = await listEntries(await openReader(reader, layout.length, options))
  expect(found.map((entry) => [entry.fileName, entry.uncompressedSize])).toEqual([
    ['long.wav', length],
    ['after.mp3', 5],
  ])
  expect(found[1]!.relativeOffsetOfLocalHeader).toBeGreaterThan(length)
})

test('70,000 files are counted through zip64', async () => {
  const empty = { modified, length: 0, crc32: 0, segments: [] }
  const layout = layOutZip(Array.from({ length: 70_000 }, (_, n) => ({ ...empty, name: `${n}` })))
  const zip = await openArchive(await toBuffer(layout.segments), options)
  expect(zip.entryCount).toBe(70_000)
})

test('small archives are plain zips that old readers open', async () => {
  const archive = await toBuffer(layOutZip([anEntry('a', 'x', 1)]).segments)
  expect(archive.indexOf(Buffer.from([0x50, 0x4b, 0x06, 0x06]))).toBe(-1)
  expect(archive.readUInt16LE(4)).toBe(20)
})

test('the etag changes when any file does, and only then', () => {
  const bundle = [anEntry('a', 'x', 1), anEntry('b', 'y', 2)]
  expect(layOutZip(bundle).etag).toBe(layOutZip([...bundle]).etag)
  expect(layOutZip([bundle[0]!, anEntry('b', 'z', 2)]).etag).not.toBe(layOutZip(bundle).etag)
  expect(layOutZip(bundle).etag).toMatch(/^"[\w-]{27}"$/)
})

test('refuses an entry whose segments differ from its length', () => {
  expect(() => layOutZip([{ ...anEntry('a', 'x', 1), length: 5 }])).toThrow('The segments of a have a different length')
})
