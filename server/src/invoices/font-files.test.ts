import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { listCharacters, toOpenType } from './font-files.ts'

const { resolve } = createRequire(import.meta.url)
const read = (file: string) => toOpenType(readFileSync(resolve(file)))
const WOFF = '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff'
const WOFF2 = '@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff2'

/** Returns the tables of a file by name. */
function readTables(file: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, n) => 12 + 16 * n)
  return new Map(
    entries.map((at) => {
      const offset = file.readUInt32BE(at + 8)
      return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12))]
    }),
  )
}

const checksum = (bytes: Buffer): number => {
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}

test('a font is complete: every checksum is correct, and no two tables overlap', () => {
  for (const file of [read(WOFF), read(WOFF2)]) {
    // OpenType, `head`: the checksum of the whole file with its own adjustment.
    expect(checksum(file)).toBe(0xb1b0afba)
    const tables = readTables(file)
    expect([...tables.keys()]).toEqual([...tables.keys()].sort())
    for (const table of ['glyf', 'loca', 'head', 'hmtx', 'cmap', 'maxp']) expect(tables.has(table)).toBe(true)
    expect([...tables.values()].reduce((sum, { length }) => sum + length + ((4 - (length % 4)) % 4), 0)).toBe(
      file.length - 12 - 16 * tables.size,
    )
  }
})

test('WOFF and WOFF2 of a font have the same characters, widths and outlines', () => {
  const [one, two] = [readTables(read(WOFF)), readTables(read(WOFF2))]
  expect(listCharacters(read(WOFF2))).toEqual(listCharacters(read(WOFF)))
  expect(two.get('hmtx')?.equals(one.get('hmtx') ?? Buffer.alloc(0))).toBe(true)
  const readBoxes = (tables: Map<string, Buffer>) => {
    const isLong = tables.get('head')?.readInt16BE(50) === 1
    const loca = tables.get('loca') ?? Buffer.alloc(0)
    const offsets = Array.from({ length: loca.length / (isLong ? 4 : 2) }, (_, n) =>
      isLong ? loca.readUInt32BE(n * 4) : loca.readUInt16BE(n * 2) * 2,
    )
    return offsets.slice(0, -1).map((at, n) => {
      const glyph = tables.get('glyf')?.subarray(at, offsets[n + 1])
      // The bounding box, which WOFF2 leaves to be computed from the points.
      return glyph?.subarray(2, 10).toString('hex')
    })
  }
  expect(readBoxes(two)).toEqual(readBoxes(one))
})

test('returns the characters a font has, not those in its range', () => {
  const characters = listCharacters(read(WOFF))
  expect(['A', 'ß', '€', '\ufffd'].map((character) => characters.has(character.codePointAt(0) ?? 0))).toEqual(
    Array.from({ length: 4 }, () => true),
  )
  expect(characters.has(0x2a)).toBe(true)
  expect(characters.has(0x7f)).toBe(false)
})

test('refuses a file that is not a web font', () => {
  expect(() => toOpenType(Buffer.from('OTTO and so on'))).toThrow('Not a WOFF or WOFF2 font')
})
