import { type FrameHeader, isSameStream, parseFrameHeader } from '../audio-files/mp3-frame.ts'
import {
  createInfoFrame,
  DECODER_DELAY,
  infoFrameBytes,
  MAX_DELAY,
  type Mp3Info,
  parseInfoFrame,
} from '../audio-files/mp3-info-frame.ts'

const CLIP_SECONDS = 30
/** Longer than any first frame of a preview. */
const FIRST_FRAME_BYTES = 1500
/**
 * The frames before the first audible one: it takes bits from up to 511 bytes before it, and its sound overlaps with that
 * of the previous frame. Players leave out what these frames contain; the delay of an info frame cannot cover more.
 */
const LEAD_FRAMES = 3
/** One step of the gain for each frame: 0.6 s and 36 dB at 44.1 kHz. */
const FADE_FRAMES = 24

const UNKNOWN_BYTES_PER_SECOND = 16_000

/** Previews by earlier versions, and demo music, have no info frame; LAME's delay is the same in all of them. */
const LAME_DELAY = 576

/** Bytes of a preview, `from` to `to`, end exclusive. */
type ReadRange = (from: number, to: number) => AsyncIterable<Uint8Array>

/** Bytes of the preview that are sent as they are, or with their frames faded. */
type Segment = { from: number; to: number; fade?: 'in' | 'out' }

/** The part of a preview that visitors hear: `info` comes first, then each segment. */
export type Clip = { info: Buffer; segments: Segment[]; length: number }

type Stream = {
  header: FrameHeader
  /** The first four bytes of an audio frame. */
  first: Buffer
  info: Mp3Info | undefined
  /** Frames of audio. */
  frames: number
  frameStart: (frame: number) => number
  /** Of the whole file. */
  bytes: number
}

const delayOf = (info: Mp3Info | undefined) => info?.delay ?? LAME_DELAY

/** The samples of the song, without what the encoder added. */
const musicSamplesOf = ({ header, info, frames }: Stream): number =>
  frames * header.samples - delayOf(info) - (info?.padding ?? DECODER_DELAY)

const musicSeconds = (stream: Stream): number => musicSamplesOf(stream) / stream.header.sample_rate

/** Reads at most as many bytes as requested, whatever the source sends. */
async function readBytes(read: ReadRange, from: number, to: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const chunk of read(from, to)) {
    parts.push(Buffer.from(chunk))
    length += chunk.length
    if (length >= to - from) break
  }
  return Buffer.concat(parts).subarray(0, to - from)
}

/** Reads how a preview of constant bit rate is made up. Returns undefined for anything else. */
async function readStream(bytes: number, read: ReadRange): Promise<Stream | undefined> {
  const start = await readBytes(read, 0, Math.min(bytes, FIRST_FRAME_BYTES))
  const header = parseFrameHeader(start)
  if (!header || header.bytes === 0 || header.bytes > start.length) return undefined
  const info = parseInfoFrame(start.subarray(0, header.bytes), header)
  const from = info ? header.bytes : 0
  const whole = infoFrameBytes(header)
  const exact = (header.samples / 8) * ((header.bitrate_kbps * 1000) / header.sample_rate)
  // Our own encoder never pads its frames. The npm package adds a byte whenever the fractions add up to one.
  const isPadded = !info && exact > whole
  const frameStart = (frame: number) =>
    from + frame * whole + (isPadded && frame > 0 ? Math.ceil((frame - 1) * (exact - whole)) : 0)
  const frames = info?.frames ?? Math.round(bytes / exact)
  return { header, first: start.subarray(from, from + 4), info, frames, frameStart, bytes }
}

/**
 * Cuts the 30 s that visitors hear from a preview of `bytes`, without encoding them again: from its start position, or
 * from the beginning if that is after the end. The clip begins exactly there: the samples of the first frames that come
 * earlier are the delay in its info frame. Of a file that is no MP3, the clip is its first bytes.
 */
export async function cutClip(
  { bytes, start_seconds }: { bytes: number; start_seconds: number },
  read: ReadRange,
): Promise<Clip> {
  const stream = await readStream(bytes, read)
  if (!stream) {
    const to = Math.min(bytes, CLIP_SECONDS * UNKNOWN_BYTES_PER_SECOND)
    return { info: Buffer.alloc(0), segments: [{ from: 0, to }], length: to }
  }
  const hasStart = start_seconds < musicSeconds(stream)
  return cutStream(stream, { start_seconds: hasStart ? start_seconds : 0, seconds: CLIP_SECONDS, hasFades: true }, read)
}

/**
 * Cuts the seconds `from` to `to` from a preview of `bytes`, like a clip but without fades. Returns undefined if it ends
 * before them or is no MP3 of constant bit rate.
 */
export async function cutPart(
  { bytes, from, to }: { bytes: number; from: number; to: number },
  read: ReadRange,
): Promise<Clip | undefined> {
  const stream = await readStream(bytes, read)
  if (!stream || from >= musicSeconds(stream)) return undefined
  return cutStream(stream, { start_seconds: from, seconds: to - from, hasFades: false }, read)
}

type Cut = { start_seconds: number; seconds: number; hasFades: boolean }

