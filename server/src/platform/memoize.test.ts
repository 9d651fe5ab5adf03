import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('computes the result for a text once while it is among the most recently requested ones', () => {
  const cached: string[] = []
  const upper = memoize((text) => {
    cached.push(text)
    return text.toUpperCase()
  }, 2)
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(cached).toEqual(['a', 'b', 'c', 'b'])
})
