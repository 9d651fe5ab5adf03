import { emptyFromMessage, type Fault, faultAt, formatPosition } from './faults.ts'
import type { FileWindow } from './file-window.ts'
import { MAX_SAMPLE_RATE, MIN_SAMPLE_RATE } from './integrity-pcm.ts'
import { findTopLevel, type TopLevel } from './mp4-boxes.ts'
import { FRAGMENTED, type Mp4Track, m4aSpeakers, readMp4Track } from './mp4-track.ts'
import type { Speaker } from './speakers.ts'

export type M4aStructure = {
  format: 'm4a'
  faults: Fault[]
  /** Undefined when the file is not decodable. */
  track?: Omit<Mp4Track, 'boxes'>
  /** The positions of the channels; empty when their number has no usual order. */
  speakers: readonly Speaker[]
  /** The bytes of all frames. */
  audio_bytes: number
  duration_seconds: number
  is_decodable: boolean
}

/** The index of a day of audio, with a large cover. */
export const MAX_MOOV_BYTES = 64 * 1024 * 1024

const unusable = (fault: Fault): M4aStructure => ({
  ...{ format: 'm4a', faults: [fault], speakers: [], audio_bytes: 0, duration_seconds: 0, is_decodable: false },
})

/**
 * Reads the index of an M4A file with AAC or ALAC. Faults: truncated, undecodable, unsupported_format, unsupported_pcm.
 * Damaged frames are only found by decoding.
 */
export function inspectM4a(file: FileWindow): M4aStructure {
  const boxes = readTopLevel(file)
  if (!boxes.moov) return unusable(missingIndexFault(boxes))
  const { at, size } = boxes.moov
  if (at + size > file.size) return unusable(CUT_INDEX_FAULT)
  const moov = size > MAX_MOOV_BYTES ? undefined : copyOf(file, at, size)
  if (!moov) return unusable({ code: 'undecodable', message: 'The M4A index is too large.' })
  const track = readMp4Track(moov)
  if ('code' in track) return unusable(track.code === 'truncated' ? { ...track, at_seconds: 0 } : track)
  const { boxes: _boxes, ...rest } = track
  const { channels, sample_rate } = rest
  if (sample_rate < MIN_SAMPLE_RATE || sample_rate > MAX_SAMPLE_RATE || channels < 1 || channels > 8) {
    const message = `This audio format isn’t supported: ${channels} channels, ${sample_rate} Hz.`
    return unusable({ code: 'unsupported_pcm', message })
  }
  const fault = missingAudioFault(file, rest)
  return {
    format: 'm4a',
    faults: fault ? [fault] : [],
    track: rest,
    speakers: m4aSpeakers(channels),
    audio_bytes: rest.sizes.reduce((sum, bytes) => sum + bytes, 0),
    duration_seconds: Math.max(0, rest.end_seconds - rest.start_seconds),
    is_decodable: true,
  }
}

function readTopLevel(file: FileWindow): TopLevel {
  const search = findTopLevel(file.size)
  let step = search.next(Buffer.alloc(0))
  while (!step.done) step = search.next(file.bytesUpTo(step.value.at, step.value.length))
  return step.value
}

const COPY_BYTES = 1 << 20

function copyOf(file: FileWindow, from: number, length: number): Buffer | undefined {
  const copy = Buffer.alloc(length)
  for (let at = 0; at < length; at += COPY_BYTES) {
    const bytes = file.bytes(from + at, Math.min(COPY_BYTES, length - at))
    if (!bytes) return undefined
    bytes.copy(copy, at)
  }
  return copy
}

const CUT_INDEX_FAULT = faultAt(0, 'truncated', 'The file is cut off inside its index and can’t be played.')

function missingIndexFault({ isFragmented, hasMedia }: TopLevel): Fault {
  if (isFragmented) return FRAGMENTED
  if (hasMedia) return faultAt(0, 'truncated', 'The file is cut off: its index at the end is missing.')
  return { code: 'undecodable', message: 'This MP4 file has no index.' }
}

/** Each frame with its position in the file. */
export function* framesOf({
  sizes,
  chunk_offsets,
  chunk_frames,
}: Pick<Mp4Track, 'sizes' | 'chunk_offsets' | 'chunk_frames'>): Generator<{ at: number; bytes: number }> {
  let frame = 0
  for (let chunk = 0; chunk < chunk_offsets.length; chunk++) {
    let at = chunk_offsets[chunk]!
    for (let count = chunk_frames[chunk]!; count > 0; count--) {
      const bytes = sizes[frame++]!
      yield { at, bytes }
      at += bytes
    }
  }
}

/** The fault of a file that ends before its last frame, or in which the frames are zeros from some position on. */
function missingAudioFault(file: FileWindow, track: Omit<Mp4Track, 'boxes'>): Fault | undefined {
  const { sizes, start_seconds, end_seconds } = track
  const secondsAt = (frame: number) => Math.max(0, (frame / sizes.length) * end_seconds - start_seconds)
  let number = 0
  let zerosFrom: number | undefined
  for (const { at, bytes } of framesOf(track)) {
    if (at + bytes > file.size) {
      const seconds = secondsAt(number)
      const percent = Math.floor((1000 * number) / sizes.length) / 10
      const message = `The file is cut off at ${formatPosition(seconds)}: it contains ${percent} % of the audio.`
      return faultAt(seconds, 'truncated', message)
    }
    if (!file.isZero(at, at + bytes)) zerosFrom = undefined
    else zerosFrom ??= number
    number++
  }
  if (zerosFrom === undefined) return undefined
  const seconds = secondsAt(zerosFrom)
  return faultAt(seconds, 'truncated', emptyFromMessage(seconds))
}
