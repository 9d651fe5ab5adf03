import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type Fault, faultAt, placeOf } from './analysis.ts'
import { type AudioBlock, readPieces } from './audio-block.ts'
import { FileWindow } from './file-window.ts'
import { type Damage, firstDamage, LONGEST_FRAME_HEADER, parseFlacHeader } from './flac-frame.ts'
import type { FlacStructure } from './integrity-flac.ts'

type Decoded = Awaited<ReturnType<FLACDecoder['decode']>>

/** A float holds 24 bits exactly, so the checksum of anything deeper cannot be verified after decoding. */
const DEEPEST_EXACT_BITS = 24

/** Feeds the MD5 of RFC 9639, 8.2: samples interleaved, little-endian, each in whole bytes. */
function hashSamples(md5: Hash, channels: Float32Array[], bits: number): void {
  const frames = channels[0]?.length ?? 0
  const sampleBytes = Math.ceil(bits / 8)
  // The decoder divides by the largest positive value, not by the power of two.
  const scale = 2 ** (bits - 1) - 1
  const bytes = Buffer.allocUnsafe(frames * channels.length * sampleBytes)
  const stride = channels.length * sampleBytes
  channels.forEach((samples, channel) => {
    let at = channel * sampleBytes
    for (let i = 0; i < frames; i++, at += stride) {
      const value = Math.round(samples[i]! * scale)
      bytes[at] = value
      if (sampleBytes > 1) bytes[at + 1] = value >> 8
      if (sampleBytes > 2) bytes[at + 2] = value >> 16
    }
  })
  md5.update(bytes)
}

/** What came out of the decoder. */
type Tally = { samples: number; bad_frames: number; md5: string | undefined }

/** Why fewer samples came out than the head promises. A checksum that holds proves that the head is wrong, not the audio. */
function missing({ samples, md5 }: Tally, structure: FlacStructure, damage: Damage | undefined): Fault {
  const { total_samples: total, sample_rate: rate } = structure
  const percent = Math.floor((1000 * samples) / total) / 10
  if (md5 !== undefined && md5 === structure.md5) return miscounted(samples, structure)
  const at = (damage?.sample ?? samples) / rate
  if (!damage?.is_within) {
    return faultAt(at, 'truncated', `The file is cut off at ${placeOf(at)}: it contains ${percent} % of the audio.`)
  }
  return faultAt(
    at,
    'lost_sync',
    `The file is damaged at ${placeOf(at)}: only ${percent} % of the audio can be decoded.`,
  )
}

function miscounted(samples: number, { total_samples: total, sample_rate: rate }: FlacStructure): Fault {
  const message = `The header says ${placeOf(total / rate)}, but the file contains ${placeOf(samples / rate)}.`
  return faultAt(Math.min(total, samples) / rate, 'header_count', message)
}

function faultsOf(fd: number, tally: Tally, structure: FlacStructure): Fault[] {
  const { from, to, total_samples: total, sample_rate: rate } = structure
  const isAltered = tally.md5 !== undefined && structure.md5 !== undefined && tally.md5 !== structure.md5
  const isWhole = total === 0 || tally.samples === total
  if (isWhole && tally.bad_frames === 0 && !isAltered) return []
  const damage = firstDamage(new FileWindow(fd), from, to)
  const place = damage && { at_seconds: Math.round((1000 * damage.sample) / rate) / 1000 }
  const faults: Fault[] = []
  if (total > 0 && tally.samples < total) faults.push(missing(tally, structure, damage))
  if (total > 0 && tally.samples > total) faults.push(miscounted(tally.samples, structure))
  if (tally.bad_frames > 0) {
    const where = damage ? ` at ${placeOf(damage.sample / rate)}` : ''
    const message = `The FLAC file is damaged${where}: ${tally.bad_frames} frames can’t be decoded.`
    faults.push({ code: 'frame_checksum', message, ...place })
  }
  if (isAltered) {
    const message = 'The audio doesn’t match the checksum written by the FLAC encoder.'
    faults.push({ code: 'flac_md5', message, ...place })
  }
  return faults
}

/**
 * The decoder gives out a frame once it sees the next one's header, and its own flush drops some last frames. So the first
 * frame's header follows the last frame once more.
 */
function closingHeader(fd: number, from: number): Uint8Array {
  const bytes = new Uint8Array(64)
  fs.readSync(fd, bytes, 0, LONGEST_FRAME_HEADER, from)
  return bytes
}

/** Samples, over all channels, that may come out of one piece: 4 MB of floats, and some seconds until an early stop. */
const MOST_SAMPLES = 1 << 20

/**
 * Cuts a piece where the frames in it would become too much at once: 14 bytes of FLAC can stand for 65,536 equal samples.
 * Headers are found by their checksum, so nothing the decoder accepts is missed.
 */
function* smallPieces(bytes: Uint8Array, channels: number): Generator<Uint8Array> {
  let start = 0
  let samples = 0
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = parseFlacHeader(bytes, at)
    if (!header) continue
    samples += header.samples * channels
    if (samples <= MOST_SAMPLES || at === start) continue
    yield bytes.slice(start, at)
    start = at
    samples = header.samples * channels
  }
  yield start === 0 ? bytes : bytes.slice(start)
}

/**
 * libFLAC in WebAssembly; sample count, frame errors and MD5 are reported after the last block. A reader who stops early hears of
 * no faults.
 */
export async function* decodeFlac(
  fd: number,
  structure: FlacStructure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> {
  const { from, to, bits, channels, sample_rate } = structure
  const decoder = new FLACDecoder()
  await decoder.ready
  const md5 = bits <= DEEPEST_EXACT_BITS ? createHash('md5') : undefined
  const tally: Tally = { samples: 0, bad_frames: 0, md5: undefined }
  const take = ({ channelData, samplesDecoded, errors }: Decoded) => {
    tally.bad_frames += errors.length
    tally.samples += samplesDecoded
    if (md5 && samplesDecoded > 0) hashSamples(md5, channelData, bits)
    return samplesDecoded > 0
  }
  try {
    for (const { bytes, share } of readPieces(fd, from, to)) {
      for (const piece of smallPieces(bytes, channels)) {
        const decoded = await decoder.decode(piece)
        if (take(decoded)) yield { channels: decoded.channelData, sample_rate, share }
      }
    }
    const last = await decoder.decode(closingHeader(fd, from))
    if (take(last)) yield { channels: last.channelData, sample_rate, share: 1 }
  } finally {
    decoder.free()
  }
  tally.md5 = md5?.digest('hex')
  for (const fault of faultsOf(fd, tally, structure)) report(fault)
}
