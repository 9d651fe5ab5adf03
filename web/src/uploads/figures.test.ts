import { expect, test } from 'vitest'
import { barHeight, weekName } from './figures.ts'

test('a week is called by its Monday, wherever the reader is', () => {
  expect(weekName('2026-11-16')).toBe('Nov 16')
})

test('one download beside a thousand is still seen, and none is a line', () => {
  expect([barHeight(0, 1000), barHeight(1, 1000), barHeight(500, 1000), barHeight(1000, 1000)]).toEqual([2, 6, 50, 100])
})
