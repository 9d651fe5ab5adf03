import { type Fault, faultAt, formatPosition } from '../audio-files/faults.ts'

/** Longer than any pause in music, except before hidden tracks. */
const MAX_CONSTANT_SECONDS = 120
/** MP3 reaches 96 at its lowest bit rate and FLAC about 30 with music; silence in FLAC reaches thousands. */
const MAX_COMPRESSION_RATIO = 128
/** One step of 16 bits: where the encoder found silence, MP3 decoders leave noise below it. */
const TOLERANCE = 2 ** -16

type DecodeProgress = { channels: Float32Array[]; decodedBytes: number; readBytes: number }

/**
 * Decides during decoding whether to stop: a few kilobytes can contain hours of silence or of one constant level, which
 * cost as much as music to decode and far more as a preview.
 */
export class EarlyStop {
  readonly #sampleRate: number
  #samples = 0
  /** Where the current constant level began, and its value in each channel. */
  #from = 0
  #levels: number[] = []

  constructor(sampleRate: number) {
    this.#sampleRate = sampleRate
  }

  /** Takes the next block; `decodedBytes` and `readBytes` count from the start of the file. */
  push({ channels, decodedBytes, readBytes }: DecodeProgress): Fault | undefined {
    const constant = this.#constantSeconds(channels)
    const seconds = this.#samples / this.#sampleRate
    if (constant > MAX_CONSTANT_SECONDS) return constantSignalFault(this.#from / this.#sampleRate)
    const isTooDense = seconds > MAX_CONSTANT_SECONDS && decodedBytes > MAX_COMPRESSION_RATIO * readBytes
    return isTooDense ? NO_MUSIC_FAULT : undefined
  }

  /** Seconds for which no channel has changed its level. */
  #constantSeconds(channels: Float32Array[]): number {
    const length = channels[0]?.length ?? 0
    const last = Math.max(...channels.map((samples, n) => lastChange(samples, this.#levels[n] ?? Number.NaN)))
    if (last >= 0) {
      // The current level is the one at the end of the block; it began after the last change.
      this.#levels = channels.map((samples) => samples[length - 1]!)
      const change = Math.max(...channels.map((samples, n) => lastChange(samples, this.#levels[n]!)))
      this.#from = this.#samples + change + 1
    }
    this.#samples += length
    return (this.#samples - this.#from) / this.#sampleRate
  }
}

/** The last index with another level, or −1. Music differs at the end of a block, so the search is short. */
function lastChange(samples: Float32Array, level: number): number {
  for (let i = samples.length - 1; i >= 0; i--) if (!(Math.abs(samples[i]! - level) <= TOLERANCE)) return i
  return -1
}

const constantSignalFault = (from: number): Fault =>
  faultAt(
    from,
    'constant_signal',
    `From ${formatPosition(from)} on, more than ${MAX_CONSTANT_SECONDS / 60} minutes are silence or a constant level. Cut that part and export the file again.`,
  )

const NO_MUSIC_FAULT: Fault = {
  code: 'no_music',
  message: 'The file is almost entirely silence or a constant signal. Export the music again.',
}
