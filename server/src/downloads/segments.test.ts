import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect, fileStorage } from '../../test/audio-files.ts'
import { fc, runCount } from '../../test/properties.ts'
import {
  type PlacedSegment,
  placeSegments,
  readSegments,
  type Segment,
  sliceSegments,
  totalLength,
} from './segments.ts'

let folder = ''
const original = Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) & 0xff))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'segments-'))
  await writeFile(join(folder, 'a'), original)
  await writeFile(join(folder, 'b'), Buffer.from(original).reverse())
})
afterAll(() => rm(folder, { recursive: true }))

const readOne = (file: string, segments: Segment[]) =>
  readSegments(fileStorage, placeSegments(join(folder, file), segments))

const range = fc
  .tuple(fc.nat(original.length), fc.nat(original.length), fc.constantFrom('a', 'b'))
  .map(([x, y, file]): PlacedSegment => ({ start: Math.min(x, y), end: Math.max(x, y), sha256: join(folder, file) }))
const fresh = fc.uint8Array({ maxLength: 400 }).map((bytes): PlacedSegment => Buffer.from(bytes))

test('any range of a download equals that slice of the whole', { tags: 'property' }, async () => {
  const lists = fc.array(fc.oneof(range, fresh), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(lists, fc.nat(12_000), fc.nat(12_000), async (segments, x, y) => {
      const [from, to] = [Math.min(x, y), Math.max(x, y)]
      const whole = await collect(readSegments(fileStorage, segments))
      expect(whole.length).toBe(totalLength(segments))
      const slice = sliceSegments(segments, from, to)
      expect(totalLength(slice)).toBe(whole.subarray(from, to).length)
      expect(await collect(readSegments(fileStorage, slice))).toEqual(whole.subarray(from, to))
    }),
    { numRuns: runCount(60) },
  )
})

test('reads ranges from the original they belong to', async () => {
  const segments = [Buffer.from('head'), { start: 10, end: 20 }]
  const expected = Buffer.concat([Buffer.from('head'), original.subarray(10, 20)])
  expect(await collect(readOne('a', segments))).toEqual(expected)
  expect(placeSegments('a hash', segments)[1]).toEqual({ sha256: 'a hash', kind: 'audio', start: 10, end: 20 })
})

test('reads a long file through two alternating blocks; a chunk is valid until the second one after it', async () => {
  await writeFile(
    join(folder, 'long'),
    Buffer.concat([Buffer.alloc(131_072, 1), Buffer.alloc(131_072, 2), Buffer.alloc(75_712, 3)]),
  )
  const pieces: Buffer[] = []
  for await (const piece of readOne('long', [{ start: 0, end: 337_856 }])) {
    const before = pieces.at(-1)
    if (before) expect(before[0]).toBe(pieces.length)
    pieces.push(piece)
  }
  expect(pieces.map((piece) => piece.length)).toEqual([131_072, 131_072, 75_712])
  expect(pieces[2]?.buffer).toBe(pieces[0]?.buffer)
})

test('a file that became shorter fails the transfer instead of ending it early', async () => {
  const pieces = readOne('a', [{ start: 4000, end: 6000 }])
  await expect(collect(pieces)).rejects.toMatchObject({
    sha256: join(folder, 'a'),
    cause: { message: expect.stringContaining('Unexpected end of the original at byte 5000') },
  })
})
