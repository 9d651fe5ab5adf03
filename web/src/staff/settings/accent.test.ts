import { expect, test } from 'vitest'
import { accentValues, complaintsOfAccent, MADE, readColour } from './accent.ts'

test.each([
  ['#c8f135', '#c8f135'],
  [' C8F135 ', '#c8f135'],
  ['#abc', '#aabbcc'],
  ['#ab', undefined],
  ['lime', undefined],
  ['', undefined],
])('parses %s as %s', (typed, colour) => {
  expect(readColour(typed)).toBe(colour)
})

test('finds no error in the default colours', () => {
  expect(complaintsOfAccent(MADE)).toEqual({})
})

test('reports an unreadable colour and suggests the nearest readable one', () => {
  const complaints = complaintsOfAccent({ night: '#223366', day: 'blue' })
  expect(complaints['accent.night']).toMatch(
    /^Contrast too low: Button text and others \(see below\)\. Try #[0-9a-f]{6}\.$/,
  )
  expect(complaints['accent.day']).toBe('Enter a colour such as #c8f135.')
})

test('sends colours in their long form', () => {
  expect(accentValues({ night: 'fff', day: '#000000' })).toEqual({ accent: { night: '#ffffff', day: '#000000' } })
})
