import { describe, expect, it } from 'vitest'
import { DEMO_VERSIONS, type DemoGenre, type DemoVersion, type Recipe, renderBlocks, renderedSamples } from './song.ts'
import { compose } from './sound/composition.ts'
import { STYLES } from './sound/patterns.ts'

const RATE = 44_100
const GENRES = Object.keys(STYLES) as DemoGenre[]

const makeRecipe = (changes: Partial<Recipe> = {}): Recipe => ({
  seed: 7,
  genre: 'house',
  tonic: 9,
  mode: 'minor',
  bpm: 124,
  version: 'Original',
  seconds: 32,
  ...changes,
})

function renderLeft(recipe: Recipe): Float32Array {
  const out = new Float32Array(renderedSamples(recipe))
  let at = 0
  for (const { left } of renderBlocks(recipe)) {
    out.set(left, at)
    at += left.length
  }
  return out
}

const bytesOf = (samples: Float32Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
const isSame = (a: Float32Array, b: Float32Array) => bytesOf(a).equals(bytesOf(b))

/** All versions of one song, at a tempo so fast that they are short. */
const rendered = new Map<string, Float32Array>()
function renderVersion(version: DemoVersion): Float32Array {
  const cachedRender = rendered.get(version) ?? renderLeft(makeRecipe({ version, bpm: 280 }))
  rendered.set(version, cachedRender)
  return cachedRender
}

/** Applies a one-pole low-pass filter twice. */
function lowPass(hertz: number, samples: Float32Array): Float32Array {
  const share = 1 - Math.exp((-2 * Math.PI * hertz) / RATE)
  let [first, second] = [0, 0]
  return samples.map((value) => {
    first += share * (value - first)
    second += share * (first - second)
    return second
  })
}

function energy(samples: Float32Array, from = 0, to = samples.length): number {
  let sum = 0
  for (let i = Math.max(0, from); i < Math.min(to, samples.length); i++) sum += samples[i]! ** 2
  return sum
}

const decibels = (power: number) => 10 * Math.log10(power + 1e-6)

const SLOT = Math.round(RATE / 8)

/**
 * Loudness of the low, middle and high band in every eighth of a second, separated by one-pole filters at 200 and 3000
 * Hz.
 */
function bandLevels(samples: Float32Array): number[] {
  const [lowShare, middleShare] = [200, 3000].map((hertz) => 1 - Math.exp((-2 * Math.PI * hertz) / RATE)) as [
    number,
    number,
  ]
  const levels: number[] = []
  let [low, middle] = [0, 0]
  for (let at = 0; at + SLOT <= samples.length; at += SLOT) {
    const bands = [0, 0, 0] as [number, number, number]
    for (let i = at; i < at + SLOT; i++) {
      const value = samples[i]!
      low += lowShare * (value - low)
      middle += middleShare * (value - middle)
      bands[0] += low ** 2
      bands[1] += (middle - low) ** 2
      bands[2] += (value - middle) ** 2
    }
    levels.push(...bands.map((band) => decibels(band / SLOT)))
  }
  return levels
}

/** Share of values in which two versions differ by more than a decibel. */
function differenceRatio(a: readonly number[], b: readonly number[]): number {
  const count = Math.min(a.length, b.length)
  let difference = 0
  for (let i = 0; i < count; i++) if (Math.abs(a[i]! - b[i]!) > 1) difference++
  return difference / count
}

function correlation(a: Float32Array, b: Float32Array): number {
  let product = 0
  for (let i = 0; i < Math.min(a.length, b.length); i++) product += a[i]! * b[i]!
  return product / Math.sqrt(energy(a) * energy(b))
}

describe('demo song', () => {
  it('is the same on every rendering, and different with another seed', () => {
    const recipe = makeRecipe({ version: 'Quick Hit', bpm: 240, seconds: 8 })
    expect(isSame(renderLeft(recipe), renderLeft(recipe))).toBe(true)
    expect(isSame(renderLeft(recipe), renderLeft({ ...recipe, seed: 8 }))).toBe(false)
  })

  it.each(GENRES)('%s has the calculated length, no silent bar, and stays below full scale', (genre) => {
    const recipe = makeRecipe({ genre, bpm: 200, version: 'Quick Hit', seconds: 8 })
    const blocks = [...renderBlocks(recipe)]
    expect(blocks.reduce((sum, { left }) => sum + left.length, 0)).toBe(renderedSamples(recipe))
    for (const { left, right } of blocks.slice(0, -1)) {
      expect(Math.sqrt(energy(left) / left.length)).toBeGreaterThan(0.01)
      for (const side of [left, right]) expect(side.every((value) => Math.abs(value) <= 0.71)).toBe(true)
    }
  })

  it('fades to silence at its end', () => {
    const samples = renderVersion('Original')
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(1e-3)
  })

  it('lasts about a minute, a Quick Hit half as long', () => {
    for (const bpm of [86, 124, 174]) {
      const seconds = (version: DemoVersion) => renderedSamples(makeRecipe({ bpm, version, seconds: undefined })) / RATE
      expect(seconds('Original')).toBeGreaterThan(52)
      expect(seconds('Original')).toBeLessThan(68)
      expect(seconds('Quick Hit')).toBeGreaterThan(24)
      expect(seconds('Quick Hit')).toBeLessThan(36)
    }
  })
})

describe('tempo', () => {
  it('is exact to the sample through the whole song', () => {
    const bpm = 127
    let at = 0
    const blocks = [...renderBlocks(makeRecipe({ bpm }))].slice(0, -1)
    blocks.forEach(({ left }, i) => {
      at += left.length
      expect(at).toBe(Math.round(((i + 1) * 240 * RATE) / bpm))
    })
  })

  it('can be heard: every beat of a drum intro begins with a kick, up to its sixteenth bar', () => {
    const bpm = 133
    const low = lowPass(120, renderLeft(makeRecipe({ genre: 'techno', bpm, version: 'Intro Clean' })))
    const late = Math.round(RATE * 0.012)
    for (let beat = 1; beat < 64; beat++) {
      const at = Math.round((beat * 60 * RATE) / bpm)
      expect(energy(low, at, at + late)).toBeGreaterThan(4 * energy(low, at - late, at))
    }
  })

  it('changes in a Transition, and reaches the tempo of the recipe', () => {
    const bars = [...renderBlocks(makeRecipe({ version: 'Transition', bpm: 100, bpm_to: 128 }))].slice(0, -1)
    const bpmOf = (bar: (typeof bars)[number]) => (240 * RATE) / bar.left.length
    expect(bpmOf(bars[0]!)).toBeCloseTo(100, 2)
    expect(bpmOf(bars.at(-1)!)).toBeCloseTo(128, 2)
    expect(bpmOf(bars[9]!)).toBeGreaterThan(102)
    expect(bpmOf(bars[9]!)).toBeLessThan(126)
  })
})

describe('key', () => {
  const SCALES = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10] }

  it.each(['major', 'minor'] as const)('%s contains every note that is played or sung', (mode) => {
    for (let seed = 1; seed <= 40; seed++) {
      const tonic = seed % 12
      const song = compose({ seed, genre: GENRES[seed % GENRES.length]!, tonic, mode })
      const syllables = [...song.verse, ...song.hook, ...song.adlibs].map((syllable) => syllable.note)
      for (const note of [...song.roots, ...song.chords.flat(), ...syllables]) {
        expect(SCALES[mode]).toContain((((note - tonic) % 12) + 12) % 12)
      }
      expect(song.roots.some((root) => (root - tonic) % 12 === 0)).toBe(true)
    }
  })
})

