import { crc16Reflected } from './crc.ts'
import { emptyFromMessage, type Fault, faultAt, formatPosition } from './faults.ts'
import type { FrameWalk } from './integrity-mp3.ts'

/**
 * Zeros after the music that are more than padding: a twentieth of the file, at least the first and at most the second
 * value.
 */
const PADDING_BYTES = [32_768, 131_072] as const

/**
 * Checks LAME's checksum of all music bytes. Editors that change the volume in place break it and do no harm: a
 * warning.
 */
function isAlteredSinceEncoding({ file, count, count_end, end }: FrameWalk, firstFrame: number): boolean {
  if (!count?.lame) return false
  const musicEnd = firstFrame + count.lame.music_bytes
  if (musicEnd > end + 1 || musicEnd <= count_end) return false
  let crc = 0
  for (let at = count_end; at < musicEnd; at += 65_536) {
    crc = crc16Reflected(file.bytesUpTo(at, Math.min(65_536, musicEnd - at)), crc)
  }
  return crc !== count.lame.music_crc
}

export function secondsAt(walk: FrameWalk, frames: number): number {
  return Math.round(((frames * walk.first.samples) / walk.first.sample_rate) * 1000) / 1000
}

const ALTERED_FAULT: Fault = {
  code: 'checksum_altered',
  message: 'The audio was changed after encoding: the LAME checksum doesn’t match.',
}

/** The faults found while reading the frames, the most important first. */
export function faultsOf(walk: FrameWalk, firstFrame: number): Fault[] {
  const faults = [
    cutOff(walk),
    findEmptyEnd(walk),
    findLostSync(walk),
    findSecondFile(walk),
    findBadChecksums(walk),
    miscounted(walk),
  ]
  if (isAlteredSinceEncoding(walk, firstFrame)) faults.push(ALTERED_FAULT)
  return faults.filter((fault) => fault !== undefined)
}

function cutOff(walk: FrameWalk): Fault | undefined {
  if (walk.missing_bytes <= 0) return undefined
  const at = secondsAt(walk, walk.frames - 1)
  const message = `The file is cut off at ${formatPosition(at)}: the last frame is ${walk.missing_bytes} bytes short.`
  return faultAt(at, 'truncated', message)
}

function findEmptyEnd(walk: FrameWalk): Fault | undefined {
  const [least, most] = PADDING_BYTES
  if (walk.zero_bytes <= Math.max(least, Math.min(most, walk.file.size / 20))) return undefined
  const at = secondsAt(walk, walk.frames)
  return faultAt(at, 'truncated', emptyFromMessage(at))
}

function findLostSync(walk: FrameWalk): Fault | undefined {
  const [first] = walk.gaps
  if (!first) return undefined
  const lostBytes = walk.gaps.reduce((sum, gap) => sum + gap.bytes, 0)
  const at = secondsAt(walk, first.frames_before)
  const times = walk.gaps.length === 1 ? 'at' : `in ${walk.gaps.length} places, first at`
  return faultAt(
    at,
    'lost_sync',
    `The audio is interrupted ${times} ${formatPosition(at)}: ${lostBytes} bytes are not MP3 data.`,
  )
}

function findSecondFile(walk: FrameWalk): Fault | undefined {
  if (walk.second_file === undefined) return undefined
  const at = secondsAt(walk, walk.second_file)
  return faultAt(at, 'second_file', `A second file starts at ${formatPosition(at)}: two files were joined.`)
}

function findBadChecksums(walk: FrameWalk): Fault | undefined {
  const [first] = walk.bad_checksums
  if (first === undefined) return undefined
  const at = secondsAt(walk, first)
  const message = `${walk.bad_checksums.length} of ${walk.frames} frames from ${formatPosition(at)} on don’t match their checksum.`
  return faultAt(at, 'frame_checksum', message)
}

function miscounted(walk: FrameWalk): Fault | undefined {
  const { count, frames } = walk
  if (!count?.frames || frames >= count.frames - 1) return undefined
  const message = `The file should have ${count.frames} frames but has ${frames}: part of the audio is missing.`
  return faultAt(secondsAt(walk, frames), 'header_count', message)
}
