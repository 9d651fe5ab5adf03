import type { Random } from '../random.ts'
import { seededRandom, seedOf } from '../random.ts'
import { SAMPLE_RATE } from './recipe.ts'
import { applyFilter, noise } from './shape.ts'
import { sineAt } from './wave.ts'

export type Drum = 'kick' | 'snare' | 'clap' | 'hat' | 'open' | 'perc' | 'crash'

const seconds = (samples: number) => samples / SAMPLE_RATE

/** A sine falling from a thump to a low note, with a click. `weight` (0 to 1) lengthens it. */
function kick(random: Random, weight: number): Float32Array {
  const out = new Float32Array((0.42 * SAMPLE_RATE) | 0)
  const startHertz = 140 + 60 * random()
  const endHertz = 44 + 8 * random()
  const length = 0.16 + 0.14 * weight
  let phase = 0
  for (let i = 0; i < out.length; i++) {
    phase += (endHertz + (startHertz - endHertz) * Math.exp(-seconds(i) / 0.028)) / SAMPLE_RATE
    const fade = Math.min(1, (out.length - i) / 800)
    const click = i < 400 ? (random() * 2 - 1) * 0.25 * (1 - i / 400) ** 3 : 0
    out[i] = (sineAt(phase) * Math.exp(-seconds(i) / length) * 0.95 + click) * fade
  }
  return out
}

function snare(random: Random): Float32Array {
  const out = noise(random, 0.26)
  applyFilter(out, { pass: 'band', from: 3200, to: 1800, glide: 0.05, damping: 0.9 })
  const hertz = 170 + 40 * random()
  for (let i = 0; i < out.length; i++) {
    const t = seconds(i)
    const skin = sineAt(hertz * t) * 0.5 + sineAt(hertz * 1.84 * t) * 0.25
    out[i] = out[i]! * 0.9 * Math.exp(-t / 0.07) + skin * Math.exp(-t / 0.045)
  }
  return out
}

/** Three quick bursts and a tail, because hands never clap at exactly the same time. */
function clap(random: Random): Float32Array {
  const out = noise(random, 0.28)
  applyFilter(out, { pass: 'band', from: 1700, to: 1200, glide: 0.08, damping: 0.7 })
  for (let i = 0; i < out.length; i++) {
    const t = seconds(i)
    let level = t > 0.03 ? Math.exp(-(t - 0.03) / 0.075) : 0
    for (const burst of [0, 0.011, 0.022]) {
      if (t >= burst) level = Math.max(level, Math.exp(-(t - burst) / 0.005) * 0.8)
    }
    out[i]! *= level * 1.5
  }
  return out
}

function cymbal(random: Random, length: number, decay: number, gain: number): Float32Array {
  const out = noise(random, length)
  const bright = 8000 + 1500 * random()
  applyFilter(out, { pass: 'high', from: bright, to: bright * 0.85, glide: 0.1, damping: 0.6 })
  for (let i = 0; i < out.length; i++) out[i]! *= Math.exp(-seconds(i) / decay) * gain
  return out
}

/** A small tuned drum. */
function perc(random: Random): Float32Array {
  const out = new Float32Array((0.16 * SAMPLE_RATE) | 0)
  const hertz = 300 + 900 * random()
  let phase = 0
  for (let i = 0; i < out.length; i++) {
    const t = seconds(i)
    phase += (hertz * (1 + 0.35 * Math.exp(-t / 0.012))) / SAMPLE_RATE
    out[i] = sineAt(phase) * Math.exp(-t / 0.035) * 0.6
  }
  return out
}

const makers: Record<Drum, (random: Random, weight: number) => Float32Array> = {
  kick,
  snare,
  clap,
  hat: (random) => cymbal(random, 0.055, 0.015, 0.5),
  open: (random) => cymbal(random, 0.24, 0.075, 0.5),
  perc,
  crash: (random) => cymbal(random, 1.6, 0.45, 0.3),
}

/** Renders one hit. Each drum has its own random numbers, so a bar without a snare need not render one. */
export function renderDrum(drum: Drum, seed: number, weight: number): Float32Array {
  return makers[drum](seededRandom(seedOf(seed, drum)), weight)
}

/** Noise that rises for the given time, before a drop. */
export function riser(seed: number, length: number): Float32Array {
  const random = seededRandom(seedOf(seed, 'riser'))
  const out = new Float32Array(length)
  let low = 0
  let band = 0
  for (let i = 0; i < length; i++) {
    const climb = (i / length) ** 2
    const tuning = 2 * Math.sin((Math.PI * (300 + 7000 * climb)) / SAMPLE_RATE)
    low += tuning * band
    band += tuning * (random() * 2 - 1 - low - 0.5 * band)
    out[i] = band * climb * 0.22
  }
  return out
}
