import { ALLOWED_CHUNKS, allowedNote, readAllowedFrames, readComment } from './allowed-tags.ts'
import type { OriginalFile } from './original-file.ts'
import type { ParsedPayload, PreservedFrame } from './payload.ts'
import { infoItems } from './riff-info.ts'
import { createTagBudget } from './tag-budget.ts'
import { decodeAs, detectEncoding } from './text-encoding.ts'

/** A chunk's size as stored in the file, `length` without its eight-byte header; `end` is after the padding byte. */
type WalkedChunk = { id: string; start: number; end: number; length: number; hasWrongSize: boolean }
type ChunkLayout = { isBigEndian: boolean; soundId: string; allowed: ReadonlySet<string> }
type ChunkRange = { start: number; end: number; lead?: string }

export const CHUNK_HEAD_BYTES = 8
const MAX_CHUNKS = 10_000
const READ_LIMIT_BYTES = 32 * 1024 * 1024
/** Size fields have 32 bits; tags and a picture need some space below that. */
const MAX_SHORT_BYTES = 0xffffffff - READ_LIMIT_BYTES
const UNKNOWN_SIZE = 0xffffffff
export const WAV: ChunkLayout = { isBigEndian: false, soundId: 'data', allowed: ALLOWED_CHUNKS.wav }
export const AIFF: ChunkLayout = { isBigEndian: true, soundId: 'SSND', allowed: ALLOWED_CHUNKS.aiff }

/**
 * Returns the audio and sample format of a WAV file, which may have 64-bit sizes (RF64 or BW64, EBU Tech 3306).
 * Downloads of files near and above 4 GiB have such sizes, all others are plain WAVs. Null for files without audio.
 */
export async function findWavPayload(file: OriginalFile): Promise<ParsedPayload> {
  const head = (await file.read(0, 12)).toString('latin1')
  if (!/^(RIFF|RF64|BW64)/.test(head) || head.slice(8) !== 'WAVE') return null
  const found = await findChunks(file, WAV)
  if (!found) return null
  const { ranges, kept, sound } = found
  if (file.size <= MAX_SHORT_BYTES) return { ranges, kept: { kind: 'wav', ...kept } }
  const blockAlign = await readBlockAlign(file)
  const samples = blockAlign > 0 ? Math.floor(sound.length / blockAlign) : 0
  return { ranges, kept: { kind: 'wav', ...kept, long: { data_bytes: sound.length, samples } } }
}

/** Bytes of one sample of all channels. */
async function readBlockAlign(file: OriginalFile): Promise<number> {
  for await (const { id, start } of walkChunks(file, WAV)) {
    const format = id === 'fmt ' ? await file.read(start + CHUNK_HEAD_BYTES, 14) : undefined
    if (format?.length === 14) return format.readUInt16LE(12)
  }
  return 0
}

/** Returns the audio and sample format of an AIFF or AIFF-C file. Null for files near 4 GiB and files without audio. */
export async function findAiffPayload(file: OriginalFile): Promise<ParsedPayload> {
  const head = (await file.read(0, 12)).toString('latin1')
  const form = head.slice(8)
  if (!head.startsWith('FORM') || (form !== 'AIFF' && form !== 'AIFC') || file.size > MAX_SHORT_BYTES) return null
  const found = await findChunks(file, AIFF)
  return found && { ranges: found.ranges, kept: { kind: 'aiff', form, ...found.kept } }
}

async function findChunks(file: OriginalFile, layout: ChunkLayout) {
  const limit = createTagBudget()
  const ranges: ChunkRange[] = []
  const frames: PreservedFrame[] = []
  let sound: WalkedChunk | undefined
  let comment: string | undefined
  let infoComment: string | undefined
  for await (const chunk of walkChunks(file, layout)) {
    const isSound = chunk.id === layout.soundId
    if (isSound) sound ??= chunk
    const declaredSize = file.size > MAX_SHORT_BYTES ? UNKNOWN_SIZE : chunk.length
    if (isSound && (chunk.hasWrongSize || declaredSize === UNKNOWN_SIZE)) {
      const lead = chunkHead({ ...chunk, length: declaredSize }, layout).toString('base64')
      ranges.push({ start: chunk.start + CHUNK_HEAD_BYTES, end: chunk.end, lead })
    } else if (isSound || layout.allowed.has(chunk.id)) addRange(ranges, chunk)
    else if (chunk.id.toLowerCase() === 'id3 ') {
      const tag = await file.read(chunk.start + CHUNK_HEAD_BYTES, Math.min(chunk.length, READ_LIMIT_BYTES))
      frames.push(...readAllowedFrames(tag, limit))
      comment ??= readComment(tag, limit)
    } else if (chunk.id === 'LIST') {
      const list = await file.read(chunk.start + CHUNK_HEAD_BYTES, Math.min(chunk.length, READ_LIMIT_BYTES))
      infoComment ??= commentOfInfo(list)
    }
  }
  comment ??= infoComment
  return sound ? { ranges, sound, kept: { frames, ...(comment ? { comment } : {}) } } : null
}

/** The comment in a LIST INFO, which declares no encoding. */
function commentOfInfo(list: Buffer): string | undefined {
  const items = infoItems(list)
  const comment = items.find(({ id }) => id === 'ICMT')
  const encoding = detectEncoding(items.map(({ text }) => text))
  return comment && allowedNote(decodeAs(encoding, comment.text))
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
    // A recorder that could not seek back left 0 or 0xFFFFFFFF: the audio then extends to the end of the file. With
    // 64-bit sizes, 0xFFFFFFFF is right.
    const isOpenEnded = declared > remainingBytes || declared === UNKNOWN_SIZE || (declared === 0 && remainingBytes > 0)
    const hasWrongSize = id === soundId && isOpenEnded
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

function chunkHead({ id, length }: Pick<WalkedChunk, 'id' | 'length'>, { isBigEndian }: ChunkLayout): Buffer {
  const head = Buffer.alloc(CHUNK_HEAD_BYTES)
  head.write(id, 'latin1')
  if (isBigEndian) head.writeUInt32BE(length, 4)
  else head.writeUInt32LE(length, 4)
  return head
}

/** Merges neighbouring chunks into one range. */
function addRange(ranges: ChunkRange[], { start, end }: WalkedChunk): void {
  const last = ranges.at(-1)
  if (last?.end === start) last.end = end
  else ranges.push({ start, end })
}
