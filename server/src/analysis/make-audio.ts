import { createHash } from 'node:crypto'
import { MPEGDecoder } from 'mpg123-decoder'
import { encodeMp3 } from '../../test/encoded-mp3.ts'
import { crc8, crc16, crc16Reflected } from '../audio-files/crc.ts'

/** Generates audio and files for the tests of this module. The product does not use it. */

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
  const highest = 2 ** (bits - 1) - 1
  channels.forEach((samples, channel) => {
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i]!
      const at = (i * channels.length + channel) * bytes
      if (float) {
        if (bits === 64) little ? out.writeDoubleLE(sample, at) : out.writeDoubleBE(sample, at)
        else little ? out.writeFloatLE(sample, at) : out.writeFloatBE(sample, at)
        continue
      }
      const whole = Math.max(-highest - 1, Math.min(highest, Math.round(sample * (highest + 1)))) + (unsigned ? 128 : 0)
      for (let byte = 0; byte < bytes; byte++) out[at + (little ? byte : bytes - 1 - byte)] = whole >> (8 * byte)
    }
  })
  return out
}

const padded = (bytes: Buffer) => (bytes.length % 2 ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes)

function riffChunk(id: string, payload: Buffer, size = payload.length): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, padded(payload)])
}

export type WavShape = {
  rate?: number
  bits?: SampleFormat['bits']
  float?: boolean
  extensible?: boolean
  channelMask?: number
} & {
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
    fmt.writeUInt32LE(shape.channelMask ?? 0, 20)
    fmt.writeUInt16LE(tag, 24)
  }
  const ds64 = Buffer.alloc(28)
  ds64.writeBigUInt64LE(BigInt(samples.length), 8)
  const chunks = [
    ...(rf64 ? [riffChunk('ds64', ds64)] : []),
    riffChunk('fmt ', fmt),
    riffChunk('data', samples, rf64 ? 0xffff_ffff : (dataSize ?? samples.length)),
  ]
  const payload = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  const head = Buffer.from(rf64 ? 'RF64....' : 'RIFF....')
  head.writeUInt32LE(rf64 ? 0xffff_ffff : payload.length, 4)
  return Buffer.concat([head, payload])
}

function iffChunk(id: string, payload: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(id, 0, 'latin1')
  head.writeUInt32BE(payload.length, 4)
  return Buffer.concat([head, padded(payload)])
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

const FLAC_BLOCK = 4096
const FLAC_RATE_CODES = { 44100: 9, 8000: 4, 22050: 6, 32000: 8, 48000: 10, 88200: 1, 96000: 11 } as const

type FlacShape = { bits?: 16 | 24; rate?: keyof typeof FLAC_RATE_CODES }

/** One frame with uncompressed samples (RFC 9639, 9.1 and 9.2.2); frame numbers below 128. */
function flacFrame(channels: Float32Array[], number: number, { bits, rate }: Required<FlacShape>): Buffer {
  const length = channels[0]!.length
  const sizeCode = bits === 16 ? 4 : 6
  const head = Buffer.from([
    0xff,
    0xf8,
    0x70 | FLAC_RATE_CODES[rate],
    ((channels.length - 1) << 4) | (sizeCode << 1),
    number,
    0,
    0,
  ])
  head.writeUInt16BE(length - 1, 5)
  const subframes = channels.map((samples) =>
    Buffer.concat([Buffer.from([0x02]), samplesOf([samples], { bits, little: false })]),
  )
  const frame = Buffer.concat([head, Buffer.from([crc8(head)]), ...subframes])
  const crc = crc16(frame)
  return Buffer.concat([frame, Buffer.from([crc >> 8, crc & 255])])
}

/** An uncompressed FLAC of at most 524,288 samples (11 seconds at 44.1 kHz). */
export function flacOf(channels: Float32Array[], { bits = 16, rate = 44_100 }: FlacShape = {}): Buffer {
  const total = channels[0]!.length
  const info = Buffer.alloc(34)
  info.writeUInt16BE(FLAC_BLOCK, 0)
  info.writeUInt16BE(FLAC_BLOCK, 2)
  info.writeUIntBE((rate << 4) | ((channels.length - 1) << 1) | ((bits - 1) >> 4), 10, 3)
  info[13] = ((bits - 1) & 15) << 4
  info.writeUInt32BE(total, 14)
  createHash('md5').update(samplesOf(channels, { bits })).digest().copy(info, 18)
  const frames: Buffer[] = []
  for (let from = 0; from < total; from += FLAC_BLOCK) {
    const part = channels.map((samples) => samples.subarray(from, from + FLAC_BLOCK))
    frames.push(flacFrame(part, frames.length, { bits, rate }))
  }
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...frames])
}

/** The number of a FLAC frame as UTF-8 (RFC 9639, 9.1.5), below 2048. */
const codedNumber = (number: number) => (number < 128 ? [number] : [0xc0 | (number >> 6), 0x80 | (number & 63)])

/** Mono silence at 44.1 kHz in frames of 65,535 samples and 13 or 14 bytes: hours in a few kilobytes. */
export function silentFlacOf(frames: number): Buffer {
  const head = flacOf([new Float32Array(0)])
  head.writeUInt16BE(65_535, 8)
  head.writeUInt16BE(65_535, 10)
  head.writeUInt32BE(frames * 65_535, 8 + 14)
  head.fill(0, 8 + 18, 8 + 34)
  const sound = Array.from({ length: frames }, (_, number) => {
    const start = Buffer.from([0xff, 0xf8, 0x79, 0x08, ...codedNumber(number), 0xff, 0xfe])
    const frame = Buffer.concat([start, Buffer.from([crc8(start), 0, 0, 0])])
    const crc = crc16(frame)
    return Buffer.concat([frame, Buffer.from([crc >> 8, crc & 255])])
  })
  return Buffer.concat([head, ...sound])
}

