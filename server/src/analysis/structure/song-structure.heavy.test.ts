import { type Recipe, renderBlocks, SAMPLE_RATE } from '@dubplate/demo/song'
import { arrange } from '@dubplate/demo/sound/arrangement'
import { describe, expect, test } from 'vitest'
import { plainLayout } from '../downmix.ts'
import { join, noise, tone } from '../make-audio.ts'
import { SignalAnalyser } from '../signal-analyser.ts'
import type { SongStructure } from './song-structure.ts'

const HOUSE: Recipe = {
  ...{ seed: 771, genre: 'house', tonic: 9, mode: 'minor', bpm: 124.37, version: 'Original', seconds: 90 },
}

function analysed(mono: Float32Array, rate = SAMPLE_RATE) {
  const analyser = new SignalAnalyser(rate, plainLayout(1))
  for (let at = 0; at < mono.length; at += 16_384) analyser.push([mono.subarray(at, at + 16_384)])
  return analyser.finish()
}

const rendered = (recipe: Recipe) =>
  join(...[...renderBlocks(recipe)].map(({ left, right }) => left.map((sample, i) => (sample + right[i]!) / 2)))

/** Start of each bar in seconds, and the bars at which another section begins. */
function truthOf(recipe: Recipe): { bars: number[]; sections: number[] } {
  const bars = arrange(recipe)
  const starts = bars.map(({ start }) => start / SAMPLE_RATE)
  const changes = bars.flatMap(({ section }, i) => (i > 0 && section !== bars[i - 1]!.section ? [starts[i]!] : []))
  return { bars: starts, sections: changes }
}

/** Distance to the nearest of some moments. */
const distanceTo = (moments: readonly number[], at: number) =>
  Math.min(...moments.map((moment) => Math.abs(moment - at)))

function barLinesOf({ grid }: SongStructure, seconds: number): number[] {
  const bar = 240 / grid.bpm
  const lines: number[] = []
  for (let at = grid.first_downbeat_seconds; at < seconds; at += bar) lines.push(at)
  return lines
}

/** A bass drum: a falling sine, a little louder on the first beat of the bar. */
function kick(seconds: number, rate: number): Float32Array {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const time = i / rate
    return 0.8 * Math.exp(-time * 18) * Math.sin(2 * Math.PI * (50 * time + 4 * (1 - Math.exp(-time * 40))))
  })
}

/** Drums whose beats are at the given times. */
function drumsAt(beats: readonly number[], rate: number): Float32Array {
  const out = new Float32Array(Math.ceil((beats.at(-1)! + 1) * rate))
  const drum = kick(0.25, rate)
  const random = noise(5)
  beats.forEach((at, beat) => {
    const start = Math.round(at * rate)
    drum.forEach((sample, i) => {
      out[start + i]! += sample * (beat % 4 === 0 ? 1 : 0.8)
    })
    const snare = Math.round(0.09 * rate)
    if (beat % 2 === 1) for (let i = 0; i < snare; i++) out[start + i]! += 0.3 * random() * Math.exp((-i * 40) / rate)
  })
  return out
}

describe('the structure of a song', () => {
  // The same song begins after silence, and in the middle of a bar.
  const song = rendered(HOUSE)
  const truth = truthOf(HOUSE)
  const SILENCE = 1.3
  const CUT = 0.61

  test.each([
    ['after silence', join(new Float32Array(Math.round(SILENCE * SAMPLE_RATE)), song), SILENCE],
    ['cut into the first bar', song.subarray(Math.round(CUT * SAMPLE_RATE)), -CUT],
  ])('has its tempo within 0.01 BPM and its bars within 20 ms: %s', (_, mono, shift) => {
    const { bpm, structure } = analysed(mono)
    expect(bpm).toBeCloseTo(124.37, 2)
    const bars = truth.bars.map((at) => at + shift)
    const lines = barLinesOf(structure!, bars.at(-1)!)
    expect(Math.max(...lines.map((at) => distanceTo(bars, at)).slice(1))).toBeLessThan(0.02)
    expect(structure!.grid.tempo_changes).toEqual([])
    expect(structure!.grid.beat_confidence).toBeGreaterThanOrEqual(structure!.grid.downbeat_confidence)
  })

  test('has sections that begin where the arrangement changes', () => {
    const { sections, cues } = analysed(song).structure!
    const bar = 240 / HOUSE.bpm
    const starts = sections.slice(1).map(({ start_seconds }) => start_seconds)
    expect(starts.length).toBeGreaterThanOrEqual(3)
    expect(starts.filter((at) => distanceTo(truth.sections, at) > bar)).toEqual([])
    expect(sections.map(({ kind }) => kind)).toContain('drop')
    const drop = sections.find(({ kind }) => kind === 'drop')!
    expect(cues).toContainEqual({ bar: drop.bar, kind: 'drop', at_seconds: drop.start_seconds })
    expect(sections.reduce((sum, { bars }) => sum + bars, 0)).toBeGreaterThanOrEqual(truth.bars.length - 1)
  })

  test('follows a tempo that drifts, with beats within 25 ms', () => {
    const beats = Array.from({ length: 160 }, () => 0)
    for (let beat = 1; beat < beats.length; beat++)
      beats[beat] = beats[beat - 1]! + 60 / (120 * (1 + (0.02 * beat) / 160))
    const { structure } = analysed(drumsAt(beats, SAMPLE_RATE))
    const { tempo_changes } = structure!.grid
    expect(tempo_changes.length).toBeGreaterThan(1)
    const found = tempo_changes.flatMap(({ at_seconds, bpm, beat }, i) =>
      Array.from({ length: (tempo_changes[i + 1]?.beat ?? beat + 8) - beat }, (_, k) => at_seconds + (k * 60) / bpm),
    )
    expect(found.length).toBeGreaterThan(140)
    expect(Math.max(...found.map((at) => distanceTo(beats, at)))).toBeLessThan(0.025)
  })

  test('does not follow a steady tempo whose rhythm changes to the off-beats', () => {
    const beats = Array.from({ length: 160 }, (_, beat) => beat * 0.5 + (beat >= 60 && beat < 90 ? 0.25 : 0))
    expect(analysed(drumsAt(beats, SAMPLE_RATE)).structure!.grid.tempo_changes).toEqual([])
  })

  test('is unknown without a beat, and in a few seconds', () => {
    expect(analysed(tone({ hz: 220, seconds: 3 }))).toMatchObject({ structure: null, energy: null })
    expect(analysed(new Float32Array(SAMPLE_RATE * 20))).toMatchObject({ bpm: null, structure: null, energy: null })
  })

  test('is higher in energy when it is louder and has more bass and treble', () => {
    const calm = analysed(
      tone({ hz: 440, seconds: 20, db: -30 }).map((sample, i) => sample * (i % 22_050 < 6000 ? 1 : 0)),
    )
    const driving = analysed(song)
    expect(calm.energy).toBeLessThanOrEqual(3)
    expect(driving.energy).toBeGreaterThanOrEqual(6)
    expect(driving.energy).toBeLessThanOrEqual(10)
  })
})
