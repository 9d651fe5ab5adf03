import { toVersion3 } from './id3-conversion.ts'

/** A frame in the form of ID3v2.3: four-letter id and content, without the frame header. */
export type Id3Frame = { id: string; bytes: Buffer }

/** A frame as read from a tag of `version`, with its flags already undone. */
export type RawFrame = Id3Frame & { version: number }

/** `length` is that of the whole tag: header, content, padding and footer. */
export type Id3Head = { version: number; flags: number; length: number }

export const ID3_HEAD_BYTES = 10
const FLAG_UNSYNCHRONISED = 0x80
const FLAG_EXTENDED = 0x40
const FLAG_FOOTER = 0x10

/** Reads the header of an ID3v2 tag; null when the bytes are not one (id3v2.4.0-structure section 3.1). */
export function readId3Head(head: Buffer): Id3Head | null {
  if (head.length < ID3_HEAD_BYTES || head.toString('latin1', 0, 3) !== 'ID3') return null
  const version = head[3]!
  if (version === 0xff || head[4] === 0xff || !isSyncSafe(head, 6)) return null
  const flags = head[5]!
  const footer = version === 4 && flags & FLAG_FOOTER ? ID3_HEAD_BYTES : 0
  return { version, flags, length: ID3_HEAD_BYTES + readSyncSafe(head, 6) + footer }
}

/**
 * Reads the frames of an ID3v2.2, 2.3 or 2.4 tag, converted to ID3v2.3. `tag` starts at the tag's header and may be cut
 * short: reading ends at the first incomplete frame. Compressed and encrypted frames are left out.
 */
export function readId3Frames(tag: Buffer): Id3Frame[] {
  const frames: Id3Frame[] = []
  for (const raw of readRawFrames(tag)) {
    const frame = toVersion3(raw)
    if (frame && frame.bytes.length > 0) frames.push(frame)
  }
  return frames
}

/** Reads the same frames as `readId3Frames`, in the version of the tag. */
export function readRawFrames(tag: Buffer): RawFrame[] {
  const head = readId3Head(tag)
  if (!head || head.version < 2 || head.version > 4) return []
  // In version 2.2 this bit meant a compression that was never defined.
  if (head.version === 2 && head.flags & FLAG_EXTENDED) return []
  const isUnsynchronised = (head.flags & FLAG_UNSYNCHRONISED) !== 0
  let content = tag.subarray(ID3_HEAD_BYTES, head.length)
  if (head.version < 4 && isUnsynchronised) content = undoUnsynchronisation(content)
  if (head.flags & FLAG_EXTENDED) content = content.subarray(extendedLength(head.version, content))
  return [...rawFrames({ version: head.version, isUnsynchronised }, content)]
}

/**
 * Returns the tag with unsynchronisation undone, for readers that do not support it; undefined when the tag does not
 * use it. In ID3v2.2 and 2.3 it covers the whole tag, and the frames give their sizes without it; in 2.4 it covers
 * single frames, whose flags some writers do not set.
 */
export function withoutUnsynchronisation(tag: Buffer): Buffer | undefined {
  const head = readId3Head(tag)
  if (!head || (head.flags & FLAG_UNSYNCHRONISED) === 0) return undefined
  const content = Buffer.concat(readRawFrames(tag).flatMap((frame) => [frameHead(frame), frame.bytes]))
  return Buffer.concat([Buffer.from('ID3'), Buffer.from([head.version, 0, 0]), syncSafe(content.length), content])
}

function frameHead({ version, id, bytes: { length } }: RawFrame): Buffer {
  const size = version === 4 ? syncSafe(length) : Buffer.from([24, 16, 8, 0].map((shift) => (length >> shift) & 0xff))
  const name = Buffer.from(id, 'latin1')
  return version === 2 ? Buffer.concat([name, size.subarray(1)]) : Buffer.concat([name, size, Buffer.alloc(2)])
}

