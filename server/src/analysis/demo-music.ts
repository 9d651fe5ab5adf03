import { type DemoGenre, renderBlocks } from '@dubplate/demo/song'
import { join } from './make-audio.ts'

const rendered = new Map<string, Float32Array[]>()

/** Renders the bars of a demo song, once per genre. */
export function demoMusic(genre: DemoGenre, seed: number, seconds: number): Float32Array[] {
  const known = rendered.get(genre) ?? renderMusic(genre, seed, seconds)
  rendered.set(genre, known)
  return known
}

function renderMusic(genre: DemoGenre, seed: number, seconds: number): Float32Array[] {
  const bpm = 84 + ((seed * 17) % 90)
  const recipe = { seed, genre, tonic: seed % 12, mode: 'minor', bpm, version: 'Original', seconds: 60 } as const
  const left: Float32Array[] = []
  const right: Float32Array[] = []
  let samples = 0
  let bars = 0
  for (const block of renderBlocks(recipe)) {
    if (bars++ < 4) continue
    left.push(block.left)
    right.push(block.right)
    samples += block.left.length
    if (samples > seconds * 44_100) break
  }
  return [join(...left), join(...right)]
}
