import type { FoundBody, KeptFrame } from './body.ts'
import { keepForeignFrames } from './foreign-frames.ts'
import { keepLimit } from './keep-limit.ts'
import type { OriginalFile } from './original-file.ts'

/** A chunk's size as it is in the file, `length` without its eight-byte head; `end` is after the padding byte. */
type Chunk = { id: string; start: number; end: number; length: number; hasWrongSize: boolean }
type Layout = { isBigEndian: boolean; soundId: string }
type Range = { start: number; end: number; lead?: string }
type Kind = 'sound' | 'id3' | 'info' | 'stale' | 'kept'

const CHUNK_HEAD_BYTES = 8
const MAX_CHUNKS = 10_000
const READ_LIMIT_BYTES = 32 * 1024 * 1024
/** Size fields have 32 bits; tags and a picture need some room below that. */
const LARGEST_TAGGABLE_BYTES = 0xffffffff - READ_LIMIT_BYTES
const WAV: Layout = { isBigEndian: false, soundId: 'data' }
const AIFF: Layout = { isBigEndian: true, soundId: 'SSND' }
/** Title and author of AIFF, and DivX's tag, which TagLib# writes into WAV together with a list of type `MID `. */
const STALE_CHUNKS: ReadonlySet<string> = new Set(['NAME', 'AUTH', 'IDVX'])
/** Software, engineer, technician, copyright, archive, medium, source, form of the source, time: not about the track. */
const KEPT_INFO: ReadonlySet<string> = new Set('ISFT IENG ITCH ICOP IARL IMED ISRC ISRF IDIT'.split(' '))

/** The chunks of a WAV file that are not tags. Null for RF64, files near 4 GiB and files without sound. */
export async function findWavBody(file: OriginalFile): Promise<FoundBody> {
  const head = (await file.read(0, 12)).toString('latin1')
  if (!head.startsWith('RIFF') || head.slice(8) !== 'WAVE') return null
  const found = await findChunks(file, WAV)
  return found && { ranges: found.ranges, kept: { kind: 'wav', frames: found.frames, info: found.info } }
}

/** The chunks of an AIFF or AIFC file that are not tags. Null for files near 4 GiB and files without sound. */
export async function findAiffBody(file: OriginalFile): Promise<FoundBody> {
  const head = (await file.read(0, 12)).toString('latin1')
  const form = head.slice(8)
  if (!head.startsWith('FORM') || (form !== 'AIFF' && form !== 'AIFC')) return null
  const found = await findChunks(file, AIFF)
  return found && { ranges: found.ranges, kept: { kind: 'aiff', form, frames: found.frames } }
}

async function findChunks(file: OriginalFile, layout: Layout) {
  if (file.size > LARGEST_TAGGABLE_BYTES) return null
  const limit = keepLimit()
  const ranges: Range[] = []
  const frames: KeptFrame[] = []
  const info: { id: string; bytes: string }[] = []
  let hasSound = false
  for await (const chunk of walkChunks(file, layout)) {
    const content = () => file.read(chunk.start + CHUNK_HEAD_BYTES, Math.min(chunk.length, READ_LIMIT_BYTES))
    const kind = await kindOf(file, chunk, layout)
    if (kind === 'id3') frames.push(...keepForeignFrames(await content(), limit))
    if (kind === 'info') info.push(...readInfo(await content()).filter((item) => limit.fits(item.bytes.length)))
    if (kind === 'sound') hasSound = true
    if (kind === 'sound' || kind === 'kept') addRange(ranges, chunk, layout)
  }
  return hasSound ? { ranges, frames, info } : null
}

/** Walks to the end of the file rather than to the size in its head: that field is often wrong, the chunks are not. */
async function* walkChunks(file: OriginalFile, { isBigEndian, soundId }: Layout): AsyncGenerator<Chunk> {
  let start = 12
  for (let count = 0; count < MAX_CHUNKS; count++) {
    const head = await file.read(start, CHUNK_HEAD_BYTES)
    const id = head.toString('latin1', 0, 4)
    if (head.length < CHUNK_HEAD_BYTES || !/^[\x20-\x7e]{4}$/.test(id)) return
    const declared = isBigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4)
    const room = file.size - start - CHUNK_HEAD_BYTES
    // A recorder that could not go back left 0 or 0xFFFFFFFF: the sound then fills the rest of the file.
    const hasWrongSize = id === soundId && (declared > room || (declared === 0 && room > 0))
    if (declared > room && !hasWrongSize) return
    const length = hasWrongSize ? room : declared
    const end = Math.min(file.size, start + CHUNK_HEAD_BYTES + length + (length & 1))
    yield { id, start, end, length, hasWrongSize }
    start = end
  }
}

async function kindOf(file: OriginalFile, { id, start }: Chunk, { soundId }: Layout): Promise<Kind> {
  if (id === soundId) return 'sound'
  if (id.toLowerCase() === 'id3 ') return 'id3'
  if (STALE_CHUNKS.has(id)) return 'stale'
  if (id !== 'LIST') return 'kept'
  const listType = (await file.read(start + CHUNK_HEAD_BYTES, 4)).toString('latin1')
  if (listType === 'INFO') return 'info'
  return listType === 'MID ' ? 'stale' : 'kept'
}

/** Neighbouring chunks become one range. A sound chunk with a wrong size gets a fresh head. */
function addRange(ranges: Range[], { id, start, end, length, hasWrongSize }: Chunk, { isBigEndian }: Layout): void {
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

/** The items of a LIST INFO chunk that say where the recording comes from. */
function readInfo(content: Buffer): { id: string; bytes: string }[] {
  const items: { id: string; bytes: string }[] = []
  for (let at = 4; at + CHUNK_HEAD_BYTES <= content.length; ) {
    const id = content.toString('latin1', at, at + 4)
    const length = content.readUInt32LE(at + 4)
    const end = at + CHUNK_HEAD_BYTES + length
    if (!/^[A-Z0-9]{4}$/.test(id) || end > content.length) break
    if (KEPT_INFO.has(id)) items.push({ id, bytes: content.toString('base64', at + CHUNK_HEAD_BYTES, end) })
    at = end + (length & 1)
  }
  return items
}
