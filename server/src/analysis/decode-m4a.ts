import type { AudioBlock } from '../audio-files/audio-block.ts'
import { type Fault, faultAt, formatPosition } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { framesOf, type M4aStructure } from '../audio-files/integrity-m4a.ts'
import type { Mp4Track } from '../audio-files/mp4-track.ts'
import { AlacDecoder } from './alac-decoder.ts'
import { AacDecoder, type DecodedFrame } from './wasm/aac-decoder.ts'

type FrameDecoder = { decode(frame: Uint8Array): DecodedFrame | undefined }

/** Frames that are passed on together: about half a second. */
const BLOCK_SAMPLES = 20_000

/**
 * Cuts decoded frames to the part of the timeline that is played, and joins them to blocks. A frame without samples
 * takes as much time as the next one that has some: FAAD2 gives none for the first frame.
 */
class Timeline {
  readonly #track: Pick<Mp4Track, 'start_seconds' | 'end_seconds'>
  #position = 0
  #frameSamples = 0
  #missingFrames = 0
  #channels: Float32Array[][] = []
  #collected = 0
  #sampleRate = 0

  constructor(track: Pick<Mp4Track, 'start_seconds' | 'end_seconds'>) {
    this.#track = track
  }

  /** Takes the next frame; undefined stands for a damaged one and is silent. */
  push(frame: DecodedFrame | undefined): void {
    if (!frame || frame.channels.length === 0) {
      this.#missingFrames++
      return
    }
    this.#sampleRate = frame.sample_rate
    this.#frameSamples = frame.channels[0]!.length
    this.#fillMissing(frame.channels.length)
    this.#add(frame.channels)
  }

  /** The block that has been collected, once it is long enough, or at the end of the file. */
  take({ isEnd }: { isEnd: boolean }): Omit<AudioBlock, 'share'> | undefined {
    if (isEnd && this.#channels.length > 0) this.#fillMissing(this.#channels.length)
    if (this.#collected === 0 || (!isEnd && this.#collected < BLOCK_SAMPLES)) return undefined
    const channels = this.#channels.map((parts) => {
      const joined = new Float32Array(this.#collected)
      let at = 0
      for (const part of parts) {
        joined.set(part, at)
        at += part.length
      }
      return joined
    })
    this.#channels = channels.map(() => [])
    this.#collected = 0
    return { channels, sample_rate: this.#sampleRate }
  }

  #fillMissing(channels: number): void {
    for (; this.#missingFrames > 0 && this.#frameSamples > 0; this.#missingFrames--) {
      this.#add(Array.from({ length: channels }, () => new Float32Array(this.#frameSamples)))
    }
  }

  #add(channels: Float32Array[]): void {
    const length = channels[0]!.length
    const start = Math.round(this.#track.start_seconds * this.#sampleRate)
    const end = Math.round(this.#track.end_seconds * this.#sampleRate)
    const from = Math.max(0, start - this.#position)
    const to = Math.min(length, end - this.#position)
    this.#position += length
    if (to <= from) return
    // A frame that changes to mono in the middle of a file is used for all channels.
    if (this.#channels.length === 0) this.#channels = channels.map(() => [])
    this.#channels.forEach((parts, n) => void parts.push((channels[n] ?? channels[0]!).subarray(from, to)))
    this.#collected += to - from
  }
}

/** FAAD2 decodes mono to two equal channels, because HE-AAC can make stereo of it. */
function withoutCopy(
  frame: DecodedFrame | undefined,
  { channels, core_rate }: DeclaredSound,
): DecodedFrame | undefined {
  const isPlainMono = channels === 1 && frame?.sample_rate === core_rate
  return frame && isPlainMono ? { ...frame, channels: frame.channels.slice(0, 1) } : frame
}

type DeclaredSound = Pick<Mp4Track, 'channels' | 'core_rate'>

function damageFault(frames: number, frame: number, track: Omit<Mp4Track, 'boxes'>): Fault {
  const seconds = Math.max(0, (frame / track.sizes.length) * track.end_seconds - track.start_seconds)
  const count = frames === 1 ? '1 frame' : `${frames} frames`
  const message = `The M4A file is damaged at ${formatPosition(seconds)}: ${count} can’t be decoded.`
  return faultAt(seconds, 'lost_sync', message)
}

/** Longer frames are damage; the longest of ALAC has 4096 samples of eight channels. */
const MAX_FRAME_BYTES = 512 * 1024

/**
 * Decodes AAC with FAAD2 in WebAssembly and ALAC in TypeScript. Damaged frames are reported after the last block, so a
 * reader that stops early receives no fault.
 */
export async function* decodeM4a(
  fd: number,
  { track, faults }: M4aStructure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> {
  if (!track) return
  const file = new FileWindow(fd)
  const decoder = openDecoder(track)
  if (!decoder) return
  const timeline = new Timeline(track)
  let number = 0
  let badFrames = 0
  let firstBad = 0
  for (const { at, bytes } of framesOf(track)) {
    if (at + bytes > file.size) break
    const frame = bytes <= MAX_FRAME_BYTES ? file.copy(at, bytes) : undefined
    const decoded = frame && withoutCopy(decoder.decode(frame), track)
    if (!decoded && badFrames++ === 0) firstBad = number
    timeline.push(decoded)
    number++
    const block = timeline.take({ isEnd: false })
    if (block) yield { ...block, share: number / track.sizes.length }
  }
  const last = timeline.take({ isEnd: true })
  if (last) yield { ...last, share: 1 }
  if (badFrames > 0 && faults.length === 0) report(damageFault(badFrames, firstBad, track))
}

/** Undefined when the settings in the file are not valid. */
function openDecoder({ codec, config }: Pick<Mp4Track, 'codec' | 'config'>): FrameDecoder | undefined {
  if (codec === 'aac') return AacDecoder.open(config)
  try {
    return new AlacDecoder(config)
  } catch {
    return undefined
  }
}
