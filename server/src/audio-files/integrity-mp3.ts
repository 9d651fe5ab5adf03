import { crc16 } from './crc.ts'
import { type Fault, faultAt } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { faultsOf, secondsAt } from './mp3-faults.ts'
import { type CountFrame, type FrameHeader, isSameStream, parseCountFrame, parseFrameHeader } from './mp3-frame.ts'
import { skipLeadingTags, skipTrailingTags } from './mp3-tags.ts'

export type Mp3Structure = {
  format: 'mp3'
  faults: Fault[]
  /** Byte range of the frames, excluding tags. */
  from: number
  to: number
  /** 1 when every frame is mono. */
  channels: 1 | 2
  duration_seconds: number
  bitrate_kbps: number
  /** Every frame has the same bit rate. */
  is_constant: boolean
  is_decodable: boolean
}

const SEARCH_BYTES = 1 << 20
const CHAIN_FRAMES = 4
const MIN_FRAMES = 8

type StreamGap = { bytes: number; frames_before: number }
/** What was found while reading through the frames. */
export type FrameWalk = {
  file: FileWindow
  end: number
  first: FrameHeader
  position: number
  frames: number
  frame_bytes: number
  is_mono: boolean
  /** Bit rates of the frames with sound. */
  kbps: Set<number>
  gaps: StreamGap[]
  bad_checksums: number[]
  missing_bytes: number
  /** Zeros from the last frame to the end. */
  zero_bytes: number
  /** Frames before another file's tag or first frame. */
  second_file?: number
  count?: CountFrame
  count_end: number
}

/** Bytes between two free-format frames: the distance to the next equal header that repeats four times, or 0. */
function freeFormatStep(file: FileWindow, at: number): number {
  const start = Buffer.from(file.bytesUpTo(at, 4))
  const isSimilar = (b: Buffer | undefined) =>
    b !== undefined && b[0] === 0xff && b[1] === start[1] && (b[2]! & 0xfc) === (start[2]! & 0xfc)
  const paddingAt = (position: number) => ((file.bytes(position, 4)?.[2] ?? 0) >> 1) & 1
  const repeats = (step: number) => {
    let position = at
    for (let n = 0; n < CHAIN_FRAMES; n++) {
      if (!isSimilar(file.bytes(position, 4))) return false
      position += step + paddingAt(position)
    }
    return true
  }
  for (let distance = 24; distance < 4000; distance++) {
    if (!isSimilar(file.bytes(at + distance, 4))) continue
    const step = distance - paddingAt(at)
    if (repeats(step)) return step
  }
  return 0
}

/** Whether four frames of one stream follow each other from here. A single header occurs by chance in any file. */
function startsChain(file: FileWindow, at: number, end: number, like?: FrameHeader): boolean {
  let previous = like
  let position = at
  for (let n = 0; n < CHAIN_FRAMES; n++) {
    const bytes = file.bytes(position, 4)
    if (!bytes) return position >= end - 1 && n > 0
    const header = parseFrameHeader(bytes)
    if (!header) return false
    if (previous && (header.version !== previous.version || header.sample_rate !== previous.sample_rate)) return false
    if (header.bytes === 0) return freeFormatStep(file, position) > 0
    previous = header
    position += header.bytes
  }
  return true
}

function findChain(file: FileWindow, from: number, to: number, end: number, like?: FrameHeader): number {
  for (let at = file.indexOf(0xff, from, to); at >= 0; at = file.indexOf(0xff, at + 1, to)) {
    if (startsChain(file, at, end, like)) return at
  }
  return -1
}

/**
 * Whether the frame CRC (ISO 11172-3, 2.4.3.1) is correct; it covers the header's last two bytes and the side
 * information.
 */
function hasGoodChecksum(frame: Buffer, header: FrameHeader): boolean {
  const crc = crc16(frame.subarray(6, 6 + header.side_bytes), crc16(frame.subarray(2, 4), 0xffff))
  return crc === frame.readUInt16BE(4)
}

