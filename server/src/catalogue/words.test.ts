import { expect, test } from 'vitest'
import { fc } from '../../test/properties.ts'
import { editDistance } from './words.ts'

test.each([
  ['night', 'night', 0],
  ['night', 'nigth', 1],
  ['night', 'nght', 1],
  ['night', 'nightt', 1],
  ['night', 'mights', 2],
  ['', 'abc', 3],
  ['ca', 'abc', 3],
  ['x'.repeat(200), 'y'.repeat(100), 200],
])('counts the differences of %s and %s', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance)
  expect(editDistance(b, a)).toBe(distance)
})

test('stops above the limit', { tags: ['property'] }, () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  fc.assert(
    fc.property(word, word, fc.nat(6), (a, b, limit) => {
      const distance = editDistance(a, b)
      const limited = editDistance(a, b, limit)
      return distance <= limit ? limited === distance : limited > limit
    }),
  )
})
