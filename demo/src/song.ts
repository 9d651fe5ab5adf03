import { arrange } from './sound/arrangement.ts'
import { compose } from './sound/composition.ts'
import { type Block, fadeOut, Mixer, TAIL_SAMPLES } from './sound/mixer.ts'
import { playBar } from './sound/performance.ts'
import { type Recipe, SAMPLE_RATE } from './sound/recipe.ts'

export { DEMO_VERSIONS, type DemoGenre, type DemoVersion, type Recipe, SAMPLE_RATE } from './sound/recipe.ts'
export type { Block }

const MAX_DRUM_SECONDS = 1.7
const MAX_DUCK_SECONDS = 0.28

/** Exact number of samples per channel that {@link renderBlocks} yields: whole bars, then a fade of 1.2 s. */
export function renderedSamples(recipe: Recipe): number {
  const last = arrange(recipe).at(-1)!
  return last.start + last.length + TAIL_SAMPLES
}

/** Length of the rendered song in seconds. */
export function renderedSeconds(recipe: Recipe): number {
  return renderedSamples(recipe) / SAMPLE_RATE
}

function createSoundCache(): (name: string, make: () => Float32Array) => Float32Array {
  const cache = new Map<string, Float32Array>()
  return (name, make) => {
    const cached = cache.get(name)
    if (cached) return cached
    const created = make()
    cache.set(name, created)
    return created
  }
}

/** Renders a song as stereo blocks of one bar each (the last is its fade), 44.1 kHz, samples within ±0.71. */
export function* renderBlocks(recipe: Recipe): Generator<Block> {
  const bars = arrange(recipe)
  const song = compose(recipe)
  const maxBarSamples = Math.max(TAIL_SAMPLES, ...bars.map((bar) => bar.length + 1))
  const duckSamples = Math.min(bars[0]!.step * 3.6, MAX_DUCK_SECONDS * SAMPLE_RATE)
  const maxSoundSamples = Math.max(maxBarSamples * 2, Math.ceil(MAX_DRUM_SECONDS * SAMPLE_RATE))
  const mixer = new Mixer(maxBarSamples, maxSoundSamples, { depth: song.style.duck, samples: duckSamples })
  const stage = { recipe, song, mixer, sound: createSoundCache() }
  for (const bar of bars) {
    playBar(stage, bar)
    yield mixer.take(bar.length)
  }
  const tail = mixer.take(TAIL_SAMPLES)
  fadeOut(tail)
  yield tail
}