/** Reads the frame at the walk's position and moves past it; returns false when there is none. */
function readNextFrame(walk: FrameWalk): boolean {
  const { file, position } = walk
  const head = file.bytes(position, 4)
  const header = head && parseFrameHeader(head)
  if (!header || !isSameStream(header, walk.first)) return false
  const after = position + header.bytes
  const frame = file.bytes(position, header.bytes)
  // One byte of tolerance: some encoders count the padding of the last frame and do not write it.
  if (!frame || after > walk.end + 1) {
    walk.missing_bytes = after - walk.end
    walk.position = walk.end
    walk.frames++
    return true
  }
  walk.position = after
  const count = parseCountFrame(frame, header)
  if (count && walk.frames > 0) walk.second_file ??= walk.frames
  if (count && walk.frames === 0 && !walk.count) {
    walk.count = count
    walk.count_end = after
    return true
  }
  if (header.is_protected && !hasGoodChecksum(frame, header)) walk.bad_checksums.push(walk.frames)
  walk.frames++
  walk.frame_bytes += header.bytes
  if (header.channels === 2) walk.is_mono = false
  walk.kbps.add(header.bitrate_kbps)
  return true
}

const TAG_MARK = /^(TAG|APETAGEX|ID3|LYRICS)/

/** Continues where frames start again. Zeros, and a tag at the end of the file, are padding and not a fault. */
function skipGap(walk: FrameWalk): void {
  const { file, position, end } = walk
  const found = findChain(file, position + 1, end - 3, end, walk.first)
  const next = found < 0 ? end : found
  walk.position = next
  const isTag = TAG_MARK.test(file.text(position, 10))
  if (found >= 0 && isTag) {
    walk.second_file ??= walk.frames
    return
  }
  if (found < 0 && isTag) return
  if (found < 0 && file.isZero(position, next)) walk.zero_bytes = next - position
  else walk.gaps.push({ bytes: next - position, frames_before: walk.frames })
}

const NOTHING = { channels: 2, duration_seconds: 0, bitrate_kbps: 0, is_constant: true, is_decodable: false } as const

function freeFormat(from: number, to: number): Mp3Structure {
  const message = 'This MP3 uses free-format bit rates, which most players and DJ equipment can’t read.'
  const faults = [{ code: 'free_format', message }]
  return { format: 'mp3', faults, from, to, ...NOTHING }
}

function beginningOnly(from: number, to: number): Mp3Structure {
  const fault = faultAt(0, 'truncated', 'The file ends inside its first frames.')
  return { format: 'mp3', faults: [fault], from, to, ...NOTHING }
}

/**
 * Reads every frame header of an MP3 without decoding it, about 40 ms for 11 MB. Returns undefined when there is no MP3
 * in the file (under eight frames). Faults: truncated, leading_junk, lost_sync, second_file, frame_checksum,
 * header_count, free_format and checksum_altered. Not a fault: repeated ID3v2, ID3v1, APE or Lyrics3 tags, zero padding
 * at either end, no Xing frame.
 */
export function inspectMp3(file: FileWindow): Mp3Structure | undefined {
  const start = skipLeadingTags(file)
  const end = skipTrailingTags(file)
  const from = findChain(file, start, Math.min(end - 3, start + SEARCH_BYTES), end)
  const first = from >= 0 ? parseFrameHeader(file.bytes(from, 4)!) : undefined
  if (!first) return undefined
  if (first.bytes === 0) return freeFormat(from, end)
  const walk: FrameWalk = {
    ...{ file, end, first, position: from, frames: 0, frame_bytes: 0, is_mono: true, kbps: new Set() },
    ...{ gaps: [], bad_checksums: [], missing_bytes: 0, zero_bytes: 0, count_end: 0 },
  }
  while (walk.position < end - 3) if (!readNextFrame(walk)) skipGap(walk)
  // A frame exactly where audio should begin is no accident, even if the file ends before there are more.
  if (walk.frames < MIN_FRAMES) return from === start && walk.missing_bytes > 0 ? beginningOnly(from, end) : undefined
  const faults = faultsOf(walk, from)
  if (!file.isZero(start, from)) {
    const message = `The beginning is missing: the first ${from - start} bytes are not MP3 data.`
    faults.unshift({ code: 'leading_junk', message, at_seconds: 0 })
  }
  const seconds = secondsAt(walk, walk.frames)
  return {
    format: 'mp3',
    faults,
    from,
    to: end,
    channels: walk.is_mono ? 1 : 2,
    duration_seconds: seconds,
    bitrate_kbps: Math.round((walk.frame_bytes * 8) / seconds / 1000),
    is_constant: walk.kbps.size === 1,
    is_decodable: true,
  }
}
