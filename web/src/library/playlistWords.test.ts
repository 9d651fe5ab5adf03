import { describe, expect, test } from 'vitest'
import { addedMessage, copyTitle } from './playlistTexts.ts'

describe('what is said', () => {
  test('after adding: how many went in, and how many were there already', () => {
    expect(addedMessage('Warm-up', 1, 1)).toBe('1 song added to “Warm-up”.')
    expect(addedMessage('Warm-up', 1, 0)).toBe('Already in “Warm-up”.')
    expect(addedMessage('Warm-up', 3, 0)).toBe('All 3 songs are already in “Warm-up”.')
    expect(addedMessage('Warm-up', 3, 2)).toBe('2 songs added to “Warm-up”. 1 was already there.')
    expect(addedMessage('Warm-up', 5, 2)).toBe('2 songs added to “Warm-up”. 3 were already there.')
  })

  test('a copy has a name of its own, no longer than a name may be', () => {
    expect(copyTitle('Warm-up', 1)).toBe('Warm-up (copy)')
    expect(copyTitle('Warm-up', 2)).toBe('Warm-up (copy 2)')
    expect(copyTitle('x'.repeat(100), 1)).toHaveLength(100)
  })
})
