import fs from 'node:fs'
import { MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { parseFrameHeader } from '../audio-files/mp3-frame.ts'
import { createInfoFrame, infoFrameBytes } from '../audio-files/mp3-info-frame.ts'
import { type FallbackHandler, withFallback } from './fallback.ts'
import { HalfRate, type Resampler, ResamplerChain, SincRate } from './resample.ts'
import { LameEncoder } from './wasm/lame-encoder.ts'

/**
 * Every frame has the same bit rate, so that any position can be computed and players seek exactly. See
 * docs/decisions/0047-wasm-modules.md for the comparison of settings.
 */
const KBPS = { 1: 96, 2: 160 } as const
const LAME_SETTINGS = { vbr_quality: 4, quality: 7 } as const
const FALLBACK_KBPS = 128
/** Size of a preview of this duration plus a second for the encoder's delay, so that no file can fill the disk. */
export const maxPreviewBytes = (seconds: number): number => (seconds + 1) * KBPS[2] * 125
const MP3_RATES = [32_000, 44_100, 48_000]

/** The sample rate of a preview, and how often the source is halved before: 96 kHz becomes 48, 22.05 becomes 44.1. */
function previewRate(sampleRate: number): { halvings: number; from: number; to: number } {
  let halvings = 0
  let from = sampleRate
  for (; from > 48_000; from /= 2) halvings++
  const multiple = MP3_RATES.find((rate) => rate % from === 0)
  return { halvings, from, to: multiple ?? MP3_RATES.find((rate) => rate >= from)! }
}

type EncoderInput = { channels: 1 | 2; sample_rate: number }

/** The bytes that its functions return are overwritten by the next call. */
type Encoder = {
  encode(channels: Float32Array[]): Iterable<Uint8Array>
  finish(): Uint8Array
  /** The samples that were added before and after the audio, known after `finish`. Without it there is no info frame. */
  trims?(): { delay: number; padding: number }
}

/** LAME as an npm package: constant 128 kbit/s without an info frame, twice the CPU time. Runs on CPUs without SIMD. */
async function createFallbackEncoder({ channels, sample_rate }: EncoderInput): Promise<Encoder> {
  const { createMp3Encoder } = await import('wasm-media-encoders')
  const encoder = await createMp3Encoder()
  encoder.configure({ channels, sampleRate: sample_rate, bitrate: FALLBACK_KBPS })
  return { encode: (samples) => [encoder.encode(samples)], finish: () => encoder.finalize() }
}

const createLame = (input: EncoderInput): Encoder =>
  new LameEncoder({ ...input, ...LAME_SETTINGS, kbps: KBPS[input.channels] })

type PreviewSource = {
  sample_rate: number
  channels: 1 | 2
  max_seconds?: number | undefined
  onFallback?: FallbackHandler | undefined
  /** Creates the encoder, or throws when the module cannot be loaded. Replaced in tests. */
  createEncoder?: (input: EncoderInput) => Encoder
}

/**
 * Writes an MP3 of constant bit rate that begins with an info frame: players know its length and leave out the encoder's
 * delay, so that the sound matches the waveform. The caller opens, closes and names the file: see `withAnalysisFiles`.
 */
export class Preview {
  readonly #fd: number
  readonly #encoder: Encoder
  readonly #resamplers: Resampler[]
  readonly #maxBytes: number
  #bytes = 0
  /** The header of the first frame of audio. */
  #first: Uint8Array | undefined

  private constructor(
    fd: number,
    encoder: Encoder,
    { resamplers, maxBytes }: { resamplers: Resampler[]; maxBytes: number },
  ) {
    this.#fd = fd
    this.#maxBytes = maxBytes
    this.#encoder = encoder
    this.#resamplers = resamplers
  }

  /** `max_seconds` is the maximum duration of the audio; `push` throws when there is more. */
  static async start(fd: number, source: PreviewSource): Promise<Preview> {
    const { halvings, from, to } = previewRate(source.sample_rate)
    const { onFallback, createEncoder = createLame } = source
    const input = { channels: source.channels, sample_rate: to }
    const replace = () => createFallbackEncoder(input)
    const encoder = await withFallback('preview_encoder', () => createEncoder(input), { replace, onFallback })
    const resamplers = Array.from({ length: source.channels }, () => {
      const halves: Resampler[] = Array.from({ length: halvings }, () => new HalfRate())
      return new ResamplerChain(from === to ? halves : [...halves, new SincRate(from, to)])
    })
    const maxBytes = maxPreviewBytes(source.max_seconds ?? MAX_DURATION_SECONDS)
    return new Preview(fd, encoder, { resamplers, maxBytes })
  }

  push(channels: Float32Array[]): void {
    const samples = this.#resamplers.map((resampler, channel) => resampler.push(channels[channel]!))
    if (samples[0]!.length > 0) for (const bytes of this.#encoder.encode(samples)) this.#write(bytes)
  }

  /** Writes the rest of the encoder's output, then the info frame at the start of the file. */
  finish(): void {
    this.#write(this.#encoder.finish())
    const trims = this.#encoder.trims?.()
    if (!trims || !this.#first) return
    const header = parseFrameHeader(this.#first)!
    const info = { frames: Math.round(this.#bytes / header.bytes) - 1, bytes: this.#bytes, ...trims }
    const frame = createInfoFrame(this.#first, header, info)
    fs.writeSync(this.#fd, frame, 0, frame.length, 0)
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (!this.#first && this.#encoder.trims) this.#reserveInfoFrame(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > this.#maxBytes) throw new Error(`Preview exceeds ${this.#maxBytes} bytes`)
    fs.writeSync(this.#fd, bytes)
  }

  /** Fills the place of the info frame, whose content is known at the end. */
  #reserveInfoFrame(bytes: Uint8Array): void {
    this.#first = bytes.slice(0, 4)
    const empty = Buffer.alloc(infoFrameBytes(parseFrameHeader(this.#first)!))
    this.#bytes += empty.length
    fs.writeSync(this.#fd, empty)
  }
}
