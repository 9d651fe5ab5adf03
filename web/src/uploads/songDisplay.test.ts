import { expect, test } from 'vitest'
import { barHeight, truncate, weekName } from './songDisplay.ts'

const REASON =
  'The first eight bars of the intro have no beat to mix on. Please upload a version that starts with drums.'

test('keeps a text that is only slightly too long', () => {
  expect(truncate(REASON)).toBe(REASON)
})

test('cuts a long text after a whole word, without trailing separators', () => {
  expect(truncate(`${REASON} Then we listen to it again, as soon as we can.`)).toBe(
    'The first eight bars of the intro have no beat to mix on. Please upload a version that…',
  )
  expect(truncate(`${'Clean: it is silent. '.repeat(8)}`)).toMatch(/it is silent…$/)
})

test('cuts a single long word at the end of the row', () => {
  expect(truncate('x'.repeat(300))).toBe(`${'x'.repeat(90)}…`)
})

test('names a week by its Monday in every time zone', () => {
  expect(weekName('2026-11-16')).toBe('16 Nov')
})

test('keeps one download visible next to a thousand, and shows none as a line', () => {
  expect([barHeight(0, 1000), barHeight(1, 1000), barHeight(500, 1000), barHeight(1000, 1000)]).toEqual([2, 6, 50, 100])
})
