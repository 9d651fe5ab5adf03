import fs from 'node:fs'
import { parseFrameHeader } from '../../audio-files/mp3-frame.ts'
import { LameEncoder } from '../wasm/lame-encoder.ts'
import { MP3_KBPS, mp3Halvings } from './formats.ts'
import { FineHalfRate } from './half-rate.ts'

/** LAME's -q: see docs/decisions/0053-converted-downloads.md for the comparison. */
const QUALITY = 2

/** Writes an MP3 of constant 320 kbit/s in joint stereo, which begins with LAME's info frame, to an open file. */
export class Mp3Writer {
  readonly #fd: number
  readonly #encoder: LameEncoder
  readonly #halvings: FineHalfRate[][]
  #firstFrame = 0

  constructor(fd: number, { channels, sample_rate, quality = QUALITY }: Mp3Shape) {
    const halvings = mp3Halvings(sample_rate)
    if (halvings === undefined) throw new Error(`An MP3 cannot have a sample rate of ${sample_rate} Hz`)
    this.#fd = fd
    const rate = sample_rate / 2 ** halvings
    this.#encoder = new LameEncoder({ channels, sample_rate: rate, kbps: MP3_KBPS, quality })
    this.#halvings = Array.from({ length: channels }, () => Array.from({ length: halvings }, () => new FineHalfRate()))
  }

  push(channels: readonly Float32Array[]): void {
    this.#encode(channels.map((samples, n) => this.#halvings[n]!.reduce((block, half) => half.push(block), samples)))
  }

  finish(): void {
    this.#encode(
      this.#halvings.map((stages) =>
        stages.reduce<Float32Array>(
          (rest, stage) => Float32Array.from([...stage.push(rest), ...stage.finish()]),
          new Float32Array(0),
        ),
      ),
    )
    this.#write(this.#encoder.finish())
    const info = this.#encoder.infoFrame()
    if (info.length !== this.#firstFrame) throw new Error('LAME gave no info frame of the length of its first frame')
    fs.writeSync(this.#fd, info, 0, info.length, 0)
  }

  #encode(channels: Float32Array[]): void {
    if (channels[0]!.length > 0) for (const bytes of this.#encoder.encode(channels)) this.#write(bytes)
  }

  #write(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    if (this.#firstFrame === 0) this.#firstFrame = parseFrameHeader(bytes)?.bytes ?? 0
    fs.writeSync(this.#fd, bytes)
  }
}

type Mp3Shape = {
  channels: 1 | 2
  sample_rate: number
  /** LAME's -q, 0 best. */
  quality?: number
}
