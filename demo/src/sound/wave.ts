import { SAMPLE_RATE } from './recipe.ts'

const SIZE = 2048
const MAX_HARMONICS = 96
const MIN_HERTZ = 20

export type Shape = 'saw' | 'square'

/** One period with its first sample repeated at the end, so that interpolation needs no wrap-around. */
export type Wavetable = Float32Array

function sineTable(): Wavetable {
  return Float32Array.from({ length: SIZE + 1 }, (_, i) => Math.sin((2 * Math.PI * i) / SIZE))
}

export const SINE: Wavetable = sineTable()

/** Sine of a phase in turns (any non-negative number), from a table. */
export function sineAt(cycles: number): number {
  return SINE[((cycles - Math.floor(cycles)) * SIZE) | 0]!
}

function addHarmonic(table: Wavetable, harmonic: number, gain: number): void {
  for (let i = 0; i < SIZE; i++) table[i]! += gain * SINE[(i * harmonic) & (SIZE - 1)]!
}

function scaleToOne(table: Wavetable): void {
  let peak = 0
  for (const value of table) peak = Math.max(peak, Math.abs(value))
  for (let i = 0; i < SIZE; i++) table[i]! /= peak
  table[SIZE] = table[0]!
}

/** Fourier series of the shape, cut below the Nyquist frequency and sloped towards it to soften Gibbs ringing. */
function bandLimited(shape: Shape, highestHertz: number): Wavetable {
  const harmonics = Math.max(1, Math.min(MAX_HARMONICS, Math.floor(SAMPLE_RATE / 2.2 / highestHertz)))
  const table = new Float32Array(SIZE + 1)
  for (let harmonic = 1; harmonic <= harmonics; harmonic += shape === 'square' ? 2 : 1) {
    addHarmonic(table, harmonic, (1 - (0.5 * harmonic) / (harmonics + 1)) / harmonic)
  }
  scaleToOne(table)
  return table
}

const tables = new Map<string, Wavetable>()

/** The wavetable for a pitch: one per octave, free of aliasing for every pitch in it. */
export function wavetable(shape: Shape, hertz: number): Wavetable {
  const octave = Math.floor(Math.log2(hertz / MIN_HERTZ))
  const name = `${shape}${octave}`
  const cachedTable = tables.get(name)
  if (cachedTable) return cachedTable
  const table = bandLimited(shape, MIN_HERTZ * 2 ** (octave + 1))
  tables.set(name, table)
  return table
}

/** Adds a steady tone to `out`. `phase` is in turns. */
export function addTone(out: Float32Array, table: Wavetable, hertz: number, gain: number, phase = 0): void {
  const step = (hertz / SAMPLE_RATE) * SIZE
  let at = phase * SIZE
  for (let i = 0; i < out.length; i++) {
    const k = at | 0
    const low = table[k]!
    out[i]! += gain * (low + (table[k + 1]! - low) * (at - k))
    at += step
    if (at >= SIZE) at -= SIZE
  }
}

/** Reads the table at a changing pitch: `hertzAt` is called every 16 samples. */
export function glidingTone(length: number, table: Wavetable, hertzAt: (second: number) => number): Float32Array {
  const out = new Float32Array(length)
  let at = 0
  let step = 0
  for (let i = 0; i < length; i++) {
    if ((i & 15) === 0) step = (hertzAt(i / SAMPLE_RATE) / SAMPLE_RATE) * SIZE
    const k = at | 0
    const low = table[k]!
    out[i] = low + (table[k + 1]! - low) * (at - k)
    at += step
    if (at >= SIZE) at -= SIZE
  }
  return out
}

/** Frequency of a MIDI note number (69 is A4, 440 Hz). */
export function noteHertz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12)
}
