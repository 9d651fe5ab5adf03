import { crc8, crc16 } from './crc.ts'
import type { FileWindow } from './file-window.ts'

export const MAX_FRAME_HEADER_BYTES = 16

export type FlacFrameHeader = {
  /** Samples of each channel in this frame. */
  samples: number
  /** Number of the frame or, when the block size varies, of its first sample. */
  number: number
  is_variable: boolean
}

/**
 * Reads the number in the extended UTF-8 of RFC 9639, 9.1.5, and returns it with its length in bytes; undefined when it
 * is invalid.
 */
function codedNumber(bytes: Uint8Array, at: number): [number: number, length: number] | undefined {
  const first = bytes[at]!
  if (first < 0x80) return [first, 1]
  const length = Math.clz32(~(first << 24))
  if (length < 2 || length > 7) return undefined
  let number = first & (0x7f >> length)
  for (let i = 1; i < length; i++) {
    if ((bytes[at + i]! & 0xc0) !== 0x80) return undefined
    number = number * 64 + (bytes[at + i]! & 0x3f)
  }
  return [number, length]
}

/** Block sizes by code (RFC 9639, 9.1.1); for 6 and 7 the size follows the number, in one and two bytes. */
function samplesOf(code: number, bytes: Uint8Array, at: number): number {
  if (code === 1) return 192
  if (code <= 5) return 144 << code
  if (code === 6) return bytes[at]! + 1
  if (code === 7) return bytes[at]! * 256 + bytes[at + 1]! + 1
  return 1 << code
}

/**
 * Reads a frame header (RFC 9639, 9.1) whose checksum is correct; `bytes` must extend at least 16 bytes beyond `at`.
 */
export function parseFlacHeader(bytes: Uint8Array, at = 0): FlacFrameHeader | undefined {
  if (bytes[at] !== 0xff || (bytes[at + 1]! & 0xfe) !== 0xf8) return undefined
  const sizeCode = bytes[at + 2]! >> 4
  const rateCode = bytes[at + 2]! & 15
  const number = codedNumber(bytes, at + 4)
  if (sizeCode === 0 || rateCode === 15 || !number) return undefined
  const sizeAt = at + 4 + number[1]
  const sizeBytes = sizeCode === 6 ? 1 : sizeCode === 7 ? 2 : 0
  const rateBytes = rateCode === 12 ? 1 : rateCode === 13 || rateCode === 14 ? 2 : 0
  const end = sizeAt + sizeBytes + rateBytes
  if (crc8(bytes.subarray(at, end)) !== bytes[end]) return undefined
  return {
    samples: samplesOf(sizeCode, bytes, sizeAt),
    number: number[0],
    is_variable: (bytes[at + 1]! & 1) === 1,
  }
}

type FlacFrame = FlacFrameHeader & { at: number }

function findFrame(file: FileWindow, from: number, to: number): FlacFrame | undefined {
  for (let at = file.indexOf(0xff, from, to); at >= 0; at = file.indexOf(0xff, at + 1, to)) {
    const bytes = file.bytesUpTo(at, MAX_FRAME_HEADER_BYTES)
    const header = bytes.length >= 6 ? parseFlacHeader(bytes) : undefined
    if (header) return { ...header, at }
  }
  return undefined
}

function isComplete(file: FileWindow, from: number, to: number): boolean {
  const frame = file.bytes(from, to - from)
  return frame !== undefined && crc16(frame.subarray(0, -2)) === frame.readUInt16BE(frame.length - 2)
}

export type FlacDamage = { sample: number /** More frames follow it. */; is_within: boolean }

/**
 * Finds where the frames of a FLAC first stop following each other or fail their checksum (RFC 9639, 9.3); undefined
 * when all are complete. Reads every byte again, so call it only for a file known to be damaged.
 */
export function firstDamage(file: FileWindow, from: number, to: number): FlacDamage | undefined {
  let sample = 0
  let frame = findFrame(file, from, to)
  if (frame?.at !== from) return { sample, is_within: frame !== undefined }
  for (let count = 0; frame; count++) {
    if (frame.number !== (frame.is_variable ? sample : count)) return { sample, is_within: true }
    const next: FlacFrame | undefined = findCompleteEnd(file, frame, to)
    if (next === frame) return { sample, is_within: findFrame(file, frame.at + 6, to) !== undefined }
    sample += frame.samples
    frame = next
  }
  return undefined
}

/** Returns the frame after this one, undefined at the end, or the frame itself when no later position completes it. */
function findCompleteEnd(file: FileWindow, frame: FlacFrame, to: number): FlacFrame | undefined {
  let next = findFrame(file, frame.at + 6, to)
  // Audio can look like a header: the right one is where the checksum is correct.
  for (let tries = 0; next && tries < 4; tries++) {
    if (isComplete(file, frame.at, next.at)) return next
    next = findFrame(file, next.at + 1, to)
  }
  return !next && isComplete(file, frame.at, to) ? undefined : frame
}
