import { MPEGDecoder } from 'mpg123-decoder'
import { describe, expect, it } from 'vitest'
import { createMp3Encoder } from 'wasm-media-encoders'
import { encodeDemo, encodedBytes, mp3Bytes } from './encode.ts'
import { type Recipe, renderedSamples } from './song.ts'

const makeRecipe = (changes: Partial<Recipe> = {}): Recipe => ({
  seed: 3,
  genre: 'garage',
  tonic: 2,
  mode: 'minor',
  bpm: 240,
  version: 'Quick Hit',
  seconds: 8,
  ...changes,
})

async function encodeToBuffer(recipe: Recipe): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of encodeDemo(recipe)) parts.push(part)
  return Buffer.concat(parts)
}

describe('encoded demo song', () => {
  it('has exactly the length that was calculated before rendering', async () => {
    for (const version of ['Quick Hit', 'Transition'] as const) {
      const recipe = makeRecipe({ bpm: 173, bpm_to: 176, version })
      const { length } = await encodeToBuffer(recipe)
      expect({ version, length }).toEqual({ version, length: encodedBytes(recipe) })
    }
  })

  it('has the calculated length for any number of samples, including padding bytes and the encoder’s delay', async () => {
    const encoder = await createMp3Encoder()
    const lengths = [1, 1151, 1152, 1153, 2304, ...Array.from({ length: 60 }, (_, i) => 20_000 + i * 577)]
    for (const samples of lengths) {
      encoder.configure({ sampleRate: 44_100, channels: 2, bitrate: 128 })
      const silence = new Float32Array(samples)
      const length = encoder.encode([silence, silence]).length + encoder.finalize().length
      expect({ samples, length }).toEqual({ samples, length: mp3Bytes(samples) })
    }
  })

  it('decodes without errors to the music and the encoder’s padding', async () => {
    const recipe = makeRecipe()
    const decoder = new MPEGDecoder()
    await decoder.ready
    const { samplesDecoded, sampleRate, errors } = decoder.decode(await encodeToBuffer(recipe))
    decoder.free()
    expect({ sampleRate, errors }).toEqual({ sampleRate: 44_100, errors: [] })
    expect(Math.abs(samplesDecoded - renderedSamples(recipe))).toBeLessThan(2 * 1152)
  })

  it('yields its first 16 kB with the first bars, and the same bytes when two songs are encoded at once', async () => {
    const recipe = makeRecipe({ seed: 12, bpm: 132 })
    const [one, two] = await Promise.all([encodeToBuffer(recipe), encodeToBuffer(recipe)])
    expect(one.equals(two)).toBe(true)
    const first = await encodeDemo(recipe).next()
    expect((first.value as Uint8Array).length).toBeGreaterThan(16_000)
  })

  it('is complete after another encoding was abandoned halfway', async () => {
    for await (const _part of encodeDemo(makeRecipe({ seed: 40 }))) break
    const recipe = makeRecipe({ seed: 41 })
    expect((await encodeToBuffer(recipe)).length).toBe(encodedBytes(recipe))
  })
})
