import { arrange } from './sound/arrangement.ts'
import { compose } from './sound/composition.ts'
import { type Block, fadeOut, Mixer, TAIL_SAMPLES } from './sound/mixer.ts'
import { playBar } from './sound/performance.ts'
import { type Recipe, SAMPLE_RATE } from './sound/recipe.ts'

export { DEMO_VERSIONS, type DemoGenre, type DemoVersion, type Recipe, SAMPLE_RATE } from './sound/recipe.ts'
export type { Block }

const LONGEST_DRUM_SECONDS = 1.7
const LONGEST_DUCK_SECONDS = 0.28

/** Exact number of samples per channel that {@link renderBlocks} gives: whole bars, then 1.2 s to fade. */
export function renderedSamples(recipe: Recipe): number {
  const last = arrange(recipe).at(-1)!
  return last.start + last.length + TAIL_SAMPLES
}

/** Length of the rendered song in seconds. */
export function renderedSeconds(recipe: Recipe): number {
  return renderedSamples(recipe) / SAMPLE_RATE
}

function soundShelf(): (name: string, make: () => Float32Array) => Float32Array {
  const shelf = new Map<string, Float32Array>()
  return (name, make) => {
    const kept = shelf.get(name)
    if (kept) return kept
    const made = make()
    shelf.set(name, made)
    return made
  }
}

/** Renders a song as stereo blocks of one bar each (the last is its fade), 44.1 kHz, samples within ±0.71. */
export function* renderBlocks(recipe: Recipe): Generator<Block> {
  const bars = arrange(recipe)
  const song = compose(recipe)
  const longestBar = Math.max(TAIL_SAMPLES, ...bars.map((bar) => bar.length + 1))
  const duckSamples = Math.min(bars[0]!.step * 3.6, LONGEST_DUCK_SECONDS * SAMPLE_RATE)
  const longestSound = Math.max(longestBar * 2, Math.ceil(LONGEST_DRUM_SECONDS * SAMPLE_RATE))
  const mixer = new Mixer(longestBar, longestSound, { depth: song.style.duck, samples: duckSamples })
  const stage = { recipe, song, mixer, sound: soundShelf() }
  for (const bar of bars) {
    playBar(stage, bar)
    yield mixer.take(bar.length)
  }
  const tail = mixer.take(TAIL_SAMPLES)
  fadeOut(tail)
  yield tail
}
