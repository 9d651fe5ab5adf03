import { type FileHandle, open } from 'node:fs/promises'

/** A byte range of a file; `end` is exclusive. */
export type ByteRange = { start: number; end: number }

/** A piece of a download: fresh bytes, or a range of the original file. */
export type Segment = Buffer | ByteRange

/** The same where several files are drawn on. */
export type PlacedSegment = Buffer | (ByteRange & { path: string })

const READ_BYTES = 256 * 1024

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

/** Reads the segments of one file in pieces of at most 256 kB. Throws when the file is shorter than its ranges. */
export function readSegments(path: string, segments: Segment[]): AsyncGenerator<Buffer> {
  return readPlacedSegments(placeSegments(path, segments))
}

/** The same for segments of several files. One file is open at a time, and closed when the reader stops early. */
export async function* readPlacedSegments(segments: PlacedSegment[]): AsyncGenerator<Buffer> {
  let handle: FileHandle | undefined
  let path: string | undefined
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
      yield* readRange(handle, segment)
    }
  } finally {
    await handle?.close()
  }
}

async function* readRange(handle: FileHandle, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    // A fresh block each time: the socket may still hold the last one.
    const block = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, end - at))
    const { bytesRead } = await handle.read(block, 0, block.length, at)
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
