import fs from 'node:fs'

/** Between some hundredths of a second and some seconds of audio: one array of −1..1 per channel. */
export type AudioBlock = {
  channels: Float32Array[]
  sample_rate: number
  /** How much of the file has been read, 0..1. */
  share: number
}

const READ_BYTES = 65_536

/** Reads a file in order, each chunk into a new buffer, because the decoders keep references to their input. */
export function* readChunks(fd: number, from: number, to: number): Generator<{ bytes: Uint8Array; share: number }> {
  for (let position = from; position < to; ) {
    const bytes = new Uint8Array(Math.min(READ_BYTES, to - position))
    const length = fs.readSync(fd, bytes, 0, bytes.length, position)
    if (length === 0) return
    position += length
    yield { bytes: bytes.subarray(0, length), share: (position - from) / (to - from) }
  }
}