describe('versions', () => {
  it('differ audibly from each other', () => {
    const levels = DEMO_VERSIONS.map((version) => bandLevels(renderVersion(version)))
    for (let a = 0; a < levels.length; a++) {
      for (let b = a + 1; b < levels.length; b++) {
        const pair = `${DEMO_VERSIONS[a]} and ${DEMO_VERSIONS[b]}`
        expect({ pair, differ: differenceRatio(levels[a]!, levels[b]!) > 0.03 }).toEqual({ pair, differ: true })
      }
    }
  })

  it('have only the voice in an Acapella, with nothing below 100 Hz', () => {
    const samples = renderVersion('Acapella')
    expect(decibels(energy(lowPass(60, samples)) / energy(samples))).toBeLessThan(-25)
    expect(
      decibels(energy(lowPass(60, renderVersion('Original'))) / energy(renderVersion('Original'))),
    ).toBeGreaterThan(-10)
  })

  it('have no voice in an Instrumental', () => {
    const voice = renderVersion('Acapella')
    expect(Math.abs(correlation(renderVersion('Instrumental'), voice))).toBeLessThan(0.1)
    expect(correlation(renderVersion('Original'), voice)).toBeGreaterThan(0.2)
  })

  it('mute syllables in a Clean and add shouts in a Dirty', () => {
    const voiceOf = (version: DemoVersion) =>
      renderVersion(version).map((value, i) => value - renderVersion('Instrumental')[i]!)
    expect(energy(voiceOf('Clean'))).toBeLessThan(energy(voiceOf('Original')) * 0.97)
    expect(energy(voiceOf('Dirty'))).toBeGreaterThan(energy(voiceOf('Original')) * 1.05)
  })

  it('begin an Intro with sixteen bars of drums: no note depends on the key', () => {
    const recipe = makeRecipe({ version: 'Intro Dirty', bpm: 240 })
    const dirty = [...renderBlocks(recipe)]
    const clean = [...renderBlocks({ ...recipe, version: 'Intro Clean' })]
    const other = [...renderBlocks({ ...recipe, tonic: 3 })]
    for (let bar = 0; bar < 16; bar++) {
      expect(isSame(dirty[bar]!.left, clean[bar]!.left)).toBe(true)
      expect(isSame(dirty[bar]!.left, other[bar]!.left)).toBe(true)
    }
    expect(isSame(dirty[16]!.left, other[16]!.left)).toBe(false)
  })
})
