import { describe, expect, test } from 'vitest'
import {
  addTap,
  double,
  fitTaps,
  formatExactTime,
  halve,
  isSteadyGrid,
  nudge,
  parseBpm,
  parseExactTime,
  type SteadyGrid,
  setOne,
  snapToBeat,
} from './gridTools.ts'

/** Beats at 0.1, 0.6, 1.1 …; bars begin at 1.1, 3.1 … */
const GRID: SteadyGrid = { bpm: 120, first_downbeat_seconds: 1.1 }

describe('nudging', () => {
  test('moves all beats by milliseconds', () => {
    expect(nudge(GRID, 10).first_downbeat_seconds).toBe(1.11)
    expect(nudge(GRID, -1).first_downbeat_seconds).toBe(1.099)
  })

  test('before the start of the file moves the first downbeat a bar later', () => {
    expect(nudge({ ...GRID, first_downbeat_seconds: 0.005 }, -10).first_downbeat_seconds).toBe(1.995)
    expect(nudge({ ...GRID, first_downbeat_seconds: 0.01 }, -10).first_downbeat_seconds).toBe(0)
  })
})

test('halving and doubling keep the first downbeat, and stay within 20 and 400 BPM', () => {
  expect(halve(GRID)).toEqual({ ...GRID, bpm: 60 })
  expect(double(GRID)).toEqual({ ...GRID, bpm: 240 })
  expect(halve({ ...GRID, bpm: 39.9 }).bpm).toBe(39.9)
  expect(double({ ...GRID, bpm: 201 }).bpm).toBe(201)
  expect(halve({ ...GRID, bpm: 124.37 }).bpm).toBe(62.19)
})

test('snaps to the nearest beat, not before the start of the file', () => {
  expect([0.8, 0.9, 64.58, -3].map((seconds) => snapToBeat(GRID, seconds))).toEqual([0.6, 1.1, 64.6, 0.1])
})

describe('setting the one', () => {
  test('makes the beat nearest to a time the first of its bar, and moves the first downbeat as little as possible', () => {
    // 61.1 is a downbeat of the grid; so are the results, counted in bars of 2 s.
    const downbeats = [61.2, 61.55, 62.1, 62.7].map((seconds) => setOne(GRID, seconds).first_downbeat_seconds)
    expect(downbeats).toEqual([1.1, 1.6, 2.1, 0.6])
  })

  test('does not move it before the start of the file', () => {
    expect(setOne({ ...GRID, first_downbeat_seconds: 0.1 }, 1.6).first_downbeat_seconds).toBe(1.6)
  })
})

describe('tapping', () => {
  const tapsAt = (start: number, beat: number, beats = [0, 1, 2, 3, 4, 5, 6, 7]) => beats.map((n) => start + n * beat)

  test('starts again after a pause of more than two seconds, and after a jump back', () => {
    expect(addTap([10, 10.5], 11)).toEqual([10, 10.5, 11])
    expect(addTap([10, 10.5], 12.6)).toEqual([12.6])
    expect(addTap([10, 10.5], 4)).toEqual([4])
    expect(addTap([], 4)).toEqual([4])
  })

  test('needs eight taps; the first is on the one, extended back to the start', () => {
    expect(fitTaps(tapsAt(10.25, 0.5, [0, 1, 2, 3, 4, 5, 6]))).toBeUndefined()
    expect(fitTaps(tapsAt(10.25, 0.5))).toEqual({ bpm: 120, first_downbeat_seconds: 0.25 })
  })

  test('averages uneven taps, and allows a missed one', () => {
    const uneven = [0.012, -0.02, 0.015, -0.007, 0.01, 0.004, -0.018, 0.006, 0.002]
    const taps = tapsAt(8, 60 / 126, [0, 1, 2, 3, 5, 6, 7, 8, 9]).map((seconds, i) => seconds + uneven[i]!)
    const fitted = fitTaps(taps)!
    expect(Math.abs(fitted.bpm - 126)).toBeLessThan(0.5)
    expect(
      Math.abs(
        ((fitted.first_downbeat_seconds - 8) * fitted.bpm) / 240 -
          Math.round(((fitted.first_downbeat_seconds - 8) * fitted.bpm) / 240),
      ),
    ).toBeLessThan(0.01)
  })

  test('keeps the bars of a grid with the same tempo', () => {
    // The first tap is the second beat of a bar of the grid, 30 ms late.
    expect(fitTaps(tapsAt(11.63, 0.5), GRID)).toEqual({ bpm: 120, first_downbeat_seconds: 1.13 })
    expect(fitTaps(tapsAt(11.63, 0.5), { ...GRID, bpm: 128 })).toEqual({ bpm: 120, first_downbeat_seconds: 1.63 })
  })

  test('faster than 400 BPM is no grid', () => {
    expect(fitTaps(tapsAt(1, 0.1))).toBeUndefined()
  })
})

test('times are written and read with milliseconds', () => {
  expect([0, 65.25, 59.9996].map(formatExactTime)).toEqual(['0:00.000', '1:05.250', '1:00.000'])
  expect(['1:05.250', '65,25', ' 7 ', '1:61', 'soon', ''].map(parseExactTime)).toEqual([
    ...[65.25, 65.25, 7],
    ...[undefined, undefined, undefined],
  ])
  expect(['124', '124,37', '124.375', '-3', ''].map(parseBpm)).toEqual([124, 124.37, undefined, undefined, undefined])
})

test('a grid has a tempo from 20 to 400 BPM and a downbeat', () => {
  expect(isSteadyGrid(GRID)).toBe(true)
  expect(isSteadyGrid({ ...GRID, bpm: null })).toBe(false)
  expect(isSteadyGrid({ ...GRID, bpm: 12 })).toBe(false)
  expect(isSteadyGrid({ ...GRID, first_downbeat_seconds: null })).toBe(false)
})
