import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { type AudioBlock, readChunks } from '../audio-files/audio-block.ts'
import { type Fault, faultAt, formatPosition } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { type FlacDamage, firstDamage, MAX_FRAME_HEADER_BYTES, parseFlacHeader } from '../audio-files/flac-frame.ts'
import type { FlacStructure } from '../audio-files/integrity-flac.ts'

type DecodedFlac = Awaited<ReturnType<FLACDecoder['decode']>>

/** A float holds 24 bits exactly, so the checksum of anything deeper cannot be verified after decoding. */
const MAX_EXACT_BITS = 24

/** Samples of 16 bits, interleaved, in the byte order of the machine. */
function interleave16(channels: Float32Array[], frames: number, scale: number): Int16Array {
  const stride = channels.length
  const words = new Int16Array(frames * stride)
  channels.forEach((samples, channel) => {
    for (let i = 0, at = channel; i < frames; i++, at += stride) words[at] = Math.round(samples[i]! * scale)
  })
  return words
}

/** Samples of any size, interleaved, little-endian, each in whole bytes. */
function interleave(channels: Float32Array[], frames: number, scale: number, sampleBytes: number): Uint8Array {
  const stride = channels.length * sampleBytes
  const bytes = Buffer.allocUnsafe(frames * stride)
  channels.forEach((samples, channel) => {
    for (let i = 0, at = channel * sampleBytes; i < frames; i++, at += stride) {
      const value = Math.round(samples[i]! * scale)
      bytes[at] = value
      if (sampleBytes > 1) bytes[at + 1] = value >> 8
      if (sampleBytes > 2) bytes[at + 2] = value >> 16
    }
  })
  return bytes
}

const isLittleEndian = os.endianness() === 'LE'

/** Updates the MD5 of RFC 9639, 8.2: interleaved samples, little-endian, each in whole bytes. */
function hashSamples(md5: Hash, channels: Float32Array[], bits: number): void {
  const frames = channels[0]?.length ?? 0
  const sampleBytes = Math.ceil(bits / 8)
  // The decoder divides by the largest positive value, not by the power of two.
  const scale = 2 ** (bits - 1) - 1
  const isFast = sampleBytes === 2 && isLittleEndian
  md5.update(isFast ? interleave16(channels, frames, scale) : interleave(channels, frames, scale, sampleBytes))
}

/** The result of decoding. */
type DecodeTotals = { samples: number; bad_frames: number; md5: string | undefined }

/**
 * Explains why fewer samples were decoded than the header declares. A matching checksum proves that the header is
 * wrong, not the audio.
 */
function missingSamplesFault(
  { samples, md5 }: DecodeTotals,
  structure: FlacStructure,
  damage: FlacDamage | undefined,
): Fault {
  const { total_samples: total, sample_rate: rate } = structure
  const percent = Math.floor((1000 * samples) / total) / 10
  if (md5 !== undefined && md5 === structure.md5) return sampleCountFault(samples, structure)
  const at = (damage?.sample ?? samples) / rate
  if (!damage?.is_within) {
    return faultAt(
      at,
      'truncated',
      `The file is cut off at ${formatPosition(at)}: it contains ${percent} % of the audio.`,
    )
  }
  return faultAt(
    at,
    'lost_sync',
    `The file is damaged at ${formatPosition(at)}: only ${percent} % of the audio can be decoded.`,
  )
}

function sampleCountFault(samples: number, { total_samples: total, sample_rate: rate }: FlacStructure): Fault {
  const message = `The header says ${formatPosition(total / rate)}, but the file contains ${formatPosition(samples / rate)}.`
  return faultAt(Math.min(total, samples) / rate, 'header_count', message)
}

function faultsOf(fd: number, totals: DecodeTotals, structure: FlacStructure): Fault[] {
  const { from, to, total_samples: total, sample_rate: rate } = structure
  const isAltered = totals.md5 !== undefined && structure.md5 !== undefined && totals.md5 !== structure.md5
  const isComplete = total === 0 || totals.samples === total
  if (isComplete && totals.bad_frames === 0 && !isAltered) return []
  const damage = firstDamage(new FileWindow(fd), from, to)
  const location = damage && { at_seconds: Math.round((1000 * damage.sample) / rate) / 1000 }
  const faults: Fault[] = []
  if (total > 0 && totals.samples < total) faults.push(missingSamplesFault(totals, structure, damage))
  if (total > 0 && totals.samples > total) faults.push(sampleCountFault(totals.samples, structure))
  if (totals.bad_frames > 0) {
    const locationText = damage ? ` at ${formatPosition(damage.sample / rate)}` : ''
    const message = `The FLAC file is damaged${locationText}: ${totals.bad_frames} frames can’t be decoded.`
    faults.push({ code: 'frame_checksum', message, ...location })
  }
  if (isAltered) {
    const message = 'The audio doesn’t match the checksum written by the FLAC encoder.'
    faults.push({ code: 'flac_md5', message, ...location })
  }
  return faults
}

/**
 * The decoder emits a frame once it sees the next header, and its own flush drops some last frames. So the first
 * frame's header is appended after the last frame.
 */
function lastHeader(fd: number, from: number): Uint8Array {
  const bytes = new Uint8Array(64)
  fs.readSync(fd, bytes, 0, MAX_FRAME_HEADER_BYTES, from)
  return bytes
}

/** Maximum samples, over all channels, decoded from one chunk: 4 MB of floats, and some seconds until an early stop. */
const MAX_SAMPLES = 1 << 20

/**
 * Splits a chunk where its frames would decode to too many samples: 14 bytes of FLAC can encode 65,536 equal samples.
 * Headers are found by their checksum, so no frame the decoder accepts is missed.
 */
function* splitIntoChunks(bytes: Uint8Array, channels: number): Generator<Uint8Array> {
  let start = 0
  let samples = 0
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const header = parseFlacHeader(bytes, at)
    if (!header) continue
    samples += header.samples * channels
    if (samples <= MAX_SAMPLES || at === start) continue
    yield bytes.slice(start, at)
    start = at
    samples = header.samples * channels
  }
  yield start === 0 ? bytes : bytes.slice(start)
}

/**
 * Decodes with libFLAC in WebAssembly. Sample count, frame errors and MD5 are reported after the last block, so a
 * reader that stops early receives no faults.
 */
export async function* decodeFlac(
  fd: number,
  structure: FlacStructure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> {
  const { from, to, bits, channels, sample_rate } = structure
  const decoder = new FLACDecoder()
  await decoder.ready
  const md5 = bits <= MAX_EXACT_BITS ? createHash('md5') : undefined
  const totals: DecodeTotals = { samples: 0, bad_frames: 0, md5: undefined }
  const handleDecoded = ({ channelData, samplesDecoded, errors }: DecodedFlac) => {
    totals.bad_frames += errors.length
    totals.samples += samplesDecoded
    if (md5 && samplesDecoded > 0) hashSamples(md5, channelData, bits)
    return samplesDecoded > 0
  }
  try {
    for (const { bytes, share } of readChunks(fd, from, to)) {
      for (const chunk of splitIntoChunks(bytes, channels)) {
        const decoded = await decoder.decode(chunk)
        if (handleDecoded(decoded)) yield { channels: decoded.channelData, sample_rate, share }
      }
    }
    const last = await decoder.decode(lastHeader(fd, from))
    if (handleDecoded(last)) yield { channels: last.channelData, sample_rate, share: 1 }
  } finally {
    decoder.free()
  }
  totals.md5 = md5?.digest('hex')
  for (const fault of faultsOf(fd, totals, structure)) report(fault)
}
