import fs from 'node:fs'

/** Some hundredths of a second to some seconds of audio, one array of −1..1 for each channel. */
export type AudioBlock = {
  channels: Float32Array[]
  sample_rate: number
  /** How much of the file has been read, 0..1. */
  share: number
}

const READ_BYTES = 65_536

/** Pieces of a file in order, each in memory of its own: the decoders keep what they are given. */
export function* readChunks(fd: number, from: number, to: number): Generator<{ bytes: Uint8Array; share: number }> {
  for (let position = from; position < to; ) {
    const bytes = new Uint8Array(Math.min(READ_BYTES, to - position))
    const length = fs.readSync(fd, bytes, 0, bytes.length, position)
    if (length === 0) return
    position += length
    yield { bytes: bytes.subarray(0, length), share: (position - from) / (to - from) }
  }
}
