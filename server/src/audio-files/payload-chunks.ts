import { ALLOWED_CHUNKS, readAllowedFrames } from './allowed-tags.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload, PreservedFrame } from './payload.ts'
import { createTagBudget } from './tag-budget.ts'

/** A chunk's size as stored in the file, `length` without its eight-byte header; `end` is after the padding byte. */
type WalkedChunk = { id: string; start: number; end: number; length: number; hasWrongSize: boolean }
type ChunkLayout = { isBigEndian: boolean; soundId: string; allowed: ReadonlySet<string> }
type ChunkRange = { start: number; end: number; lead?: string }

export const CHUNK_HEAD_BYTES = 8
const MAX_CHUNKS = 10_000
const READ_LIMIT_BYTES = 32 * 1024 * 1024
/** Size fields have 32 bits; tags and a picture need some space below that. */
const MAX_TAGGABLE_BYTES = 0xffffffff - READ_LIMIT_BYTES
const UNKNOWN_SIZE = 0xffffffff
export const WAV: ChunkLayout = { isBigEndian: false, soundId: 'data', allowed: ALLOWED_CHUNKS.wav }
export const AIFF: ChunkLayout = { isBigEndian: true, soundId: 'SSND', allowed: ALLOWED_CHUNKS.aiff }

/**
 * Returns the audio and sample format of a WAV file. One with 64-bit sizes (RF64 or BW64, EBU Tech 3306) becomes a
 * plain WAV. Null for files near 4 GiB and files without audio.
 */
export async function findWavPayload(file: OriginalFile): Promise<ParsedPayload> {
  const head = (await file.read(0, 12)).toString('latin1')
  if (!/^(RIFF|RF64|BW64)/.test(head) || head.slice(8) !== 'WAVE') return null
  const found = await findChunks(file, WAV)
  return found && { ranges: found.ranges, kept: { kind: 'wav', frames: found.frames } }
}

/** Returns the audio and sample format of an AIFF or AIFF-C file. Null for files near 4 GiB and files without audio. */
export async function findAiffPayload(file: OriginalFile): Promise<ParsedPayload> {
  const head = (await file.read(0, 12)).toString('latin1')
  const form = head.slice(8)
  if (!head.startsWith('FORM') || (form !== 'AIFF' && form !== 'AIFC')) return null
  const found = await findChunks(file, AIFF)
  return found && { ranges: found.ranges, kept: { kind: 'aiff', form, frames: found.frames } }
}

async function findChunks(file: OriginalFile, layout: ChunkLayout) {
  if (file.size > MAX_TAGGABLE_BYTES) return null
  const limit = createTagBudget()
  const ranges: ChunkRange[] = []
  const frames: PreservedFrame[] = []
  let hasSound = false
  for await (const chunk of walkChunks(file, layout)) {
    const isSound = chunk.id === layout.soundId
    hasSound ||= isSound
    if (isSound || layout.allowed.has(chunk.id)) addRange(ranges, chunk, layout)
    else if (chunk.id.toLowerCase() === 'id3 ') {
      const tag = await file.read(chunk.start + CHUNK_HEAD_BYTES, Math.min(chunk.length, READ_LIMIT_BYTES))
      frames.push(...readAllowedFrames(tag, limit))
    }
  }
  return hasSound ? { ranges, frames } : null
}

/**
 * Iterates to the end of the file, not to the size in its header, because that field is often wrong while the chunks
 * are right.
 */
export async function* walkChunks(
  file: OriginalFile,
  { isBigEndian, soundId }: ChunkLayout,
): AsyncGenerator<WalkedChunk> {
  let start = 12
  let longSize: number | undefined
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const head = await file.read(start, CHUNK_HEAD_BYTES)
    const id = head.toString('latin1', 0, 4)
    if (head.length < CHUNK_HEAD_BYTES || !/^[\x20-\x7e]{4}$/.test(id)) return
    const declared = isBigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4)
    const remainingBytes = file.size - start - CHUNK_HEAD_BYTES
    // A recorder that could not seek back left 0 or 0xFFFFFFFF: the audio then extends to the end of the file.
    const hasWrongSize = id === soundId && (declared > remainingBytes || (declared === 0 && remainingBytes > 0))
    if (declared > remainingBytes && !hasWrongSize) return
    if (id === 'ds64') longSize = await readLongSize(file, start)
    const present = declared === UNKNOWN_SIZE ? Math.min(remainingBytes, longSize ?? remainingBytes) : remainingBytes
    const length = hasWrongSize ? present : declared
    const end = Math.min(file.size, start + CHUNK_HEAD_BYTES + length + (length & 1))
    yield { id, start, end, length, hasWrongSize }
    start = end
  }
}

/** The size of the audio in a `ds64` chunk, which can exceed 32 bits. */
async function readLongSize(file: OriginalFile, start: number): Promise<number | undefined> {
  const size = await file.read(start + CHUNK_HEAD_BYTES + 8, 8)
  return size.length === 8 ? Number(size.readBigUInt64LE()) : undefined
}

/** Merges neighbouring chunks into one range. An audio chunk with a wrong size gets a new header. */
function addRange(
  ranges: ChunkRange[],
  { id, start, end, length, hasWrongSize }: WalkedChunk,
  { isBigEndian }: ChunkLayout,
): void {
  if (hasWrongSize) {
    const head = Buffer.alloc(CHUNK_HEAD_BYTES)
    head.write(id, 'latin1')
    if (isBigEndian) head.writeUInt32BE(length, 4)
    else head.writeUInt32LE(length, 4)
    ranges.push({ start: start + CHUNK_HEAD_BYTES, end, lead: head.toString('base64') })
    return
  }
  const last = ranges.at(-1)
  if (last?.end === start) last.end = end
  else ranges.push({ start, end })
}