type Mp3Shape = { kbps?: 64 | 96 | 128 | 160 | 192 | 256 | 320; vbr_quality?: number }

/**
 * Encodes with LAME, without an info frame; `kbps` of 128 at 44.1 kHz makes frames of 417 or 418 bytes, `vbr_quality`
 * is LAME's 0..9.
 */
export const mp3Of = (
  channels: Float32Array[],
  rate = 44_100,
  { kbps = 128, vbr_quality }: Mp3Shape = {},
): Promise<Buffer> =>
  encodeMp3(channels, {
    sampleRate: rate,
    ...(vbr_quality === undefined ? { bitrate: kbps } : { vbrQuality: vbr_quality }),
  })

/** The samples of an MP3 as decoded. */
export async function decodeMp3Buffer(mp3: Buffer): Promise<Float32Array[]> {
  const decoder = new MPEGDecoder()
  await decoder.ready
  const { channelData } = decoder.decode(new Uint8Array(mp3))
  decoder.free()
  return channelData
}

/** An ID3v2.3 tag with this many bytes of padding and nothing else. */
export function id3Of(bytes: number): Buffer {
  const head = Buffer.from('ID3\x03\0\0\0\0\0\0', 'latin1')
  for (let i = 0; i < 4; i++) head[6 + i] = (bytes >> (7 * (3 - i))) & 127
  return Buffer.concat([head, Buffer.alloc(bytes)])
}

/** Adds LAME's info frame at the start: the number of frames that follow, their bytes and their checksum. */
export function withInfoFrame(sound: Buffer, { frames }: { frames: number }): Buffer {
  const info = Buffer.alloc(417)
  sound.copy(info, 0, 0, 4)
  info[2] = info[2]! & ~2
  info.write('Info', 36)
  info.writeUInt32BE(1, 40)
  info.writeUInt32BE(frames, 44)
  info.write('LAME3.100', 48)
  info.writeUInt32BE(417 + sound.length, 48 + 28)
  info.writeUInt16BE(crc16Reflected(sound), 48 + 32)
  return Buffer.concat([info, sound])
}

/** A copy with some bits flipped at each of these positions. */
export function flipped(bytes: Buffer, ...places: number[]): Buffer {
  const copy = Buffer.from(bytes)
  for (const place of places) copy[place]! ^= 0x55
  return copy
}

/** The first part of a file followed by zeros, as an incomplete download leaves it. */
export function halfZeros(bytes: Buffer, share = 0.5): Buffer {
  return Buffer.from(bytes).fill(0, Math.floor(bytes.length * share))
}

/** Bytes in no known format. */
export function garbage(length: number, seed = 7): Buffer {
  const next = noise(seed)
  return Buffer.from(Array.from({ length }, () => (next() + 1) * 128))
}

/** Points per period of a wave: linear interpolation between them has an error of −90 dB. */
const TABLE = 4096

export type Tune = { seed: number; seconds: number; rate?: number; channels?: 1 | 2 }

/**
 * Music-like audio from a seed: a kick, a bass, a chord of a few waves and a hi-hat. The seed sets the brightness of
 * each, from dark pads without any highs to full-band noise. Peaks are between −8 and −0.5 dBFS.
 */
export function tune({ seed, seconds, rate = 44_100, channels = 2 }: Tune): Float32Array[] {
  const dice = noise(seed * 7919 + 1)
  for (let i = 0; i < 5; i++) dice()
  const roll = (from: number, to: number) => from + ((dice() + 1) / 2) * (to - from)
  const beat = 60 / roll(70, 175)
  const root = 55 * 2 ** (Math.floor(roll(0, 12)) / 12)
  const [kick, bass, chord, hat] = [roll(0, 1), roll(0, 0.6), roll(0.05, 0.5), Math.max(0, roll(-0.4, 0.4))]
  const harmonics = Math.floor(roll(1, 40))
  const tilt = roll(1, 2.5)
  const wave = (hz: number) => {
    const table = Float32Array.from({ length: TABLE + 1 }, (_, i) => {
      let sum = 0
      for (let n = 1; n <= harmonics && n * hz < rate * 0.45; n++)
        sum += Math.sin((2 * Math.PI * n * i) / TABLE) / n ** tilt
      return sum
    })
    return (t: number) => {
      const at = ((hz * t) % 1) * TABLE
      const i = Math.floor(at)
      return table[i]! + (table[i + 1]! - table[i]!) * (at - i)
    }
  }
  const waves = [wave(root * 4), wave(root * 6)] as const
  const hiss = noise(seed + 99)
  const fall = (since: number) => (1 - since / beat) ** 4
  const side = roll(-0.3, 0.3)
  const mono = Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const t = i / rate
    const since = t % beat
    const off = (t + beat / 2) % beat
    const low =
      kick * Math.sin(2 * Math.PI * 52 * since) * Math.exp(-since * 9) + bass * Math.sin(2 * Math.PI * root * t)
    const tones = chord * (waves[0](t) + waves[1](t))
    return low + tones + hat * hiss() * fall(off) ** 2
  })
  const highest = mono.reduce((most, sample) => Math.max(most, Math.abs(sample)), 1e-6)
  const gain = 10 ** (roll(-8, -0.5) / 20) / highest / (1 + Math.abs(side))
  const left = mono.map((sample) => sample * gain)
  if (channels === 1) return [left]
  return [left.map((sample) => sample * (1 + side)), left.map((sample) => sample * (1 - side))]
}
