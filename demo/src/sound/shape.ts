import type { Random } from '../random.ts'
import { SAMPLE_RATE } from './recipe.ts'

export type Envelope = { attack: number; decay: number; sustain: number; release: number }

/** Shapes a tone in place: linear attack, exponential decay to `sustain`, linear release at its end. Times in seconds. */
export function applyEnvelope(tone: Float32Array, { attack, decay, sustain, release }: Envelope): void {
  const attackSamples = (attack * SAMPLE_RATE) | 0
  const releaseSamples = Math.min(tone.length, (release * SAMPLE_RATE) | 0)
  const decayFactor = Math.exp(-1 / (decay * SAMPLE_RATE))
  let envelopeLevel = 1
  for (let i = 0; i < tone.length; i++) {
    let gain = i / attackSamples
    if (i >= attackSamples) {
      gain = sustain + (1 - sustain) * envelopeLevel
      envelopeLevel *= decayFactor
    }
    if (i > tone.length - releaseSamples) gain *= (tone.length - i) / releaseSamples
    tone[i]! *= gain
  }
}

export type Filter = {
  pass: 'low' | 'band' | 'high'
  /** Cut-off in hertz at the start, and the one it glides to. */
  from: number
  to: number
  /** Time constant of the glide in seconds. */
  glide: number
  /** 1/Q: 2 is no resonance; 0.1 resonates strongly. */
  damping: number
}

/** Filters in place. Source: Hal Chamberlin's state-variable filter (Musical Applications of Microprocessors, 1985). */
export function applyFilter(tone: Float32Array, { pass, from, to, glide, damping }: Filter): void {
  const decayFactor = Math.exp(-32 / (glide * SAMPLE_RATE))
  let low = 0
  let band = 0
  let envelopeLevel = 1
  let tuning = 0
  for (let i = 0; i < tone.length; i++) {
    if ((i & 31) === 0) {
      tuning = 2 * Math.sin(Math.PI * Math.min(0.16, (to + (from - to) * envelopeLevel) / SAMPLE_RATE))
      envelopeLevel *= decayFactor
    }
    low += tuning * band
    const high = tone[i]! - low - damping * band
    band += tuning * high
    tone[i] = pass === 'low' ? low : pass === 'band' ? band : high
  }
}

export function noise(random: Random, seconds: number): Float32Array {
  const out = new Float32Array((seconds * SAMPLE_RATE) | 0)
  for (let i = 0; i < out.length; i++) out[i] = random() * 2 - 1
  return out
}
