import type { player } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { gridAnchors, hotCues } from './grid-anchors.ts'

const grid: player.BeatGrid = {
  bpm: 120,
  first_downbeat_seconds: 9.25,
  first_beat_seconds: 0.25,
  tempo_changes: [],
  sections: [],
  cues: [],
  energy: 6,
}

test('a steady grid begins at the first bar of the file', () => {
  expect(gridAnchors(grid, 0)).toEqual([{ seconds: 1.25, bpm: 120, beat: 1 }])
})

test('without known bars it begins at the first beat', () => {
  expect(gridAnchors({ ...grid, first_downbeat_seconds: null }, 0)).toEqual([{ seconds: 0.25, bpm: 120, beat: 1 }])
})

test('a grid of several tempos reaches back to the start of the file, and knows the beat of each part in its bar', () => {
  const changing = {
    ...grid,
    first_downbeat_seconds: 2,
    tempo_changes: [
      { beat: 0, at_seconds: 1, bpm: 120 },
      { beat: 19, at_seconds: 10.5, bpm: 125 },
    ],
  }
  // The downbeat at 2 s is beat 2 of the first part; beat −2, at 0 s, is a downbeat too.
  expect(gridAnchors(changing, 0.025)).toEqual([
    { seconds: 0.025, bpm: 120, beat: 1 },
    { seconds: 10.525, bpm: 125, beat: 2 },
  ])
})

test('cue points become hot cues in order of time, at most eight', () => {
  const cues = (['drop', 'first_beat', 'outro'] as const).map((kind, n) => ({
    kind,
    bar: 0,
    at_seconds: [30, 1.25, 200][n]!,
  }))
  expect(
    hotCues({ ...grid, cues }, 0.5).map(({ kind, number, seconds, name }) => [kind, number, seconds, name]),
  ).toEqual([
    ['first_beat', 0, 1.75, 'First beat'],
    ['drop', 1, 30.5, 'Drop'],
    ['outro', 2, 200.5, 'Outro'],
  ])
  const many = Array.from({ length: 12 }, (_, n) => ({ kind: 'break' as const, bar: n, at_seconds: n }))
  expect(hotCues({ ...grid, cues: many }, 0)).toHaveLength(8)
})
