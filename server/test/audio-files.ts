import { createHash } from 'node:crypto'
import type { Storage } from '../src/platform/storage.ts'
import { readPieces } from '../src/platform/storage-disk.ts'
import { encodeMp3 } from './encoded-mp3.ts'

/**
 * Small audio files for tests: a sine of `tone` Hz at half of full scale, or silence if `tone` is 0. `bits` is 8, 16,
 * 24 or 32, integer PCM; an MP3 ignores it and uses `bitrate` in kbit/s.
 */
export type SoundOptions = {
  seconds?: number
  sampleRate?: number
  channels?: 1 | 2
  bits?: 8 | 16 | 24 | 32
  tone?: number
}

/** Concatenates the chunks of a download. */
export async function collect(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  // A chunk may be overwritten once the second one after it is requested.
  for await (const chunk of parts) all.push(Buffer.from(chunk))
  return Buffer.concat(all)
}

/** Reads any file as if it were stored under its path. */
export const fileStorage: Pick<Storage, 'pieces'> = {
  pieces: (_kind, file, { from, to } = {}, blocks) => readPieces(file, { from, to, blocks }),
}

const defaults = { seconds: 1, sampleRate: 44_100, channels: 2, bits: 16, tone: 440 } as const

/** CBR MP3 without a Xing header and without any tag. `sampleRate` is 32000, 44100 or 48000. */
export async function makeMp3(soundOptions: SoundOptions & { bitrate?: 64 | 128 | 192 | 320 } = {}): Promise<Buffer> {
  const { sampleRate, channels, bitrate = 128, ...rest } = { ...defaults, ...soundOptions }
  const samples = Float32Array.from(waveform({ sampleRate, ...rest }))
  return encodeMp3(channels === 2 ? [samples, samples] : [samples], { sampleRate, bitrate })
}

/** Canonical WAV: a 16-byte `fmt ` and a `data` chunk. */
export function makeWav(soundOptions: SoundOptions = {}): Buffer {
  const { sampleRate, channels, bits, ...rest } = { ...defaults, ...soundOptions }
  const blockAlign = (channels * bits) / 8
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(sampleRate, 4)
  format.writeUInt32LE(sampleRate * blockAlign, 8)
  format.writeUInt16LE(blockAlign, 12)
  format.writeUInt16LE(bits, 14)
  const data = encodePcm({ sampleRate, channels, bits, ...rest }, 'little')
  const chunks = Buffer.concat([makeChunk('fmt ', format, 'little'), makeChunk('data', data, 'little')])
  return Buffer.concat([Buffer.from('RIFF'), encodeWord(chunks.length + 4, 'little'), Buffer.from('WAVE'), chunks])
}

/** AIFF with a `COMM` and an `SSND` chunk. */
export function makeAiff(soundOptions: SoundOptions = {}): Buffer {
  const { sampleRate, channels, bits, ...rest } = { ...defaults, ...soundOptions }
  const data = encodePcm({ sampleRate, channels, bits, ...rest }, 'big')
  const common = Buffer.alloc(18)
  common.writeUInt16BE(channels, 0)
  common.writeUInt32BE(data.length / ((channels * bits) / 8), 2)
  common.writeUInt16BE(bits, 6)
  extendedFloat(sampleRate).copy(common, 8)
  const sound8 = Buffer.concat([Buffer.alloc(8), data])
  const chunks = Buffer.concat([makeChunk('COMM', common, 'big'), makeChunk('SSND', sound8, 'big')])
  return Buffer.concat([Buffer.from('FORM'), encodeWord(chunks.length + 4, 'big'), Buffer.from('AIFF'), chunks])
}

/** A chunk of a WAV ('little') or AIFF ('big'), padded to an even length. */
export function makeChunk(id: string, content: Buffer, order: 'little' | 'big'): Buffer {
  return Buffer.concat([
    Buffer.from(id, 'latin1'),
    encodeWord(content.length, order),
    content,
    Buffer.alloc(content.length & 1),
  ])
}

const FLAC_BLOCK = 4096

/** FLAC with STREAMINFO, its MD5 included, and verbatim frames of 4096 samples (RFC 9639). `bits` is 8, 16 or 24. */
export function makeFlac(soundOptions: SoundOptions = {}): Buffer {
  const { sampleRate, channels, bits, ...rest } = { ...defaults, ...soundOptions }
  const samples = waveform({ sampleRate, ...rest }).map((value) => Math.round(value * (2 ** (bits - 1) - 1)))
  const md5 = createHash('md5')
    .update(flacPcm(samples, channels, bits))
    .digest()
  const info = Buffer.alloc(18)
  info.writeUInt16BE(FLAC_BLOCK, 0)
  info.writeUInt16BE(FLAC_BLOCK, 2)
  const packed =
    (BigInt(sampleRate) << 44n) | (BigInt(channels - 1) << 41n) | (BigInt(bits - 1) << 36n) | BigInt(samples.length)
  info.writeBigUInt64BE(packed, 10)
  const frames: Buffer[] = []
  for (let at = 0, n = 0; at < samples.length; at += FLAC_BLOCK, n++) {
    frames.push(flacFrame(n, samples.slice(at, at + FLAC_BLOCK), channels, bits))
  }
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, md5, ...frames])
}

