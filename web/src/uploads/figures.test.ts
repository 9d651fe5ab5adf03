import { expect, test } from 'vitest'
import { barHeight, weekName } from './figures.ts'

test('names a week by its Monday in every time zone', () => {
  expect(weekName('2026-11-16')).toBe('Nov 16')
})

test('keeps one download visible next to a thousand, and shows none as a line', () => {
  expect([barHeight(0, 1000), barHeight(1, 1000), barHeight(500, 1000), barHeight(1000, 1000)]).toEqual([2, 6, 50, 100])
})
