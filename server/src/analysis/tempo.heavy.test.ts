import { describe, expect, test } from 'vitest'
import { usualTempoRange } from './genre-tempo.ts'
import { noise } from './make-audio.ts'
import { ONSET_SAMPLE_RATE, OnsetStream } from './onset.ts'
import { snapTempo, tempoOf } from './tempo.ts'

type Drum = 'kick' | 'snare' | 'hat'
/** Beats of a four-beat bar on which each drum plays. */
type Pattern = Partial<Record<Drum, number[]>>

const FOUR_ON_THE_FLOOR: Pattern = { kick: [0, 1, 2, 3], snare: [1, 3], hat: [0.5, 1.5, 2.5, 3.5] }
const BREAK: Pattern = { kick: [0, 2.5], snare: [1, 3], hat: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] }
const BOOM_BAP: Pattern = { kick: [0, 1.5, 2.5], snare: [1, 3], hat: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5] }
/** Six-eight: two dotted quarters, each of three eighths. */
const SIX_EIGHT: Pattern = {
  kick: [0, 2],
  snare: [1, 3],
  hat: [0, 1 / 3, 2 / 3, 1, 4 / 3, 5 / 3, 2, 7 / 3, 8 / 3, 3, 10 / 3, 11 / 3],
}
const SHUFFLE: Pattern = { kick: [0, 0.67, 2.33], snare: [1, 3], hat: [0, 0.67, 1, 1.67, 2, 2.67, 3, 3.67] }

const RATE = ONSET_SAMPLE_RATE

function strike(out: Float32Array, at: number, drum: Drum, random: () => number): void {
  const decay = { kick: 0.12, snare: 0.08, hat: 0.025 }[drum]
  const length = Math.min(out.length - at, Math.round(RATE * decay * 5))
  let last = 0
  for (let i = 0; i < length; i++) {
    const seconds = i / RATE
    const fall = Math.exp(-seconds / decay)
    const hiss = random()
    const payload = Math.sin(2 * Math.PI * (50 * seconds + 4 * (1 - Math.exp(-seconds * 30))))
    const sound = {
      kick: payload * 0.9,
      snare: hiss * 0.4 + 0.2 * Math.sin(2 * Math.PI * 190 * seconds),
      hat: (hiss - last) * 0.15,
    }
    out[at + i]! += sound[drum] * fall
    last = hiss
  }
}

function drums(pattern: Pattern, { bpm, seconds = 30 }: { bpm: number; seconds?: number }): Float32Array {
  const random = noise(Math.round(bpm * 10))
  const out = Float32Array.from({ length: RATE * seconds }, () => random() * 0.002)
  const beat = (60 / bpm) * RATE
  for (let bar = 0; bar * 4 * beat < out.length; bar++) {
    for (const drum of ['kick', 'snare', 'hat'] as const) {
      for (const place of pattern[drum] ?? []) {
        const at = Math.round((bar * 4 + place) * beat)
        if (at < out.length) strike(out, at, drum, random)
      }
    }
  }
  return out
}

function tempoOfSound(mono: Float32Array, range?: [number, number]) {
  const onset = new OnsetStream()
  for (let at = 0; at < mono.length; at += 10_000) onset.push(mono.subarray(at, at + 10_000))
  return tempoOf(onset.bands(), range)
}

describe('tempo', () => {
  test.each([
    ['house', FOUR_ON_THE_FLOOR, 124],
    ['disco', FOUR_ON_THE_FLOOR, 112.5],
    ['techno', FOUR_ON_THE_FLOOR, 138],
    ['breakbeat', BREAK, 130],
    ['hip-hop', BOOM_BAP, 92],
    ['off the whole numbers', FOUR_ON_THE_FLOOR, 127.3],
    ['six-eight by its dotted quarters', SIX_EIGHT, 84],
  ])('%s', (_, pattern, bpm) => {
    expect(tempoOfSound(drums(pattern, { bpm })).bpm).toBeCloseTo(bpm, 1)
  })

  test('finds drum and bass at 174 with its genre as a hint, and as an alternative without', () => {
    const mono = drums(BREAK, { bpm: 174 })
    expect(tempoOfSound(mono, usualTempoRange('Drum & Bass')).bpm).toBe(174)
    const { bpm, bpm_alternatives } = tempoOfSound(mono)
    expect([bpm!, ...bpm_alternatives].some((tempo) => Math.abs(tempo / 174 - 1) < 0.01)).toBe(true)
  })

  test('finds a full shuffle, which alone reads as triplets, at 92 with its genre as a hint', () => {
    expect(tempoOfSound(drums(SHUFFLE, { bpm: 92 }), usualTempoRange('Hip-Hop')).bpm).toBe(92)
  })

  test('uses a hint to decide between half and double, and ignores it when no candidate is inside', () => {
    const mono = drums(BREAK, { bpm: 150 })
    expect(tempoOfSound(mono, [65, 100]).bpm).toBe(75)
    expect(tempoOfSound(mono, [140, 160]).bpm).toBe(150)
    expect(tempoOfSound(mono, [81, 82]).bpm).toBe(tempoOfSound(mono).bpm)
  })

  test('has high confidence for a steady beat and low confidence for noise', () => {
    const random = noise(7)
    const hiss = Float32Array.from({ length: RATE * 20 }, () => random() * 0.3)
    expect(tempoOfSound(drums(FOUR_ON_THE_FLOOR, { bpm: 124 })).bpm_confidence).toBeGreaterThan(0.8)
    expect(tempoOfSound(hiss).bpm_confidence).toBeLessThan(0.8)
  })

  test('finds no tempo in silence or in three seconds', () => {
    expect(tempoOfSound(new Float32Array(RATE * 10)).bpm).toBeNull()
    expect(tempoOfSound(drums(FOUR_ON_THE_FLOOR, { bpm: 124, seconds: 3 })).bpm).toBeNull()
  })

  test('snaps to a whole or half beat within the measuring error', () => {
    expect([123.96, 124.05, 92.52, 127.3].map(snapTempo)).toEqual([124, 124, 92.5, 127.3])
  })
})

describe('the usual tempo of a genre', () => {
  test.each([
    ['Drum & Bass', 174],
    ['DnB', 174],
    ['Hip-Hop', 92],
    ['Tech House', 126],
    ['Afro House', 122],
    ['R&B', 95],
    ['Reggaeton', 95],
    ['Trap', 70],
  ])('of %s includes %s', (genre, bpm) => {
    const [from, to] = usualTempoRange(genre)!
    expect(bpm).toBeGreaterThanOrEqual(from)
    expect(bpm).toBeLessThanOrEqual(to)
    expect(to / from).toBeLessThan(2)
  })

  test('is unknown for pop', () => {
    expect([usualTempoRange('Pop'), usualTempoRange('Top 40'), usualTempoRange('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})
