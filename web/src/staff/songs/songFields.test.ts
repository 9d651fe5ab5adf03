import { expect, test } from 'vitest'
import { formatSongKey, formatStart, formatTempo, parseStart, textChange } from './songFields.ts'

test('writes a tempo as it is typed: one number, or two with a dash', () => {
  expect(formatTempo({ min_bpm: 124, max_bpm: 124 })).toBe('124')
  expect(formatTempo({ min_bpm: 98, max_bpm: 124.504 })).toBe('98-124.5')
  expect(formatTempo({ min_bpm: null, max_bpm: null })).toBe('')
})

test('shows a key in the chosen notation', () => {
  expect([
    formatSongKey('camelot', 'Am'),
    formatSongKey('open', 'Am'),
    formatSongKey('musical', 'Eb'),
    formatSongKey('camelot', null),
  ]).toEqual(['8A', '1m', 'E♭', ''])
})

test.each([
  ['1:05', 65],
  ['65', 65],
  ['0:30.5', 30.5],
  ['2:00,25', 120.25],
  ['1:75', undefined],
  ['soon', undefined],
])('parses the preview start %s as %s seconds', (typed, seconds) => {
  expect(parseStart(typed)).toBe(seconds)
})

test.each([0, 5, 65, 30.5, 120.25, 59.99, 3600])(
  'formats a start of %s seconds so that it parses to the same value',
  (seconds) => {
    expect(parseStart(formatStart(seconds))).toBe(seconds)
  },
)

test('trims spaces around typed text', () => {
  expect(textChange('title', ' Night ')).toEqual({ title: 'Night' })
})
