import { expect, test } from 'vitest'
import { accentValues, complaintsOfAccent, MADE, readColour } from './accent.ts'

test.each([
  ['#c8f135', '#c8f135'],
  [' C8F135 ', '#c8f135'],
  ['#abc', '#aabbcc'],
  ['#ab', undefined],
  ['lime', undefined],
  ['', undefined],
])('%s is read as %s', (typed, colour) => {
  expect(readColour(typed)).toBe(colour)
})

test('the colours it came with have nothing wrong with them', () => {
  expect(complaintsOfAccent(MADE)).toEqual({})
})

test('what cannot be read is said at its colour, with the nearest one that can', () => {
  const complaints = complaintsOfAccent({ night: '#223366', day: 'blue' })
  expect(complaints['accent.night']).toMatch(
    /^Not readable: button text and others \(see below\)\. Try #[0-9a-f]{6}\.$/,
  )
  expect(complaints['accent.day']).toBe('Enter a colour such as #c8f135.')
})

test('what is sent is spelt out', () => {
  expect(accentValues({ night: 'fff', day: '#000000' })).toEqual({ accent: { night: '#ffffff', day: '#000000' } })
})
