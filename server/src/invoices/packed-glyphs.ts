/**
 * Unpacks the outlines of WOFF2 into the `glyf` and `loca` tables of OpenType 1.9.
 *
 * Source: WOFF 2.0 (W3C), sections 4.1, 5.1 and 5.2.
 */

/** Reads bytes sequentially. */
export class ByteReader {
  readonly bytes: Buffer
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  u8 = (): number => this.bytes.readUInt8(this.at++)
  u16 = (): number => (this.u8() << 8) | this.u8()
  i16 = (): number => (this.u16() << 16) >> 16
  u32 = (): number => this.u16() * 65536 + this.u16()
  take(length: number): Buffer {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }
  /** UIntBase128 (4.1). */
  base128(): number {
    let value = 0
    for (let byte = 0x80; byte & 0x80; ) {
      byte = this.u8()
      value = value * 128 + (byte & 0x7f)
    }
    return value
  }
  /** 255UInt16 (4.1). */
  short255(): number {
    const code = this.u8()
    if (code === 253) return this.u16()
    if (code === 254) return this.u8() + 506
    return code === 255 ? this.u8() + 253 : code
  }
}

/** The streams of a packed `glyf` table (5.1). */
type Streams = Record<'contours' | 'points' | 'flags' | 'triplets' | 'composites' | 'boxes', ByteReader> & {
  boxed: Buffer
}

/** Replaces the packed table by `glyf`, `loca` and a `head` that refers to them. */
export function unpackGlyphs(tables: Map<string, Buffer>, packed: Buffer): void {
  const reader = new ByteReader(packed)
  reader.at = 4
  const count = reader.u16()
  reader.u16()
  const [contours, points, flags, triplets, composites, boxes] = Array.from({ length: 7 }, reader.u32).map(
    (length, n, lengths) => {
      const before = lengths.slice(0, n).reduce((sum, each) => sum + each, 36)
      return new ByteReader(packed.subarray(before, before + length))
    },
  ) as [ByteReader, ByteReader, ByteReader, ByteReader, ByteReader, ByteReader]
  const boxed = boxes.take(4 * Math.floor((count + 31) / 32))
  const streams: Streams = { contours, points, flags, triplets, composites, boxes, boxed }
  const glyphs = Array.from({ length: count }, (_, glyph) => unpackGlyph(streams, glyph))
  const offsets = Buffer.alloc(4 * (count + 1))
  let at = 0
  for (const [glyph, { length }] of glyphs.entries()) {
    at += length
    offsets.writeUInt32BE(at, 4 * (glyph + 1))
  }
  const head = Buffer.from(tables.get('head') ?? [])
  // Offsets are in the long format from here on.
  head.writeInt16BE(1, 50)
  tables.set('glyf', Buffer.concat(glyphs)).set('loca', offsets).set('head', head)
}

function unpackGlyph(streams: Streams, glyph: number): Buffer {
  const contours = streams.contours.i16()
  const hasBox = ((streams.boxed[glyph >> 3] ?? 0) & (0x80 >> (glyph & 7))) !== 0
  if (contours === 0) return Buffer.alloc(0)
  if (contours > 0) return unpackSimple(streams, contours, hasBox)
  return padParts([i16s([-1]), streams.boxes.take(8), unpackComposite(streams)])
}

/** Points are written unpacked: two bytes for each step. */
function unpackSimple(streams: Streams, contours: number, hasBox: boolean): Buffer {
  let last = -1
  const endPoints = Array.from({ length: contours }, () => {
    last += streams.points.short255()
    return last
  })
  const [flags, xs, ys]: [number[], number[], number[]] = [[], [], []]
  for (let n = 0; n <= last; n++) {
    const flag = streams.flags.u8()
    const [dx, dy] = readStep(streams.triplets, flag & 0x7f)
    flags.push(flag & 0x80 ? 0 : 1)
    xs.push(dx)
    ys.push(dy)
  }
  // The length of its hints, which are in a separate stream.
  streams.triplets.short255()
  const box = hasBox ? streams.boxes.take(8) : computeBox(xs, ys)
  return padParts([i16s([contours]), box, i16s(endPoints), i16s([0]), Buffer.from(flags), i16s(xs), i16s(ys)])
}

/** Returns one step from point to point, by the rows of the table in 5.2. */
function readStep(from: ByteReader, flag: number): [number, number] {
  const signed = (bit: number, value: number) => (bit & 1 ? value : -value)
  if (flag < 10) return [0, signed(flag, ((flag & 14) << 7) + from.u8())]
  if (flag < 20) return [signed(flag, (((flag - 10) & 14) << 7) + from.u8()), 0]
  if (flag < 84) {
    const [high, low] = [flag - 20, from.u8()]
    return [signed(flag, 1 + (high & 0x30) + (low >> 4)), signed(flag >> 1, 1 + ((high & 0x0c) << 2) + (low & 0x0f))]
  }
  if (flag < 120) {
    const high = flag - 84
    const dx = signed(flag, 1 + (Math.floor(high / 12) << 8) + from.u8())
    return [dx, signed(flag >> 1, 1 + (((high % 12) >> 2) << 8) + from.u8())]
  }
  if (flag < 124) {
    const [first, secondByte] = [from.u8(), from.u8()]
    return [signed(flag, (first << 4) + (secondByte >> 4)), signed(flag >> 1, ((secondByte & 0x0f) << 8) + from.u8())]
  }
  const dx = signed(flag, from.u16())
  return [dx, signed(flag >> 1, from.u16())]
}

function computeBox(xs: readonly number[], ys: readonly number[]): Buffer {
  const coordinateRange = (steps: readonly number[]) => {
    let at = 0
    const offsets = steps.map((step) => {
      at += step
      return at
    })
    return { least: Math.min(...offsets), most: Math.max(...offsets) }
  }
  const [x, y] = [coordinateRange(xs), coordinateRange(ys)]
  return i16s([x.least, y.least, x.most, y.most])
}

const [WORDS, MORE, SCALE, TWO_SCALES, MATRIX, HINTS] = [0x1, 0x20, 0x8, 0x40, 0x80, 0x100]

/** Returns the components of a composite glyph, without the hints after them. */
function unpackComposite({ composites, triplets }: Streams): Buffer {
  const parts: Buffer[] = []
  let hasHints = false
  for (let flags = MORE; flags & MORE; ) {
    flags = composites.u16()
    hasHints ||= (flags & HINTS) !== 0
    const scale = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0
    parts.push(i16s([flags & ~HINTS]), composites.take(2 + (flags & WORDS ? 4 : 2) + scale))
  }
  if (hasHints) triplets.short255()
  return Buffer.concat(parts)
}

export function i16s(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [n, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, n * 2)
  return bytes
}

export const alignmentPadding = (length: number): Buffer => Buffer.alloc((4 - (length % 4)) % 4)

export function padParts(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([bytes, alignmentPadding(bytes.length)])
}
