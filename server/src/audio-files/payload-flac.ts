import { ALLOWED_BLOCKS, findVorbisComment, isAllowedComment } from './allowed-tags.ts'
import { crc16 } from './crc.ts'
import { MAX_FRAME_HEADER_BYTES, parseFlacHeader } from './flac-frame.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload } from './payload.ts'
import { skipId3Tags } from './payload-mp3.ts'
import { createTagBudget } from './tag-budget.ts'
import { findTailStart } from './tail-tags.ts'

/** Block types of RFC 9639 section 8.1. */
const STREAMINFO = 0
const VORBIS_COMMENT = 4
const STREAMINFO_BYTES = 34
/** Far more than any encoder writes; a longer list is an attack. */
const MAX_BLOCKS = 1000

type MetadataBlock = { type: number; bytes: string }

/**
 * Returns the frames of a FLAC file, the blocks that decoders need and its credits. Null when it is not a valid FLAC.
 */
export async function findFlacPayload(file: OriginalFile): Promise<ParsedPayload> {
  const start = await skipId3Tags(file, () => {})
  if ((await file.read(start, 4)).toString('latin1') !== 'fLaC') return null
  const limit = createTagBudget()
  const blocks: MetadataBlock[] = []
  let comments: string[] = []
  let comment: string | undefined
  let at = start + 4
  for (let count = 0; ; count++) {
    const head = await file.read(at, 4)
    if (head.length < 4 || count >= MAX_BLOCKS) return null
    const type = head[0]! & 0x7f
    const length = head.readUIntBE(1, 3)
    if (at + 4 + length > file.size) return null
    if ((count === 0) !== (type === STREAMINFO) || (count === 0 && length !== STREAMINFO_BYTES)) return null
    if (type === VORBIS_COMMENT) {
      const all = readComments(await file.read(at + 4, length))
      comments = all.filter((text) => isAllowedComment(text) && limit.fits(text.length))
      comment = findVorbisComment(all)
    }
    if (ALLOWED_BLOCKS.has(type) && limit.fits(length)) {
      blocks.push({ type, bytes: (await file.read(at + 4, length)).toString('base64') })
    }
    at += 4 + length
    if (head[0]! & 0x80) break
  }
  const end = await findLastFrameEnd(file, at, await findTailStart(file, at))
  if (at >= end) return null
  return { ranges: [{ start: at, end }], kept: { kind: 'flac', comments, blocks, ...(comment ? { comment } : {}) } }
}

const MAX_TAIL_BYTES = 1 << 20
/** Audio and tags can look like a header. */
const MAX_HEADERS = 8

/**
 * Returns the position after the last frame with a correct checksum; what follows it is not audio. Returns `end` when
 * no complete frame is found.
 */
async function findLastFrameEnd(file: OriginalFile, start: number, end: number): Promise<number> {
  const tail = await file.read(Math.max(start, end - MAX_TAIL_BYTES), Math.min(end - start, MAX_TAIL_BYTES))
  let headers = 0
  for (let at = tail.lastIndexOf(0xff); at >= 0 && headers < MAX_HEADERS; at = tail.lastIndexOf(0xff, at - 1)) {
    if (at + MAX_FRAME_HEADER_BYTES <= tail.length && parseFlacHeader(tail, at)) {
      headers++
      const length = completeFrameLength(tail.subarray(at))
      if (length > 0) return end - tail.length + at + length
    }
    if (at === 0) break
  }
  return end
}

/** Length of the longest prefix of `bytes` that ends with its own checksum, or 0. */
function completeFrameLength(bytes: Buffer): number {
  let length = 0
  let crc = 0
  for (let at = 0; at < bytes.length; at++) {
    crc = crc16(bytes.subarray(at, at + 1), crc)
    if (crc === 0 && at >= MAX_FRAME_HEADER_BYTES) length = at + 1
  }
  return length
}

/** Far more than any program writes. */
const MAX_COMMENTS = 10_000

/** Reads a Vorbis comment block (xiph.org/vorbis/doc/v-comment.html); stops where the block is truncated. */
export function readComments(block: Buffer): string[] {
  let at = 0
  const readString = (): string | null => {
    if (at + 4 > block.length) return null
    const end = at + 4 + block.readUInt32LE(at)
    if (end > block.length) return null
    const text = block.toString('utf8', at + 4, end)
    at = end
    return text
  }
  // The encoder's name comes first.
  readString()
  const count = at + 4 <= block.length ? block.readUInt32LE(at) : 0
  at += 4
  const comments: string[] = []
  for (let left = Math.min(count, MAX_COMMENTS); left > 0; left--) {
    const comment = readString()
    if (comment === null) break
    comments.push(comment)
  }
  return comments
}