async function cutStream(stream: Stream, { start_seconds, seconds, hasFades }: Cut, read: ReadRange): Promise<Clip> {
  const { header, info, frames, bytes } = stream
  const { samples, sample_rate: rate } = header
  const delay = delayOf(info)
  const start = Math.round(start_seconds * rate)
  const length = Math.min(seconds * rate, musicSamplesOf(stream) - start)
  // Positions in what a decoder returns before the delay is left out.
  const decodedStart = start + delay + DECODER_DELAY
  const audible = Math.floor(decodedStart / samples)
  const from = start === 0 ? 0 : Math.max(0, audible - LEAD_FRAMES)
  const to = Math.min(frames, Math.ceil((decodedStart + length) / samples))
  const clipDelay = decodedStart - from * samples - DECODER_DELAY
  const padding = Math.min(MAX_DELAY, Math.max(0, (to - from) * samples - clipDelay - length))

  // A header may be a few bytes off where another encoder wrote the preview.
  const shift = from === 0 ? 0 : await distanceToFrame(read, stream.frameStart(from), bytes)
  const byteOf = (frame: number) => Math.min(bytes, stream.frameStart(frame) + shift)
  const hasFadeIn = hasFades && start > 0
  const hasFadeOut = hasFades && start + length < musicSamplesOf(stream)
  const segments = planSegments({ from, to, hasFadeIn, hasFadeOut }, byteOf)
  const audioBytes = byteOf(to) - byteOf(from)
  const total = infoFrameBytes(header) + audioBytes
  const clipInfo = { frames: to - from, bytes: total, delay: clipDelay, padding }
  return { info: createInfoFrame(stream.first, header, clipInfo), segments, length: total }
}

type FramePlan = { from: number; to: number; hasFadeIn: boolean; hasFadeOut: boolean }

function planSegments({ from, to, hasFadeIn, hasFadeOut }: FramePlan, byteOf: (frame: number) => number): Segment[] {
  const fadeIn = hasFadeIn ? Math.min(LEAD_FRAMES + FADE_FRAMES, (to - from) >> 1) : 0
  const fadeOut = hasFadeOut ? Math.min(FADE_FRAMES, (to - from) >> 1) : 0
  const plan: Segment[] = [
    { from: byteOf(from), to: byteOf(from + fadeIn), fade: 'in' },
    { from: byteOf(from + fadeIn), to: byteOf(to - fadeOut) },
    { from: byteOf(to - fadeOut), to: byteOf(to), fade: 'out' },
  ]
  return plan.filter((segment) => segment.to > segment.from)
}

/** Returns the distance to the first frame that is followed by another one of the same stream; 0 if there is none. */
async function distanceToFrame(read: ReadRange, from: number, bytes: number): Promise<number> {
  const window = await readBytes(read, from, Math.min(bytes, from + 3 * FIRST_FRAME_BYTES))
  for (let at = 0; at + 4 <= window.length; at++) {
    const header = parseFrameHeader(window, at)
    const next = header?.bytes ? parseFrameHeader(window, at + header.bytes) : undefined
    if (header && next && isSameStream(header, next)) return at
  }
  return 0
}

/** The bytes `from` to `to` of a clip, end exclusive. */
export async function* readClip(clip: Clip, read: ReadRange, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (from < clip.info.length) yield clip.info.subarray(from, to)
  let at = clip.info.length
  for (const segment of clip.segments) {
    const length = segment.to - segment.from
    const [first, last] = [Math.max(0, from - at), Math.min(length, to - at)]
    if (first < last) {
      if (segment.fade) yield fade(await readBytes(read, segment.from, segment.to), segment.fade).subarray(first, last)
      else yield* read(segment.from + first, segment.from + last)
    }
    at += length
  }
}

/** Fades the frames of a segment through their gain, which changes nothing else in them. */
function fade(bytes: Buffer, direction: 'in' | 'out'): Buffer {
  const faded = Buffer.from(bytes)
  const starts: number[] = []
  for (let at = 0; at + 4 <= faded.length; ) {
    const header = parseFrameHeader(faded, at)
    if (!header || header.bytes === 0) break
    starts.push(at)
    at += header.bytes
  }
  starts.forEach((at, n) => {
    const steps = direction === 'in' ? Math.min(FADE_FRAMES, starts.length - n) : Math.min(FADE_FRAMES, n + 1)
    lowerGain(faded, at, parseFrameHeader(faded, at)!, steps)
  })
  return faded
}

/** Positions in the side information of MPEG-1 Layer III (ISO 11172-3, 2.4.1.7), in bits. */
const PRIVATE_BITS = { 1: 5, 2: 3 }
const MAIN_DATA_BEGIN_BITS = 9
const SELECTION_BITS = 4
const GRANULE_BITS = 59
/** After part2_3_length and big_values. */
const GAIN_OFFSET = 12 + 9
const GAIN_BITS = 8

/** Lowers the global gain of both granules by steps of 1.5 dB. */
function lowerGain(bytes: Buffer, at: number, { channels, is_protected }: FrameHeader, steps: number): void {
  // Our encoders write no checksums; changing the gain would make one wrong.
  if (is_protected) return
  const granules = 8 * (at + 4) + MAIN_DATA_BEGIN_BITS + PRIVATE_BITS[channels] + SELECTION_BITS * channels
  for (let granule = 0; granule < 2 * channels; granule++) {
    const bit = granules + granule * GRANULE_BITS + GAIN_OFFSET
    // The field is not aligned to bytes: it is in the high bits of two.
    const shift = 16 - GAIN_BITS - (bit & 7)
    const pair = bytes.readUInt16BE(bit >> 3)
    const gain = (pair >> shift) & 0xff
    bytes.writeUInt16BE((pair & ~(0xff << shift)) | (Math.max(0, gain - steps) << shift), bit >> 3)
  }
}
