import { expect, test } from 'vitest'
import { changeOf, keyIn, secondsOf, startOf, tempoOf } from './songFields.ts'

test('a tempo is written as it is typed: one number, or two with a dash', () => {
  expect(tempoOf({ min_bpm: 124, max_bpm: 124 })).toBe('124')
  expect(tempoOf({ min_bpm: 98, max_bpm: 124.504 })).toBe('98-124.5')
  expect(tempoOf({ min_bpm: null, max_bpm: null })).toBe('')
})

test('a key is shown in the notation that was chosen', () => {
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
])('a preview start of %s is %s seconds', (typed, seconds) => {
  expect(secondsOf(typed)).toBe(seconds)
})

test.each([0, 5, 65, 30.5, 120.25, 59.99, 3600])('a start of %s seconds is read as it is written', (seconds) => {
  expect(secondsOf(startOf(seconds))).toBe(seconds)
})

test('spaces around what is typed do not count', () => {
  expect(changeOf('title', ' Night ')).toEqual({ title: 'Night' })
})
