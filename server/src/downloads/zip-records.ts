/** The records of a zip archive. Sections are those of PKWARE's APPNOTE 6.3.10 (pkware.com/appnote). */

/** From these values on, the regular field is too small and zip64 holds the value. */
export type ZipLimits = { size: number; count: number }
export const ZIP_LIMITS: ZipLimits = { size: 0xffffffff, count: 0xffff }

export type StoredFile = { name: Buffer; modified: Date; length: number; crc32: number; offset: number }

const VERSION_PLAIN = 20
const VERSION_ZIP64 = 45
const MADE_ON_UNIX = 3 << 8
const NAME_IS_UTF8 = 1 << 11
const MODE_FILE_644 = 0o100644
const MAX_UINT32 = 0xffffffff
const MAX_UINT16 = 0xffff

/** Section 4.3.7. Length and checksum are known, so no data descriptor follows the content. */
export function localHeader(file: StoredFile, limits: ZipLimits): Buffer {
  const needsZip64Length = file.length >= limits.size
  const extra = Buffer.concat([
    zip64Extra(needsZip64Length ? [file.length, file.length] : []),
    timeExtra(file.modified),
  ])
  return Buffer.concat([
    u32(0x04034b50),
    u16(needsZip64Length ? VERSION_ZIP64 : VERSION_PLAIN),
    commonFields(file, needsZip64Length),
    u16(extra.length),
    file.name,
    extra,
  ])
}

/** Section 4.3.12. */
export function centralRecord(file: StoredFile, limits: ZipLimits): Buffer {
  const needsZip64Length = file.length >= limits.size
  const needsZip64Offset = file.offset >= limits.size
  const zip64Values = [
    ...(needsZip64Length ? [file.length, file.length] : []),
    ...(needsZip64Offset ? [file.offset] : []),
  ]
  const extra = Buffer.concat([zip64Extra(zip64Values), timeExtra(file.modified)])
  const version = zip64Values.length > 0 ? VERSION_ZIP64 : VERSION_PLAIN
  return Buffer.concat([
    u32(0x02014b50),
    u16(MADE_ON_UNIX | version),
    u16(version),
    commonFields(file, needsZip64Length),
    u16(extra.length),
    u16(0), // comment length
    u16(0), // disk
    u16(0), // internal attributes
    u32(MODE_FILE_644 * 0x10000),
    u32(needsZip64Offset ? MAX_UINT32 : file.offset),
    file.name,
    extra,
  ])
}

/**
 * Sections 4.3.14 to 4.3.16: the zip64 end record and its locator where needed, then the end record that every reader
 * looks for.
 */
export function archiveEnd(directory: { count: number; offset: number; length: number }, limits: ZipLimits): Buffer {
  const { count, offset, length } = directory
  const needsZip64Count = count >= limits.count
  const needsZip64Length = length >= limits.size
  const needsZip64Offset = offset >= limits.size
  const countField = u16(needsZip64Count ? MAX_UINT16 : count)
  const end = Buffer.concat([
    u32(0x06054b50),
    u16(0), // this disk
    u16(0), // the directory's disk
    countField,
    countField,
    u32(needsZip64Length ? MAX_UINT32 : length),
    u32(needsZip64Offset ? MAX_UINT32 : offset),
    u16(0), // comment length
  ])
  return needsZip64Count || needsZip64Length || needsZip64Offset ? Buffer.concat([zip64End(directory), end]) : end
}

function zip64End({ count, offset, length }: { count: number; offset: number; length: number }): Buffer {
  return Buffer.concat([
    u32(0x06064b50),
    u64(44), // what follows in this record
    u16(MADE_ON_UNIX | VERSION_ZIP64),
    u16(VERSION_ZIP64),
    u32(0), // this disk
    u32(0), // the directory's disk
    u64(count),
    u64(count),
    u64(length),
    u64(offset),
    u32(0x07064b50), // the locator: where the record above begins
    u32(0),
    u64(offset + length),
    u32(1), // disks
  ])
}

/** Flags to name length, the same in the local header and the central record. */
function commonFields({ name, modified, length, crc32 }: StoredFile, needsZip64Length: boolean): Buffer {
  const lengthField = u32(needsZip64Length ? MAX_UINT32 : length)
  const { date, time } = dosTime(modified)
  return Buffer.concat([
    u16(NAME_IS_UTF8),
    u16(0), // stored
    u16(time),
    u16(date),
    u32(crc32),
    lengthField,
    lengthField,
    u16(name.length),
  ])
}

/** Section 4.5.3: only the values that do not fit into their regular field. */
function zip64Extra(values: number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0)
  return Buffer.concat([u16(0x0001), u16(values.length * 8), ...values.map(u64)])
}

/** Info-ZIP's extended timestamp: DOS time has no time zone, this one is UTC. Left out before 1970 and from 2038 on. */
function timeExtra(modified: Date): Buffer {
  const seconds = Math.floor(modified.getTime() / 1000)
  if (!(seconds >= 0 && seconds < 2 ** 31)) return Buffer.alloc(0)
  return Buffer.concat([u16(0x5455), u16(5), Buffer.from([1]), u32(seconds)])
}

/** Section 4.4.6, in UTC: two-second steps from 1980 to 2107. */
function dosTime(modified: Date): { date: number; time: number } {
  const year = modified.getUTCFullYear()
  if (!(year >= 1980)) return { date: (1 << 5) | 1, time: 0 }
  const date = (Math.min(127, year - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate()
  const time = (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1)
  return { date, time }
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
