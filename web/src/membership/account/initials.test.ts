import { expect, test } from 'vitest'
import { initials } from './initials.ts'

test('a name without a picture is shown by the first letters of its first two words', () => {
  expect(initials('Mara Voss')).toBe('MV')
  expect(initials('kilo')).toBe('K')
  expect(initials(' the  night shift crew ')).toBe('TN')
  expect(initials('')).toBe('')
})

test('a letter that is written with two units stays whole', () => {
  expect(initials('🎧 maria')).toBe('🎧M')
})
