import { expect, test } from 'vitest'
import { initials } from './initials.ts'

test('uses the first letters of the first two words of a name', () => {
  expect(initials('Mara Voss')).toBe('MV')
  expect(initials('kilo')).toBe('K')
  expect(initials(' the  night shift crew ')).toBe('TN')
  expect(initials('')).toBe('')
})

test('keeps a letter whole that takes two UTF-16 units', () => {
  expect(initials('🎧 maria')).toBe('🎧M')
})
