import { brotliDecompressSync, inflateSync } from 'node:zlib'
import { alignmentPadding, ByteReader, i16s, padParts, unpackGlyphs } from './packed-glyphs.ts'

/**
 * Converts web fonts into the plain OpenType files that a PDF needs. Rebuilt tables have no hinting, which is not used
 * in print sizes.
 *
 * Sources: WOFF 1.0 and WOFF 2.0 (W3C), OpenType 1.9.
 */

type Tables = Map<string, Buffer>

/** Returns the OpenType file in a WOFF or WOFF2 file. */
export function toOpenType(file: Buffer): Buffer {
  const kind = file.toString('latin1', 0, 4)
  if (kind === 'wOFF') return writeOpenType(file.readUInt32BE(4), readWoffTables(file))
  if (kind === 'wOF2') return writeOpenType(file.readUInt32BE(4), readWoff2Tables(file))
  throw new Error('Not a WOFF or WOFF2 font')
}

function readWoffTables(file: Buffer): Tables {
  const tables: Tables = new Map()
  for (let n = 0; n < file.readUInt16BE(12); n++) {
    const entry = 44 + 20 * n
    const offset = file.readUInt32BE(entry + 4)
    const packed = file.subarray(offset, offset + file.readUInt32BE(entry + 8))
    const isPacked = packed.length < file.readUInt32BE(entry + 12)
    tables.set(file.toString('latin1', entry, entry + 4), isPacked ? inflateSync(packed) : packed)
  }
  return tables
}

/** The tags with a number in WOFF2 (section 5.2). */
const KNOWN_TAGS = (
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .replaceAll('_', ' ')
  .match(/.{4}(?: |$)/g)
  ?.map((tag) => tag.slice(0, 4))

type TableEntry = { tag: string; length: number; isTransformed: boolean }

function readWoff2Tables(file: Buffer): Tables {
  const reader = new ByteReader(file)
  reader.at = 48
  const entries: TableEntry[] = []
  for (let n = 0; n < file.readUInt16BE(12); n++) entries.push(readEntry(reader))
  const content = new ByteReader(brotliDecompressSync(reader.take(file.readUInt32BE(20))))
  const packed = new Map(entries.map((entry) => [entry.tag, { ...entry, bytes: content.take(entry.length) }]))
  const tables: Tables = new Map([...packed].map(([tag, { bytes }]) => [tag, bytes]))
  for (const { tag, isTransformed } of entries) {
    if (isTransformed && tag !== 'glyf' && tag !== 'loca')
      throw new Error(`Unsupported transformed ${tag} table in font`)
  }
  const glyf = packed.get('glyf')
  if (glyf?.isTransformed) unpackGlyphs(tables, glyf.bytes)
  return tables
}

function readEntry(reader: ByteReader): TableEntry {
  const flags = reader.u8()
  const known = KNOWN_TAGS?.[flags & 63]
  const tag = known ?? reader.take(4).toString('latin1')
  const version = flags >> 6
  const length = reader.base128()
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version === 0 : version !== 0
  return { tag, isTransformed, length: isTransformed ? reader.base128() : length }
}

const CHECKSUM_AT = 8

/**
 * Combines tables into one file, with the checksums of OpenType (`head`.checksumAdjustment and the table directory).
 */
function writeOpenType(flavor: number, tables: Tables): Buffer {
  const head = tables.get('head')
  if (!head) throw new Error('Font has no head table')
  const cleared = Buffer.from(head)
  cleared.writeUInt32BE(0, CHECKSUM_AT)
  const sorted = [...tables.set('head', cleared)].sort(([a], [b]) => (a < b ? -1 : 1))
  const directory = Buffer.alloc(12 + 16 * sorted.length)
  const power = Math.floor(Math.log2(sorted.length))
  directory.writeUInt32BE(flavor, 0)
  i16s([sorted.length, 16 << power, power, 16 * sorted.length - (16 << power)]).copy(directory, 4)
  let at = directory.length
  for (const [n, [tag, bytes]] of sorted.entries()) {
    directory.write(tag, 12 + 16 * n, 'latin1')
    for (const [k, value] of [checksum(padParts([bytes])), at, bytes.length].entries()) {
      directory.writeUInt32BE(value, 16 + 16 * n + 4 * k)
    }
    at += bytes.length + alignmentPadding(bytes.length).length
  }
  const file = Buffer.concat([directory, ...sorted.map(([, bytes]) => padParts([bytes]))])
  const headAt = directory.readUInt32BE(12 + 16 * sorted.findIndex(([tag]) => tag === 'head') + 8)
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + CHECKSUM_AT)
  return file
}

/** The sum of all four-byte words, modulo 2³². */
function checksum(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}

/** Returns the characters of an OpenType file (`cmap`, formats 4 and 12 for Unicode). */
export function listCharacters(file: Buffer): Set<number> {
  const characters = new Set<number>()
  for (let n = 0; n < file.readUInt16BE(4); n++) {
    const entry = 12 + 16 * n
    if (file.toString('latin1', entry, entry + 4) !== 'cmap') continue
    const cmap = file.subarray(file.readUInt32BE(entry + 8))
    for (let k = 0; k < cmap.readUInt16BE(2); k++)
      readCharacters(cmap.subarray(cmap.readUInt32BE(8 + 8 * k)), characters)
  }
  return characters
}

function readCharacters(table: Buffer, into: Set<number>): void {
  const format = table.readUInt16BE(0)
  const add = (from: number, to: number) => {
    for (let character = from; character <= to; character++) into.add(character)
  }
  if (format === 12) {
    for (let n = 0; n < table.readUInt32BE(12); n++)
      add(table.readUInt32BE(16 + 12 * n), table.readUInt32BE(20 + 12 * n))
  }
  if (format !== 4) return
  const segments = table.readUInt16BE(6) / 2
  for (let n = 0; n < segments; n++) {
    const from = table.readUInt16BE(16 + 2 * (segments + n))
    // The last segment only ends the list.
    if (from !== 0xffff) add(from, table.readUInt16BE(14 + 2 * n))
  }
}
