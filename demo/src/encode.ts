import { setImmediate as nextTurn } from 'node:timers/promises'
import { createMp3Encoder } from 'wasm-media-encoders'
import { type Block, type Recipe, renderBlocks, renderedSamples, SAMPLE_RATE } from './song.ts'

const BITRATE_KBPS = 128
const FRAME_SAMPLES = 1152
/**
 * 144 × bit rate / sample rate is 417 and a fraction; a frame gets a padding byte whenever the fractions add up to one.
 */
const FRAME_BYTES = Math.floor((144_000 * BITRATE_KBPS) / SAMPLE_RATE)
const FRAME_REMAINDER = (144_000 * BITRATE_KBPS) % SAMPLE_RATE

/**
 * Length in bytes of the file that the encoder produces for that many samples: constant bit rate, no tag frame, and one
 * frame more than the music needs, for the encoder's delay. Source: ISO/IEC 11172-3, 2.4.2.3 (padding); the encoder
 * pads late, so its first frame is never padded.
 */
export function mp3Bytes(samples: number): number {
  const frames = Math.ceil(samples / FRAME_SAMPLES) + 1
  return frames * FRAME_BYTES + Math.ceil(((frames - 1) * FRAME_REMAINDER) / SAMPLE_RATE)
}

/** Exact length in bytes of the file that {@link encodeDemo} produces, known before rendering. */
export function encodedBytes(recipe: Recipe): number {
  return mp3Bytes(renderedSamples(recipe))
}

type Encoder = Awaited<ReturnType<typeof createMp3Encoder>>
/** Encoders that have finished a file. Each encodes one file at a time. */
const idle: Encoder[] = []

/**
 * Renders and encodes a song bar by bar: MP3, 128 kbit/s constant, 44.1 kHz stereo, 16 kB per second of music. Yields
 * to the event loop between bars. `listen` is called with each bar before it is encoded.
 */
export async function* encodeDemo(recipe: Recipe, listen?: (block: Block) => void): AsyncGenerator<Uint8Array> {
  const encoder = idle.pop() ?? (await createMp3Encoder())
  encoder.configure({ sampleRate: SAMPLE_RATE, channels: 2, bitrate: BITRATE_KBPS })
  for (const block of renderBlocks(recipe)) {
    const { left, right } = block
    listen?.(block)
    yield encoder.encode([left, right]).slice()
    await nextTurn()
  }
  const last = encoder.finalize().slice()
  idle.push(encoder)
  yield last
}
