import { expect, test } from 'vitest'
import { changeOf, keyIn, secondsOf, startOf, tempoOf } from './songFields.ts'

test('writes a tempo as it is typed: one number, or two with a dash', () => {
  expect(tempoOf({ min_bpm: 124, max_bpm: 124 })).toBe('124')
  expect(tempoOf({ min_bpm: 98, max_bpm: 124.504 })).toBe('98-124.5')
  expect(tempoOf({ min_bpm: null, max_bpm: null })).toBe('')
})

test('shows a key in the chosen notation', () => {
  expect([keyIn('camelot', 'Am'), keyIn('open', 'Am'), keyIn('musical', 'Eb'), keyIn('camelot', null)]).toEqual([
    '8A',
    '1m',
    'E♭',
    '',
  ])
})

test.each([
  ['1:05', 65],
  ['65', 65],
  ['0:30.5', 30.5],
  ['2:00,25', 120.25],
  ['1:75', undefined],
  ['soon', undefined],
])('parses the preview start %s as %s seconds', (typed, seconds) => {
  expect(secondsOf(typed)).toBe(seconds)
})

test.each([0, 5, 65, 30.5, 120.25, 59.99, 3600])(
  'formats a start of %s seconds so that it parses to the same value',
  (seconds) => {
    expect(secondsOf(startOf(seconds))).toBe(seconds)
  },
)

test('trims spaces around typed text', () => {
  expect(changeOf('title', ' Night ')).toEqual({ title: 'Night' })
})
