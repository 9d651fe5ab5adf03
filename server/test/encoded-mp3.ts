import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createMp3Encoder } from 'wasm-media-encoders'
import { projectRoot } from '../src/platform/project-root.ts'
import { openByteCache } from './byte-cache.ts'

type Encoder = Awaited<ReturnType<typeof createMp3Encoder>>

/** `vbrQuality` is LAME's 0..9. */
export type Mp3Settings = {
  sampleRate: number
} & ({ bitrate: 64 | 96 | 128 | 160 | 192 | 256 | 320 } | { vbrQuality: number })

/** Encoders that have finished a file: a new one takes longer than a second of music. */
const idleEncoders: Encoder[] = []

const cached = openByteCache(path.join(projectRoot, 'node_modules/.cache/dubplate-test-audio'))

/** Changes with the encoder: its package holds the program as text. */
const encoderHash = createHash('sha256')
  .update(readFileSync(createRequire(import.meta.url).resolve('wasm-media-encoders')))
  .digest('hex')

function cacheKey(channels: Float32Array[], settings: Mp3Settings): string {
  const hash = createHash('sha256')
    .update(encoderHash)
    .update(JSON.stringify([channels.length, settings]))
  for (const { buffer, byteOffset, byteLength } of channels) hash.update(new Uint8Array(buffer, byteOffset, byteLength))
  return hash.digest('hex')
}

/**
 * An MP3 of these samples, without any tag and without a frame that counts. Encoded once: the cache's key covers the samples, the
 * settings and the encoder.
 */
export const encodeMp3 = (channels: Float32Array[], settings: Mp3Settings): Promise<Buffer> =>
  cached(cacheKey(channels, settings), async () => {
    const encoder = idleEncoders.pop() ?? (await createMp3Encoder())
    encoder.configure({ channels: channels.length as 1 | 2, ...settings } as Parameters<Encoder['configure']>[0])
    // The encoder returns a view of its own memory, which the next call overwrites.
    const frames = Buffer.from(encoder.encode(channels))
    const mp3 = Buffer.concat([frames, Buffer.from(encoder.finalize())])
    idleEncoders.push(encoder)
    return mp3
  })
