import { expect, test } from 'vitest'
import { DEFAULT_COLOURS, readColour, toStored, validateAccent } from './accent.ts'

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
  expect(validateAccent(DEFAULT_COLOURS)).toEqual({})
})

test('reports an unreadable colour and suggests the nearest readable one', () => {
  const errors = validateAccent({ night: '#223366', day: 'blue' })
  expect(errors.night).toMatch(/^Contrast too low: Button text and others \(see below\)\. Try #[0-9a-f]{6}\.$/)
})

test('sends colours in their long form', () => {
  expect(toStored({ night: 'fff', day: '#000000' })).toEqual({ accent: { night: '#ffffff', day: '#000000' } })
})
