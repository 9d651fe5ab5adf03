/** A page of an Ogg file (RFC 3533, section 6). */
export type OggPage = {
  isContinued: boolean
  isFirst: boolean
  isLast: boolean
  /** The position of the last sample of the last packet that ends on the page; undefined if none ends on it. */
  granule: number | undefined
  serial: number
  sequence: number
  /** The lengths of the parts of packets; a part of 255 bytes is continued by the next one. */
  lacing: Buffer
  headBytes: number
  bodyBytes: number
}

export const MAX_HEAD_BYTES = 27 + 255
export const MAX_PAGE_BYTES = MAX_HEAD_BYTES + 255 * 255
const NO_GRANULE = 0xffff_ffff_ffff_ffffn
const CRC_AT = 22

/** Reads the head of a page. The buffer may be reused afterwards. */
export function readOggPage(bytes: Buffer): OggPage | undefined {
  if (bytes.length < 27 || bytes.toString('latin1', 0, 4) !== 'OggS' || bytes[4] !== 0) return undefined
  const segments = bytes[26]!
  if (bytes.length < 27 + segments) return undefined
  const lacing = Buffer.from(bytes.subarray(27, 27 + segments))
  const flags = bytes[5]!
  const granule = bytes.readBigUInt64LE(6)
  return {
    ...{ isContinued: (flags & 1) !== 0, isFirst: (flags & 2) !== 0, isLast: (flags & 4) !== 0 },
    granule: granule === NO_GRANULE ? undefined : Number(granule),
    ...{ serial: bytes.readUInt32LE(14), sequence: bytes.readUInt32LE(18), lacing, headBytes: 27 + segments },
    bodyBytes: lacing.reduce((sum, length) => sum + length, 0),
  }
}

/** The polynomial 0x04C11DB7, not reflected, starting at 0 (RFC 3533, section 6). */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000 ? (crc << 1) ^ 0x04c1_1db7 : crc << 1
  return crc >>> 0
})

/** The checksum of a page, whose own field counts as zero. */
export function oggChecksum(page: Buffer): number {
  let crc = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= CRC_AT && at < CRC_AT + 4 ? 0 : page[at]!
    crc = (crc << 8) ^ CRC_TABLE[((crc >>> 24) ^ byte) & 255]!
  }
  return crc >>> 0
}

export const hasValidChecksum = (page: Buffer): boolean => page.readUInt32LE(CRC_AT) === oggChecksum(page)

/** The headers of a stream: what comes before its audio. */
export type OggHeaders = {
  format: 'ogg' | 'opus'
  serial: number
  /** How many pages they take, and where the audio begins. */
  pages: number
  audioStart: number
  /** Identification and comments; the third packet of Vorbis is its codebooks. */
  packets: Buffer[]
}

const KINDS: [mark: string, format: 'ogg' | 'opus', packets: number][] = [
  ['\x01vorbis', 'ogg', 3],
  ['OpusHead', 'opus', 2],
]
const MAX_HEADERS_BYTES = 32 * 1024 * 1024

/**
 * Reads the headers. Yields the positions it needs and takes their bytes, so that it works with synchronous and
 * asynchronous readers. Undefined when they are damaged or of another codec.
 */
export function* findOggHeaders(): Generator<{ at: number; length: number }, OggHeaders | undefined, Buffer> {
  let at = 0
  let serial = 0
  let kind: (typeof KINDS)[number] | undefined
  const packets: Buffer[] = []
  let parts: Buffer[] = []
  for (let pages = 1; at < MAX_HEADERS_BYTES; pages++) {
    const page = readOggPage(yield { at, length: MAX_HEAD_BYTES })
    if (!page || (pages > 1 && page.serial !== serial)) return undefined
    const body = Buffer.from(yield { at: at + page.headBytes, length: page.bodyBytes })
    if (body.length < page.bodyBytes || page.isFirst !== (pages === 1)) return undefined
    serial = page.serial
    kind ??= KINDS.find(([mark]) => body.toString('latin1', 0, mark.length) === mark)
    if (!kind) return undefined
    at += page.headBytes + page.bodyBytes
    let position = 0
    for (const length of page.lacing) {
      parts.push(body.subarray(position, position + length))
      position += length
      if (length === 255) continue
      packets.push(Buffer.concat(parts))
      parts = []
    }
    const [, format, count] = kind
    if (packets.length < count) continue
    // The audio has to begin on a new page.
    return packets.length === count && parts.length === 0
      ? { format, serial, pages, audioStart: at, packets }
      : undefined
  }
  return undefined
}
