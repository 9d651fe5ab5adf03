import fs from 'node:fs'
import type { AudioBlock } from './audio-block.ts'
import type { PcmLayout } from './integrity-pcm.ts'

const BLOCK_BYTES = 1 << 18

type ReadSample = (bytes: Buffer, offset: number) => number

const finite = (value: number) => (Number.isFinite(Math.fround(value)) ? value : 0)

/**
 * Returns a function that converts one sample to −1..1. NaN counts as silence, because it would corrupt every later
 * filter.
 */
export function sampleReader({ encoding, sample_bytes, little_endian: le }: PcmLayout): ReadSample {
  if (encoding === 'unsigned') return (b, o) => (b[o]! - 128) / 128
  if (encoding === 'float' && sample_bytes === 8) return (b, o) => finite(le ? b.readDoubleLE(o) : b.readDoubleBE(o))
  if (encoding === 'float') return (b, o) => finite(le ? b.readFloatLE(o) : b.readFloatBE(o))
  if (sample_bytes === 1) return (b, o) => ((b[o]! << 24) >> 24) / 128
  if (sample_bytes === 4) return (b, o) => (le ? b.readInt32LE(o) : b.readInt32BE(o)) / 2_147_483_648
  if (sample_bytes === 2) {
    return le
      ? (b, o) => (((b[o]! | (b[o + 1]! << 8)) << 16) >> 16) / 32_768
      : (b, o) => (((b[o + 1]! | (b[o]! << 8)) << 16) >> 16) / 32_768
  }
  return le
    ? (b, o) => (b[o]! | (b[o + 1]! << 8) | ((b[o + 2]! << 24) >> 8)) / 8_388_608
    : (b, o) => (b[o + 2]! | (b[o + 1]! << 8) | ((b[o]! << 24) >> 8)) / 8_388_608
}

/** Reads WAV and AIFF samples of 8 to 32 bits, float or integer, in either byte order. */
export function* decodePcm(fd: number, layout: PcmLayout): Generator<AudioBlock> {
  const frameBytes = layout.channels * layout.sample_bytes
  const buffer = Buffer.alloc(Math.max(1, Math.floor(BLOCK_BYTES / frameBytes)) * frameBytes)
  const read = sampleReader(layout)
  for (let bytesRead = 0; bytesRead < layout.bytes; ) {
    const bytesToRead = Math.min(buffer.length, layout.bytes - bytesRead)
    const frames = Math.floor(fs.readSync(fd, buffer, 0, bytesToRead, layout.from + bytesRead) / frameBytes)
    if (frames === 0) return
    const channels = Array.from({ length: layout.channels }, (_, channel) => {
      const samples = new Float32Array(frames)
      let offset = channel * layout.sample_bytes
      for (let i = 0; i < frames; i++, offset += frameBytes) samples[i] = read(buffer, offset)
      return samples
    })
    bytesRead += frames * frameBytes
    yield { channels, sample_rate: layout.sample_rate, share: bytesRead / layout.bytes }
  }
}
