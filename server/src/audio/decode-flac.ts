import { createHash, type Hash } from 'node:crypto'
import fs from 'node:fs'
import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { Fault } from './analysis.ts'
import { type AudioBlock, readPieces } from './audio-block.ts'
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

/** What came out, and after how many samples something first went wrong. */
type Tally = { samples: number; bad_frames: number; bad_at: number; gap_at: number; ends_whole: boolean }

function faultsOf(tally: Tally, md5: string | undefined, structure: FlacStructure): Fault[] {
  const { total_samples: total, sample_rate: rate } = structure
  const seconds = (samples: number) => Math.round((samples / rate) * 1000) / 1000
  const percent = ((100 * tally.samples) / total).toFixed(1)
  const faults: Fault[] = []
  if (tally.samples < total && tally.ends_whole) {
    const message = `A part within the file is damaged: ${percent} % of the audio can be decoded.`
    faults.push({ code: 'lost_sync', message, at_seconds: seconds(tally.gap_at) })
  } else if (tally.samples < total) {
    const message = `The file is cut off: ${percent} % of the audio is there.`
    faults.push({ code: 'truncated', message, at_seconds: seconds(tally.samples) })
  }
  if (tally.bad_frames > 0) {
    const message = `${tally.bad_frames} parts of the FLAC cannot be decoded.`
    faults.push({ code: 'frame_checksum', message, at_seconds: seconds(tally.bad_at) })
  }
  if (md5 !== undefined && structure.md5 !== undefined && md5 !== structure.md5) {
    faults.push({ code: 'flac_md5', message: 'The audio does not match the checksum its FLAC encoder wrote.' })
  }
  return faults
}

const LONGEST_FRAME_HEADER = 16

/**
 * The decoder gives out a frame once it sees the next one's header, and its own flush drops some last frames. So the first
 * frame's header follows the last frame once more.
 */
function closingHeader(fd: number, from: number): Uint8Array {
  const bytes = new Uint8Array(64)
  fs.readSync(fd, bytes, 0, LONGEST_FRAME_HEADER, from)
  return bytes
}

/** So many pieces of 64 kB without a whole frame are a gap: the decoder has lost its place. */
const GAP_PIECES = 3

/** libFLAC in WebAssembly; sample count, frame errors and MD5 are reported after the last block. */
export async function* decodeFlac(
  fd: number,
  structure: FlacStructure,
  report: (fault: Fault) => void,
): AsyncGenerator<AudioBlock> {
  const { from, to, bits, sample_rate } = structure
  const decoder = new FLACDecoder()
  await decoder.ready
  const md5 = bits <= DEEPEST_EXACT_BITS ? createHash('md5') : undefined
  const tally: Tally = { samples: 0, bad_frames: 0, bad_at: 0, gap_at: 0, ends_whole: false }
  let emptyPieces = 0
  const take = ({ channelData, samplesDecoded, errors }: Decoded) => {
    if (errors.length > 0 && tally.bad_frames === 0) tally.bad_at = tally.samples
    emptyPieces = samplesDecoded > 0 ? 0 : emptyPieces + 1
    if (emptyPieces === GAP_PIECES && tally.gap_at === 0) tally.gap_at = tally.samples
    tally.bad_frames += errors.length
    tally.samples += samplesDecoded
    tally.ends_whole = samplesDecoded > 0
    if (md5 && samplesDecoded > 0) hashSamples(md5, channelData, bits)
    return samplesDecoded > 0
  }
  try {
    for (const { bytes, share } of readPieces(fd, from, to)) {
      const decoded = await decoder.decode(bytes)
      if (take(decoded)) yield { channels: decoded.channelData, sample_rate, share }
    }
    const last = await decoder.decode(closingHeader(fd, from))
    if (take(last)) yield { channels: last.channelData, sample_rate, share: 1 }
  } finally {
    decoder.free()
  }
  for (const fault of faultsOf(tally, md5?.digest('hex'), structure)) report(fault)
}
