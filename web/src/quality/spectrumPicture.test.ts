import { SPECTRUM_BANDS } from '@dubplate/contract/spectrum'
import { expect, test } from 'vitest'
import { frequencyTicks, hasCutoff, spectrumPixels, timeTicks } from './spectrumPicture.ts'

const lightness = ([red = 0, green = 0, blue = 0]: ArrayLike<number> & Iterable<number>) =>
  0.2126 * red + 0.7152 * green + 0.0722 * blue

test('draws low frequencies at the bottom, columns from left to right', () => {
  const levels = new Uint8Array(2 * SPECTRUM_BANDS).fill(60)
  levels[SPECTRUM_BANDS] = 0 // The lowest band of the second column, at full level.
  const pixels = spectrumPixels(levels, 'dark')
  const at = (row: number, column: number) => pixels.slice((row * 2 + column) * 4, (row * 2 + column) * 4 + 4)
  const bottom = SPECTRUM_BANDS - 1
  expect([...at(bottom, 1)]).toEqual([252, 253, 191, 255])
  expect([...at(bottom, 0)]).toEqual([12, 13, 16, 255])
  expect([...at(0, 1)]).toEqual([12, 13, 16, 255])
})

test.each([
  ['dark', 1],
  ['light', -1],
] as const)('in the %s scheme, the lightness changes in one direction with the level', (scheme, sign) => {
  const levels = Uint8Array.from({ length: SPECTRUM_BANDS }, (_, band) => Math.max(0, 60 - band))
  const pixels = spectrumPixels(levels, scheme)
  const rising = Array.from({ length: 61 }, (_, n) => {
    const row = SPECTRUM_BANDS - 1 - n
    return sign * lightness(pixels.slice(row * 4, row * 4 + 3))
  })
  expect(rising).toEqual(rising.toSorted((a, b) => a - b))
})

test('names at most eight times, at round intervals', () => {
  expect(timeTicks(62)).toEqual([0, 10, 20, 30, 40, 50, 60])
  expect(timeTicks(200)).toEqual([0, 30, 60, 90, 120, 150, 180])
  for (const seconds of [3, 400, 3600, 10_800]) expect(timeTicks(seconds).length).toBeLessThanOrEqual(8)
})

test('names every five kilohertz up to the top', () => {
  expect(frequencyTicks(22_050)).toEqual([0, 5000, 10_000, 15_000, 20_000])
})

test('has a cutoff where content ends clearly below the top', () => {
  expect(hasCutoff({ highest_hz: 16_000, top_hz: 22_050 })).toBe(true)
  expect(hasCutoff({ highest_hz: 21_000, top_hz: 22_050 })).toBe(false)
  expect(hasCutoff({ highest_hz: null, top_hz: 22_050 })).toBe(false)
})
