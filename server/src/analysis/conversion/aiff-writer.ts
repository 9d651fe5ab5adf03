import fs from 'node:fs'

/** `bits` of a sample, 16 or 24. `scale` is the integer of a sample of 1: see {@link AiffWriter}. */
export type AiffShape = { channels: number; sample_rate: number; bits: 16 | 24; scale: number }

const HEAD_BYTES = 12 + 26 + 16
/** The chunks have 32 bits for their lengths. */
const MAX_DATA_BYTES = 0xffffffff - HEAD_BYTES - 1

/** Writes an AIFF (Audio Interchange File Format, version 1.3) to an open file. */
export class AiffWriter {
  readonly #fd: number
  readonly #shape: AiffShape
  #frames = 0

  /** Samples are multiplied with `scale` and rounded, so that integers from a decoder that divided by it are exact. */
  constructor(fd: number, shape: AiffShape) {
    this.#fd = fd
    this.#shape = shape
    // Its lengths are known at the end.
    fs.writeSync(fd, Buffer.alloc(HEAD_BYTES))
  }

  push(channels: readonly Float32Array[]): void {
    const { bits, scale } = this.#shape
    const sampleBytes = bits / 8
    const frames = channels[0]!.length
    const stride = channels.length * sampleBytes
    if ((this.#frames + frames) * stride > MAX_DATA_BYTES) throw new Error('An AIFF cannot be larger than 4 GiB')
    const bytes = Buffer.allocUnsafe(frames * stride)
    const [lowest, highest] = [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1]
    channels.forEach((samples, channel) => {
      let at = channel * sampleBytes
      for (let i = 0; i < frames; i++, at += stride) {
        const value = Math.max(lowest, Math.min(highest, Math.round(samples[i]! * scale)))
        if (bits === 24) bytes[at] = value >> 16
        bytes[at + sampleBytes - 2] = value >> 8
        bytes[at + sampleBytes - 1] = value
      }
    })
    fs.writeSync(this.#fd, bytes)
    this.#frames += frames
  }

  finish(): void {
    const { channels, sample_rate, bits } = this.#shape
    const dataBytes = (this.#frames * channels * bits) / 8
    if (dataBytes % 2 === 1) fs.writeSync(this.#fd, Buffer.alloc(1))
    const head = Buffer.alloc(HEAD_BYTES)
    head.write('FORM', 0, 'latin1')
    head.writeUInt32BE(HEAD_BYTES - 8 + dataBytes + (dataBytes % 2), 4)
    head.write('AIFFCOMM', 8, 'latin1')
    head.writeUInt32BE(18, 16)
    head.writeUInt16BE(channels, 20)
    head.writeUInt32BE(this.#frames, 22)
    head.writeUInt16BE(bits, 26)
    extendedFloat(sample_rate).copy(head, 28)
    head.write('SSND', 38, 'latin1')
    head.writeUInt32BE(8 + dataBytes, 42)
    fs.writeSync(this.#fd, head, 0, head.length, 0)
  }
}

/** The 80-bit float of the sample rate. */
function extendedFloat(value: number): Buffer {
  const exponent = Math.floor(Math.log2(value))
  const bytes = Buffer.alloc(10)
  bytes.writeUInt16BE(16_383 + exponent, 0)
  bytes.writeBigUInt64BE(BigInt(value) << BigInt(63 - exponent), 2)
  return bytes
}
