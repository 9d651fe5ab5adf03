import fs from 'node:fs'
import path from 'node:path'
import { createMp3Encoder } from 'wasm-media-encoders'
import { HalfRate, type Resampler, ResamplerChain, SincRate } from './resample.ts'

const BITRATE_KBPS = 128
const MP3_RATES = [32_000, 44_100, 48_000]

/** The rate a preview is made at, and how often the source is halved on the way: 96 kHz becomes 48, 22.05 becomes 44.1. */
function previewRate(sampleRate: number): { halvings: number; from: number; to: number } {
  let halvings = 0
  let from = sampleRate
  for (; from > 48_000; from /= 2) halvings++
  const multiple = MP3_RATES.find((rate) => rate % from === 0)
  return { halvings, from, to: multiple ?? MP3_RATES.find((rate) => rate >= from)! }
}

/**
 * Writes an MP3 of 128 kbit/s, constant, so that any place in it can be computed and playing starts with the first bytes. It is
 * written beside its place and renamed at the end: whoever finds the file finds a whole one.
 */
export class Preview {
  readonly #path: string
  readonly #fd: number
  readonly #encoder: Awaited<ReturnType<typeof createMp3Encoder>>
  readonly #resamplers: Resampler[]

  private constructor(
    filePath: string,
    encoder: Awaited<ReturnType<typeof createMp3Encoder>>,
    resamplers: Resampler[],
  ) {
    this.#path = filePath
    this.#encoder = encoder
    this.#resamplers = resamplers
    this.#fd = fs.openSync(`${filePath}.part`, 'w')
  }

  static async open(filePath: string, source: { sample_rate: number; channels: 1 | 2 }): Promise<Preview> {
    const { halvings, from, to } = previewRate(source.sample_rate)
    const encoder = await createMp3Encoder()
    encoder.configure({ channels: source.channels, sampleRate: to, bitrate: BITRATE_KBPS })
    const resamplers = Array.from({ length: source.channels }, () => {
      const halves: Resampler[] = Array.from({ length: halvings }, () => new HalfRate())
      return new ResamplerChain(from === to ? halves : [...halves, new SincRate(from, to)])
    })
    return new Preview(filePath, encoder, resamplers)
  }

  push(channels: Float32Array[]): void {
    const samples = this.#resamplers.map((resampler, channel) => resampler.push(channels[channel]!))
    if (samples[0]!.length > 0) fs.writeSync(this.#fd, this.#encoder.encode(samples))
  }

  /** Puts the finished file in its place, on the disk itself. */
  finish(): void {
    fs.writeSync(this.#fd, this.#encoder.finalize())
    fs.fsyncSync(this.#fd)
    fs.closeSync(this.#fd)
    fs.renameSync(`${this.#path}.part`, this.#path)
    const folder = fs.openSync(path.dirname(this.#path), 'r')
    fs.fsyncSync(folder)
    fs.closeSync(folder)
  }

  discard(): void {
    fs.closeSync(this.#fd)
    fs.rmSync(`${this.#path}.part`, { force: true })
  }
}