/** Four bytes of seven bits. */
export const syncSafe = (size: number): Buffer => Buffer.from([21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f))

type TagForm = { version: number; isUnsynchronised: boolean }

function* rawFrames({ version, isUnsynchronised }: TagForm, content: Buffer): Generator<RawFrame> {
  const idLength = version === 2 ? 3 : 4
  const headLength = version === 2 ? 6 : 10
  for (let at = 0; at + headLength <= content.length; ) {
    const id = content.toString('latin1', at, at + idLength)
    if (!/^[A-Z][A-Z0-9]{2,3}$/.test(id)) return
    const start = at + headLength
    const end = start + frameSize(version, content, at)
    if (end > content.length) return
    const flags = version === 2 ? 0 : content[at + 9]!
    const bytes = undoFlags(version, flags, content.subarray(start, end))
    const isLeftOver = version === 4 && isUnsynchronised && (flags & 0x02) === 0
    if (bytes)
      yield { version, id, bytes: isLeftOver && looksUnsynchronised(bytes) ? undoUnsynchronisation(bytes) : bytes }
    at = end
  }
}

function frameSize(version: number, content: Buffer, at: number): number {
  if (version === 2) return content.readUIntBE(at + 3, 3)
  const plain = content.readUInt32BE(at + 4)
  if (version === 3) return plain
  if (!isSyncSafe(content, at + 4)) return plain
  const syncSafe = readSyncSafe(content, at + 4)
  // Some writers, such as old iTunes, put plain sizes into 2.4 tags: use the size that leads to another frame.
  if (plain !== syncSafe && !leadsOn(content, at + 10 + syncSafe) && leadsOn(content, at + 10 + plain)) return plain
  return syncSafe
}

function leadsOn(content: Buffer, at: number): boolean {
  if (at === content.length) return true
  if (at > content.length) return false
  return content[at] === 0 || /^[A-Z][A-Z0-9]{3}$/.test(content.toString('latin1', at, at + 4))
}

/** Undoes grouping, data length and unsynchronisation of a frame; returns null for a compressed or encrypted one. */
function undoFlags(version: number, flags: number, bytes: Buffer): Buffer | null {
  if (version === 3) {
    if (flags & 0xc0) return null
    return bytes.subarray(flags & 0x20 ? 1 : 0)
  }
  if (version === 2) return bytes
  if (flags & 0x0c) return null
  const skipped = (flags & 0x40 ? 1 : 0) + (flags & 0x01 ? 4 : 0)
  const content = bytes.subarray(skipped)
  return flags & 0x02 ? undoUnsynchronisation(content) : content
}

/** The extended header's length: without its own size field in 2.3, with it and sync-safe in 2.4. */
function extendedLength(version: number, content: Buffer): number {
  if (content.length < 4) return content.length
  return version === 4 ? readSyncSafe(content, 0) : content.readUInt32BE(0) + 4
}

/** Unsynchronised data contains neither 0xFF before 0xE0 or more, nor 0xFF at its end. */
const looksUnsynchronised = (bytes: Buffer): boolean =>
  bytes.every((byte, at) => byte !== 0xff || (bytes[at + 1] ?? 0xff) < 0xe0)

/** Removes the zero that unsynchronisation puts after each 0xFF. */
function undoUnsynchronisation(bytes: Buffer): Buffer {
  const plain = Buffer.alloc(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    plain[length++] = bytes[at]!
    if (bytes[at] === 0xff && bytes[at + 1] === 0) at++
  }
  return plain.subarray(0, length)
}

function isSyncSafe(bytes: Buffer, at: number): boolean {
  return (bytes.readUInt32BE(at) & 0x80808080) === 0
}

function readSyncSafe(bytes: Buffer, at: number): number {
  return (
    ((bytes[at]! & 0x7f) << 21) |
    ((bytes[at + 1]! & 0x7f) << 14) |
    ((bytes[at + 2]! & 0x7f) << 7) |
    (bytes[at + 3]! & 0x7f)
  )
}
