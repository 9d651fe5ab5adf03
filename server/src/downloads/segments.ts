import { type FileHandle, open } from 'node:fs/promises'

/** A byte range of a file; `end` is exclusive. */
export type ByteRange = { start: number; end: number }

/** A piece of a download: fresh bytes, or a range of the original file. */
export type Segment = Buffer | ByteRange

/** The same where several files are drawn on. */
export type PlacedSegment = Buffer | (ByteRange & { path: string })

const READ_BYTES = 128 * 1024

/** Says of which file the ranges are. */
export function placeSegments(path: string, segments: Segment[]): PlacedSegment[] {
  return segments.map((segment) => (Buffer.isBuffer(segment) ? segment : { ...segment, path }))
}

export function segmentLength(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start
}

export function totalLength(segments: Segment[]): number {
  return segments.reduce((sum, segment) => sum + segmentLength(segment), 0)
}

/** The bytes from `from` up to but without `to` of what the segments make together, for an answer to Range. */
export function sliceSegments<S extends Segment>(segments: S[], from: number, to: number): S[] {
  const slice: S[] = []
  let offset = 0
  for (const segment of segments) {
    const length = segmentLength(segment)
    const start = Math.max(0, from - offset)
    const end = Math.min(length, to - offset)
    if (start < end) slice.push(cut(segment, start, end))
    offset += length
  }
  return slice
}

/**
 * Reads the segments of one file in pieces of at most 128 kB, each valid until the second one after it is asked for.
 * Throws when the file is shorter than its ranges.
 */
export function readSegments(path: string, segments: Segment[]): AsyncGenerator<Buffer> {
  return readPlacedSegments(placeSegments(path, segments))
}

/** The same for segments of several files. One file is open at a time, and closed when the reader stops early. */
export async function* readPlacedSegments(segments: PlacedSegment[]): AsyncGenerator<Buffer> {
  let handle: FileHandle | undefined
  let path: string | undefined
  const blocks = takeTurns()
  try {
    for (const segment of segments) {
      if (Buffer.isBuffer(segment)) {
        if (segment.length > 0) yield segment
        continue
      }
      if (!handle || path !== segment.path) {
        await handle?.close()
        handle = undefined
        handle = await open(segment.path, 'r')
        path = segment.path
      }
      yield* readRange(handle, segment, blocks)
    }
  } finally {
    await handle?.close()
  }
}

/** Two blocks in turn: one is on its way to the network while the other is read into. */
function takeTurns(): () => Buffer {
  const blocks: Buffer[] = []
  let turn = 0
  return () => {
    turn = 1 - turn
    const block = blocks[turn] ?? Buffer.allocUnsafeSlow(READ_BYTES)
    blocks[turn] = block
    return block
  }
}

async function* readRange(
  handle: FileHandle,
  { start, end }: ByteRange,
  nextBlock: () => Buffer,
): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const block = nextBlock()
    const { bytesRead } = await handle.read(block, 0, Math.min(READ_BYTES, end - at), at)
    if (bytesRead === 0) throw new Error(`The original ends at byte ${at}, before byte ${end}`)
    yield block.subarray(0, bytesRead)
    at += bytesRead
  }
}

function cut<S extends Segment>(segment: S, start: number, end: number): S {
  if (Buffer.isBuffer(segment)) return segment.subarray(start, end) as Segment as S
  const range: ByteRange = segment
  return { ...range, start: range.start + start, end: range.start + end } as Segment as S
}
