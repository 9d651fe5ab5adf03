import fs from 'node:fs'
import { createMp3Encoder } from 'wasm-media-encoders'
import { MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { HalfRate, type Resampler, ResamplerChain, SincRate } from './resample.ts'

const BITRATE_KBPS = 128
/** Size of a preview of this duration plus a second for the encoder's delay, so that no file can fill the disk. */
export const maxPreviewBytes = (seconds: number): number => (seconds + 1) * BITRATE_KBPS * 125
const MP3_RATES = [32_000, 44_100, 48_000]

/** The sample rate of a preview, and how often the source is halved before: 96 kHz becomes 48, 22.05 becomes 44.1. */
function previewRate(sampleRate: number): { halvings: number; from: number; to: number } {
  let halvings = 0
  let from = sampleRate
  for (; from > 48_000; from /= 2) halvings++
  const multiple = MP3_RATES.find((rate) => rate % from === 0)
  return { halvings, from, to: multiple ?? MP3_RATES.find((rate) => rate >= from)! }
}

type PreviewSource = { sample_rate: number; channels: 1 | 2; max_seconds?: number }

/**
 * Writes an MP3 of constant 128 kbit/s, so that any position in it can be computed and playback starts with the first
 * bytes. The caller opens, closes and names the file: see `withAnalysisFiles`.
 */
export class Preview {
  readonly #fd: number
  readonly #encoder: Awaited<ReturnType<typeof createMp3Encoder>>
  readonly #resamplers: Resampler[]
  readonly #mostBytes: number
  #bytes = 0

  private constructor(
    fd: number,
    encoder: Awaited<ReturnType<typeof createMp3Encoder>>,
    { resamplers, maxBytes }: { resamplers: Resampler[]; maxBytes: number },
  ) {
    this.#fd = fd
    this.#mostBytes = maxBytes
    this.#encoder = encoder
    this.#resamplers = resamplers
  }

  /** `maxDurationSeconds` is the maximum duration of the audio; throws when there is more. */
  static async start(fd: number, source: PreviewSource): Promise<Preview> {
    const { halvings, from, to } = previewRate(source.sample_rate)
    const encoder = await createMp3Encoder()
    encoder.configure({ channels: source.channels, sampleRate: to, bitrate: BITRATE_KBPS })
    const resamplers = Array.from({ length: source.channels }, () => {
      const halves: Resampler[] = Array.from({ length: halvings }, () => new HalfRate())
      return new ResamplerChain(from === to ? halves : [...halves, new SincRate(from, to)])
    })
    const maxBytes = maxPreviewBytes(source.max_seconds ?? MAX_DURATION_SECONDS)
    return new Preview(fd, encoder, { resamplers, maxBytes })
  }

  push(channels: Float32Array[]): void {
    const samples = this.#resamplers.map((resampler, channel) => resampler.push(channels[channel]!))
    if (samples[0]!.length > 0) this.#write(this.#encoder.encode(samples))
  }

  /** Writes the rest of the encoder's output. */
  finish(): void {
    this.#write(this.#encoder.finalize())
  }

  #write(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    if (this.#bytes > this.#mostBytes) throw new Error(`Preview exceeds ${this.#mostBytes} bytes`)
    fs.writeSync(this.#fd, bytes)
  }
}
