import { createHash } from 'node:crypto'
import { createMp3Encoder } from 'wasm-media-encoders'
import { crc16 } from './crc.ts'

/** Makers of sounds and files for the tests of this room: nothing here is used by the product. */

export type Tone = { hz: number; seconds: number; rate?: number; db?: number; phase?: number }

export function tone({ hz, seconds, rate = 44_100, db = -12, phase = 0 }: Tone): Float32Array {
  const amplitude = 10 ** (db / 20)
  const length = Math.round(seconds * rate)
  return Float32Array.from({ length }, (_, i) => amplitude * Math.sin((2 * Math.PI * hz * i) / rate + phase))
}

export function join(...parts: Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Deterministic noise of −1..1. */
export function noise(seed = 1): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

type SampleFormat = { bits: 8 | 16 | 24 | 32 | 64; float?: boolean; unsigned?: boolean; little?: boolean }

function samplesOf(channels: Float32Array[], { bits, float, unsigned, little = true }: SampleFormat): Buffer {
  const bytes = bits / 8
  const out = Buffer.alloc(channels[0]!.length * channels.length * bytes)
  channels.forEach((samples, channel) => {
    samples.forEach((sample, i) => {
      const at = (i * channels.length + channel) * bytes
      if (float) {
        if (bits === 64) little ? out.writeDoubleLE(sample, at) : out.writeDoubleBE(sample, at)
        else little ? out.writeFloatLE(sample, at) : out.writeFloatBE(sample, at)
        return
      }
      const whole = Math.max(-(2 ** (bits - 1)), Math.min(2 ** (bits - 1) - 1, Math.round(sample * 2 ** (bits - 1))))
      if (unsigned) out.writeUInt8(whole + 128, at)
      else if (little) out.writeIntLE(whole, at, bytes)
      else out.writeIntBE(whole, at, bytes)
    })
  })
  return out
}

const padded = (bytes: Buffer) => (bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes)

function riffChunk(id: string, body: Buffer, size = body.length): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, padded(body)])
}

export type WavShape = { rate?: number; bits?: SampleFormat['bits']; float?: boolean; extensible?: boolean } & {
  dataSize?: number
  rf64?: boolean
}

export function wavOf(channels: Float32Array[], shape: WavShape = {}): Buffer {
  const { rate = 44_100, bits = 16, float = false, extensible, dataSize, rf64 } = shape
  const samples = samplesOf(channels, { bits, float, unsigned: bits === 8 })
  const fmt = Buffer.alloc(extensible ? 40 : 16)
  const tag = float ? 3 : 1
  fmt.writeUInt16LE(extensible ? 0xfffe : tag, 0)
  fmt.writeUInt16LE(channels.length, 2)
  fmt.writeUInt32LE(rate, 4)
  fmt.writeUInt32LE((rate * channels.length * bits) / 8, 8)
  fmt.writeUInt16LE((channels.length * bits) / 8, 12)
  fmt.writeUInt16LE(bits, 14)
  if (extensible) {
    fmt.writeUInt16LE(22, 16)
    fmt.writeUInt16LE(tag, 24)
  }
  const ds64 = Buffer.alloc(28)
  ds64.writeBigUInt64LE(BigInt(samples.length), 8)
  const chunks = [
    ...(rf64 ? [riffChunk('ds64', ds64)] : []),
    riffChunk('fmt ', fmt),
    riffChunk('data', samples, rf64 ? 0xffff_ffff : (dataSize ?? samples.length)),
  ]
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  const head = Buffer.from(rf64 ? 'RF64....' : 'RIFF....')
  head.writeUInt32LE(rf64 ? 0xffff_ffff : body.length, 4)
  return Buffer.concat([head, body])
}

function iffChunk(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32BE(body.length, 4)
  return Buffer.concat([head, padded(body)])
}

export type AiffShape = { rate?: number; bits?: SampleFormat['bits']; compression?: 'NONE' | 'sowt' | 'fl32' | 'ima4' }

export function aiffOf(channels: Float32Array[], { rate = 44_100, bits = 16, compression }: AiffShape = {}): Buffer {
  const little = compression === 'sowt'
  const samples = samplesOf(channels, { bits, float: compression === 'fl32', little })
  const comm = Buffer.alloc(compression ? 24 : 18)
  comm.writeUInt16BE(channels.length, 0)
  comm.writeUInt32BE(channels[0]!.length, 2)
  comm.writeUInt16BE(bits, 6)
  const exponent = Math.floor(Math.log2(rate))
  comm.writeUInt16BE(16_383 + exponent, 8)
  comm.writeUInt32BE(rate * 2 ** (31 - exponent), 10)
  if (compression) comm.write(compression, 18, 'latin1')
  const ssnd = Buffer.concat([Buffer.alloc(8), samples])
  const form = Buffer.concat([
    Buffer.from(compression ? 'AIFC' : 'AIFF'),
    iffChunk('COMM', comm),
    iffChunk('SSND', ssnd),
  ])
  return iffChunk('FORM', form)
}

function crc8(bytes: Buffer): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 255 : crc << 1
  }
  return crc
}

const FLAC_BLOCK = 4096

/** One frame with its samples as they are (RFC 9639, 9.1 and 9.2.2); frame numbers below 128. */
function flacFrame(channels: Float32Array[], number: number, bits: 16 | 24): Buffer {
  const length = channels[0]!.length
  const sizeCode = bits === 16 ? 4 : 6
  const head = Buffer.from([0xff, 0xf8, 0x79, ((channels.length - 1) << 4) | (sizeCode << 1), number, 0, 0])
  head.writeUInt16BE(length - 1, 5)
  const subframes = channels.map((samples) =>
    Buffer.concat([Buffer.from([0x02]), samplesOf([samples], { bits, little: false })]),
  )
  const frame = Buffer.concat([head, Buffer.from([crc8(head)]), ...subframes])
  const crc = crc16(frame)
  return Buffer.concat([frame, Buffer.from([crc >> 8, crc & 255])])
}

/** A FLAC at 44.1 kHz of at most 11 seconds, without compression. */
export function flacOf(channels: Float32Array[], { bits = 16 }: { bits?: 16 | 24 } = {}): Buffer {
  const total = channels[0]!.length
  const info = Buffer.alloc(34)
  info.writeUInt16BE(FLAC_BLOCK, 0)
  info.writeUInt16BE(FLAC_BLOCK, 2)
  info.writeUIntBE((44_100 << 4) | ((channels.length - 1) << 1) | ((bits - 1) >> 4), 10, 3)
  info[13] = ((bits - 1) & 15) << 4
  info.writeUInt32BE(total, 14)
  createHash('md5').update(samplesOf(channels, { bits })).digest().copy(info, 18)
  const frames: Buffer[] = []
  for (let from = 0; from < total; from += FLAC_BLOCK) {
    const part = channels.map((samples) => samples.subarray(from, from + FLAC_BLOCK))
    frames.push(flacFrame(part, frames.length, bits))
  }
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...frames])
}

/** LAME at 128 kbit/s; `kbps` of 128 at 44.1 kHz makes frames of 417 or 418 bytes. */
export async function mp3Of(channels: Float32Array[], rate = 44_100): Promise<Buffer> {
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: channels.length as 1 | 2, sampleRate: rate, bitrate: 128 })
  const sound = Buffer.from(encoder.encode(channels))
  return Buffer.concat([sound, Buffer.from(encoder.finalize())])
}
