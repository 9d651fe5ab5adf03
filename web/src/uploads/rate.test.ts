import { expect, test } from 'vitest'
import { rateOf, type Sample, sendingText, timeLeft, withSample } from './rate.ts'

const sampled = (...samples: [at_ms: number, bytes: number][]) =>
  samples.reduce<Sample[]>((editedFields, [at_ms, bytes]) => withSample(editedFields, { at_ms, bytes }), [])

test('uses the rate of the last ten seconds', () => {
  expect(rateOf(sampled([0, 0], [5_000, 5_000], [12_000, 26_000]))).toBe(3_000)
})

test('returns no rate before a second has passed, or while nothing is sent', () => {
  expect(rateOf(sampled([0, 0]))).toBeUndefined()
  expect(rateOf(sampled([0, 0], [900, 9_000]))).toBeUndefined()
  expect(rateOf(sampled([0, 500], [5_000, 500]))).toBeUndefined()
})

test('starts over when bytes are sent again', () => {
  expect(sampled([0, 0], [2_000, 8_000], [3_000, 4_000])).toEqual([{ at_ms: 3_000, bytes: 4_000 }])
})

test('rounds the time left to its accuracy', () => {
  expect([3, 31, 57, 100, 600, 3_540, 4_800, 7_200].map(timeLeft)).toEqual([
    'a few seconds left',
    'about 35 s left',
    'about 1 min left',
    'about 2 min left',
    'about 10 min left',
    'about 59 min left',
    'about 1 h 20 min left',
    'about 2 h left',
  ])
})

test('shows the bytes sent, with rate and time once they are known', () => {
  expect(sendingText(12e6, 48e6, 1.2e6)).toBe('12 MB of 48 MB, 1.2 MB/s, about 30 s left')
  expect(sendingText(0, 48e6, undefined)).toBe('0 B of 48 MB')
})
