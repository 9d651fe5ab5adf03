import { createHash } from 'node:crypto'
import { uniquePaths } from '@dubplate/contract'
import { type PlacedSegment, totalLength } from './segments.ts'
import { archiveEnd, centralRecord, localHeader, ZIP_LIMITS, type ZipLimits } from './zip-records.ts'

/** A file to be stored. `segments` contain `length` bytes whose checksum is `crc32`. */
export type ZipEntry = { name: string; modified: Date; length: number; crc32: number; segments: PlacedSegment[] }

/** An archive before it is sent. `etag` is strong and includes its quotes. */
export type ZipLayout = { segments: PlacedSegment[]; length: number; etag: string }

type ZipOptions = {
  limits?: ZipLimits
  /** Composed names by default. */
  unicode_form?: 'nfc' | 'nfd'
}

/**
 * Lays out a zip without reading its files: entries are stored, not deflated (audio does not get smaller), and sizes
 * and checksums are known in advance, so that its length is exact and any range of it can be read. `uniquePaths` makes
 * the names valid and unique. `limits` is where zip64 begins and is only changed by tests. Source: PKWARE APPNOTE
 * 6.3.10. Throws when the segments of an entry do not have its length.
 */
export function layOutZip(
  entries: ZipEntry[],
  { limits = ZIP_LIMITS, unicode_form = 'nfc' }: ZipOptions = {},
): ZipLayout {
  const names = uniquePaths(entries.map(({ name }) => name)).map((name) =>
    name.normalize(unicode_form === 'nfd' ? 'NFD' : 'NFC'),
  )
  const segments: PlacedSegment[] = []
  const central: Buffer[] = []
  let offset = 0
  entries.forEach((entry, index) => {
    if (totalLength(entry.segments) !== entry.length)
      throw new Error(`The segments of ${entry.name} have a different length`)
    const stored = { ...entry, name: Buffer.from(names[index]!, 'utf8'), offset }
    const header = localHeader(stored, limits)
    segments.push(header, ...entry.segments)
    central.push(centralRecord(stored, limits))
    offset += header.length + entry.length
  })
  const directory = Buffer.concat(central)
  const end = archiveEnd({ count: entries.length, offset, length: directory.length }, limits)
  const all = [...segments, Buffer.concat([directory, end])]
  return { segments: all, length: offset + directory.length + end.length, etag: etagOf(directory) }
}

/** The central directory contains the name, length, checksum and offset of every file. */
function etagOf(directory: Buffer): string {
  return `"${createHash('sha256').update(directory).digest('base64url').slice(0, 27)}"`
}
