import { alternateBlocks, type BlockAllocator, type Storage, type StorageKind } from '../platform/storage.ts'

/** A byte range of a file; `end` is exclusive. */
type ByteRange = { start: number; end: number }

/** A piece of a download: fresh bytes, or a range of the original file. */
export type Segment = Buffer | ByteRange

/** The same across several stored files. */
export type PlacedSegment = Buffer | (ByteRange & StoredAudio)

/** An original, by default, or a conversion, identified by the SHA-256 of its content. */
type StoredAudio = { sha256: string; kind?: AudioKind }
type AudioKind = Extract<StorageKind, 'audio' | 'conversions'>

/** Adds to the ranges where they are stored. */
export function placeSegments(sha256: string, segments: Segment[], kind: AudioKind = 'audio'): PlacedSegment[] {
  return segments.map((segment) => (Buffer.isBuffer(segment) ? segment : { ...segment, sha256, kind }))
}

export function segmentLength(segment: Segment): number {
  return Buffer.isBuffer(segment) ? segment.length : segment.end - segment.start
}

export function totalLength(segments: Segment[]): number {
  return segments.reduce((sum, segment) => sum + segmentLength(segment), 0)
}

/** Returns the bytes from `from` up to, but not including, `to` of all segments together, for a Range request. */
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

/** An original could not be read; `cause` is the error. */
export class OriginalReadError extends Error {
  readonly sha256: string

  constructor(sha256: string, cause: unknown) {
    super(`The original ${sha256} could not be read.`, { cause })
    this.sha256 = sha256
  }
}

/**
 * Reads the segments from storage in chunks, each valid until the second one after it is requested. Throws an
 * OriginalReadError when an original is missing or shorter than its ranges, or when the storage does not respond.
 */
export async function* readSegments(
  storage: Pick<Storage, 'pieces'>,
  segments: PlacedSegment[],
): AsyncGenerator<Buffer> {
  const blocks = alternateBlocks()
  for (const segment of segments) {
    if (!Buffer.isBuffer(segment)) {
      yield* readOriginal(storage, segment, blocks)
    } else if (segment.length > 0) yield segment
  }
}

async function* readOriginal(
  storage: Pick<Storage, 'pieces'>,
  { sha256, kind = 'audio', start, end }: ByteRange & StoredAudio,
  blocks: BlockAllocator,
): AsyncGenerator<Buffer> {
  try {
    yield* storage.pieces(kind, sha256, { from: start, to: end }, blocks)
  } catch (error) {
    throw new OriginalReadError(sha256, error)
  }
}

function cut<S extends Segment>(segment: S, start: number, end: number): S {
  if (Buffer.isBuffer(segment)) return segment.subarray(start, end) as Segment as S
  const range: ByteRange = segment
  return { ...range, start: range.start + start, end: range.start + end } as Segment as S
}
