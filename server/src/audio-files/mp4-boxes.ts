/** A box of an MP4 file (ISO/IEC 14496-12, section 4.2): positions in the buffer that contains it. */
export type Box = { type: string; start: number; body: number; end: number }

export const BOX_HEAD_BYTES = 8
const LONG_HEAD_BYTES = 16

/** The head of a box at the start of `head`. A size of 0 means that the box extends to the end of its container. */
function readBoxHead(head: Buffer, remainingBytes: number): { type: string; head: number; size: number } | null {
  if (head.length < BOX_HEAD_BYTES) return null
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  if (short === 0) return { type, head: BOX_HEAD_BYTES, size: remainingBytes }
  if (short !== 1) return short < BOX_HEAD_BYTES ? null : { type, head: BOX_HEAD_BYTES, size: short }
  if (head.length < LONG_HEAD_BYTES) return null
  const size = Number(head.readBigUInt64BE(8))
  return size < LONG_HEAD_BYTES ? null : { type, head: LONG_HEAD_BYTES, size }
}

/** Iterates over the boxes in a part of a buffer; ends at the first that does not fit. */
export function* boxesIn(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let start = from; start + BOX_HEAD_BYTES <= to; ) {
    const head = readBoxHead(bytes.subarray(start, Math.min(to, start + LONG_HEAD_BYTES)), to - start)
    if (!head || start + head.size > to) return
    yield { type: head.type, start, body: start + head.head, end: start + head.size }
    start += head.size
  }
}

/** Returns the first box at a path below `parent`. */
export function findBox(bytes: Buffer, parent: Box, ...path: readonly string[]): Box | undefined {
  const [type, ...rest] = path
  for (const box of boxesIn(bytes, parent.body, parent.end)) {
    if (box.type === type) return rest.length === 0 ? box : findBox(bytes, box, ...rest)
  }
  return undefined
}

/** Writes a box. */
export function makeBox(type: string, ...content: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(BOX_HEAD_BYTES)
  head.writeUInt32BE(BOX_HEAD_BYTES + content.reduce((sum, part) => sum + part.length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content])
}

/** Where the boxes that a reader needs are in the file. */
export type TopLevel = {
  ftyp?: { at: number; size: number }
  moov?: { at: number; size: number }
  /** A fragmented file has its index in parts. */
  isFragmented: boolean
  hasMedia: boolean
  /** The end of the last box as its size declares it. */
  declaredEnd: number
}

const MAX_TOP_LEVEL_BOXES = 10_000

/**
 * Finds the top-level boxes of a file. Yields the positions of the heads it needs and takes their bytes, so that it
 * works with synchronous and asynchronous readers.
 */
export function* findTopLevel(fileSize: number): Generator<{ at: number; length: number }, TopLevel, Buffer> {
  const found: TopLevel = { isFragmented: false, hasMedia: false, declaredEnd: 0 }
  let at = 0
  for (let count = 0; at < fileSize && count < MAX_TOP_LEVEL_BOXES; count++) {
    const bytes = yield { at, length: Math.min(LONG_HEAD_BYTES, fileSize - at) }
    const head = readBoxHead(bytes, fileSize - at)
    if (!head || !/^[\x20-\x7e]{4}$/.test(head.type)) break
    if (head.type === 'ftyp') found.ftyp ??= { at, size: head.size }
    if (head.type === 'moov') found.moov ??= { at, size: head.size }
    if (head.type === 'moof') found.isFragmented = true
    if (head.type === 'mdat') found.hasMedia = true
    at += head.size
    found.declaredEnd = at
  }
  return found
}