function flacFrame(number: number, samples: Float64Array, channels: number, bits: number): Buffer {
  const sizeCode = { 8: 1, 16: 4, 24: 6 }[bits]
  if (sizeCode === undefined) throw new Error(`No FLAC of ${bits} bits here`)
  const coded = Buffer.from(String.fromCodePoint(number), 'utf8')
  const head = Buffer.from([0xff, 0xf8, 0x70, ((channels - 1) << 4) | (sizeCode << 1), ...coded, 0, 0])
  head.writeUInt16BE(samples.length - 1, head.length - 2)
  const subframe = Buffer.alloc(1 + (samples.length * bits) / 8)
  subframe[0] = 0x02 // verbatim
  samples.forEach((value, n) => {
    subframe.writeIntBE(value, 1 + (n * bits) / 8, bits / 8)
  })
  const subframes = Array.from({ length: channels }, () => subframe)
  const frame = Buffer.concat([head, Buffer.from([crc(head, 8, 0x07)]), ...subframes])
  const check = Buffer.alloc(2)
  check.writeUInt16BE(crc(frame, 16, 0x8005))
  return Buffer.concat([frame, check])
}

/** STREAMINFO's MD5 is over interleaved little-endian samples, signed also at 8 bits. */
function flacPcm(samples: Float64Array, channels: number, bits: number): Buffer {
  const width = bits / 8
  const bytes = Buffer.alloc(samples.length * channels * width)
  samples.forEach((value, n) => {
    for (let c = 0; c < channels; c++) bytes.writeIntLE(value, (n * channels + c) * width, width)
  })
  return bytes
}

function crc(bytes: Buffer, width: 8 | 16, polynomial: number): number {
  const topBit = 1 << (width - 1)
  let value = 0
  for (const byte of bytes) {
    value ^= byte << (width - 8)
    for (let bit = 0; bit < 8; bit++) value = value & topBit ? (value << 1) ^ polynomial : value << 1
    value &= (1 << width) - 1
  }
  return value
}

function waveform({ seconds, sampleRate, tone }: { seconds: number; sampleRate: number; tone: number }): Float64Array {
  const step = (2 * Math.PI * tone) / sampleRate
  return new Float64Array(Math.round(seconds * sampleRate)).map((_, n) => 0.5 * Math.sin(n * step))
}

function encodePcm(soundOptions: Required<SoundOptions>, order: 'little' | 'big'): Buffer {
  const { channels, bits } = soundOptions
  const width = bits / 8
  const samples = waveform(soundOptions)
  const bytes = Buffer.alloc(samples.length * channels * width)
  // WAV alone has unsigned samples at 8 bits.
  const shift = bits === 8 && order === 'little' ? 128 : 0
  const writeSample = createSampleWriter(bytes, { width, order })
  samples.forEach((sample, n) => {
    const value = Math.round(sample * (2 ** (bits - 1) - 1)) + shift
    for (let c = 0; c < channels; c++) writeSample(value, (n * channels + c) * width)
  })
  return bytes
}

/** The methods for one width are several times as fast as writeIntLE and writeIntBE. */
function createSampleWriter(bytes: Buffer, { width, order }: { width: number; order: 'little' | 'big' }) {
  const isLittleEndian = order === 'little'
  if (width === 1) return (value: number, at: number) => (bytes[at] = value)
  if (width === 2 && isLittleEndian) return (value: number, at: number) => bytes.writeInt16LE(value, at)
  if (width === 2) return (value: number, at: number) => bytes.writeInt16BE(value, at)
  if (isLittleEndian) return (value: number, at: number) => bytes.writeIntLE(value, at, width)
  return (value: number, at: number) => bytes.writeIntBE(value, at, width)
}

/** The 80-bit float of AIFF's sample rate. */
function extendedFloat(value: number): Buffer {
  const exponent = Math.floor(Math.log2(value))
  const bytes = Buffer.alloc(10)
  bytes.writeUInt16BE(16_383 + exponent, 0)
  bytes.writeBigUInt64BE(BigInt(value) << BigInt(63 - exponent), 2)
  return bytes
}

function encodeWord(value: number, order: 'little' | 'big'): Buffer {
  const bytes = Buffer.alloc(4)
  if (order === 'little') bytes.writeUInt32LE(value)
  else bytes.writeUInt32BE(value)
  return bytes
}
