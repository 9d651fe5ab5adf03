import type { OriginalFile } from './original-file.ts'

const MAX_TAGS = 50

/**
 * Where the tags at the end of a file begin: ID3v1 with its extension "TAG+", APEv1 and v2, Lyrics3 v1 and v2 and
 * ID3v2.4 with a footer, in any order. Returns a position between `start` and the file's size. Sources: id3.org (ID3v1,
 * Lyrics3, Lyrics3v2), wiki.hydrogenaud.io "APE Tags Header", id3v2.4.0-structure section 3.4.
 */
export async function findTailStart(file: OriginalFile, start: number): Promise<number> {
  let end = file.size
  for (let count = 0; count < MAX_TAGS; count++) {
    const length = await tagLengthBefore(file, end)
    if (length === 0 || end - length < start) break
    end -= length
  }
  return end
}

async function tagLengthBefore(file: OriginalFile, end: number): Promise<number> {
  const tail = await file.read(Math.max(0, end - 227 - 128), Math.min(end, 227 + 128))
  return id3v1Length(tail) || apeLength(tail) || footerLength(tail) || lyricsLength(file, end, tail)
}

function id3v1Length(tail: Buffer): number {
  if (text(tail, 128, 3) !== 'TAG') return 0
  return text(tail, 128 + 227, 4) === 'TAG+' ? 128 + 227 : 128
}

function apeLength(tail: Buffer): number {
  if (text(tail, 32, 8) !== 'APETAGEX') return 0
  const footer = tail.subarray(tail.length - 32)
  const isHeader = (footer[23]! & 0x20) !== 0
  const hasHeader = (footer[23]! & 0x80) !== 0
  const length = footer.readUInt32LE(12) + (hasHeader ? 32 : 0)
  return isHeader ? 32 : Math.max(32, length)
}

function footerLength(tail: Buffer): number {
  if (text(tail, 10, 3) !== '3DI') return 0
  const sizes = tail.subarray(tail.length - 4)
  if (sizes.some((byte) => byte > 0x7f)) return 0
  return sizes.reduce((sum, byte) => sum * 128 + byte, 0) + 20
}

async function lyricsLength(file: OriginalFile, end: number, tail: Buffer): Promise<number> {
  const mark = text(tail, 9, 9)
  if (mark === 'LYRICS200') {
    const digits = text(tail, 15, 6)
    const length = /^\d{6}$/.test(digits) ? Number(digits) + 15 : 0
    const begin = await file.read(end - length, 11)
    return begin.toString('latin1') === 'LYRICSBEGIN' ? length : 0
  }
  if (mark !== 'LYRICSEND') return 0
  // Version 1 has no size field; its text is at most 5100 bytes.
  const window = await file.read(Math.max(0, end - 5100 - 20), Math.min(end, 5100 + 20))
  const begin = window.lastIndexOf('LYRICSBEGIN', undefined, 'latin1')
  return begin < 0 ? 0 : window.length - begin
}

function text(tail: Buffer, beforeEnd: number, length: number): string {
  const at = tail.length - beforeEnd
  return at < 0 ? '' : tail.toString('latin1', at, at + length)
}
