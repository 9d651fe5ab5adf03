import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

test('what was made of a text is made once, as long as it is among the last that were asked for', () => {
  const cached: string[] = []
  const upper = memoize((text) => {
    cached.push(text)
    return text.toUpperCase()
  }, 2)
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(upper)).toEqual(['A', 'B', 'A', 'C', 'A', 'B'])
  expect(cached).toEqual(['a', 'b', 'c', 'b'])
})
