import type { FileWindow } from './file-window.ts'

/** ID3v2's "synchsafe" number: four bytes of seven bits (id3v2.3.0, 3.1). */
function synchsafe(bytes: Buffer, offset: number): number {
  return (
    ((bytes[offset]! & 127) << 21) |
    ((bytes[offset + 1]! & 127) << 14) |
    ((bytes[offset + 2]! & 127) << 7) |
    (bytes[offset + 3]! & 127)
  )
}

/** Position of the first byte after all leading ID3v2 tags; some programs write a second one after the first. */
export function skipLeadingTags(file: FileWindow): number {
  let position = 0
  for (;;) {
    const head = file.bytes(position, 10)
    if (head?.toString('latin1', 0, 3) !== 'ID3') return position
    const hasFooter = (head[5]! & 16) !== 0
    position += 10 + synchsafe(head, 6) + (hasFooter ? 10 : 0)
  }
}

/**
 * Length of the tag that ends exactly at `end`, or 0: ID3v1, APEv2 (header or footer last), Lyrics3v2, appended
 * ID3v2.4.
 */
function trailingTagBytes(file: FileWindow, end: number): number {
  if (file.text(end - 128, 3) === 'TAG') return 128
  const ape = file.bytes(end - 32, 32)
  if (ape?.toString('latin1', 0, 8) === 'APETAGEX') {
    const flags = ape.readUInt32LE(20)
    const isHeader = (flags & 0x2000_0000) !== 0
    const hasHeader = (flags & 0x8000_0000) !== 0
    return isHeader ? 32 : ape.readUInt32LE(12) + (hasHeader ? 32 : 0)
  }
  if (file.text(end - 9, 9) === 'LYRICS200') return 15 + Number(file.text(end - 15, 6))
  const footer = file.bytes(end - 10, 10)
  if (footer?.toString('latin1', 0, 3) === '3DI') return synchsafe(footer, 6) + 20
  return 0
}

/** Position after the last byte that can be audio, before the tags at the end. */
export function skipTrailingTags(file: FileWindow): number {
  let end = file.size
  for (let tags = 0; tags < 6; tags++) {
    const bytes = trailingTagBytes(file, end)
    if (!(bytes > 0 && bytes <= end)) return end
    end -= bytes
  }
  return end
}
