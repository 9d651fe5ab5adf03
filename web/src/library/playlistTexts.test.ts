import { describe, expect, test } from 'vitest'
import { addedMessage, copyTitle } from './playlistTexts.ts'

describe('messages', () => {
  test('say how many songs were added and how many were already in the playlist', () => {
    expect(addedMessage('Warm-up', 1, 1)).toBe('1 song added to “Warm-up”.')
    expect(addedMessage('Warm-up', 1, 0)).toBe('Already in “Warm-up”.')
    expect(addedMessage('Warm-up', 3, 0)).toBe('All 3 songs are already in “Warm-up”.')
    expect(addedMessage('Warm-up', 3, 2)).toBe('2 songs added to “Warm-up”. 1 was already there.')
    expect(addedMessage('Warm-up', 5, 2)).toBe('2 songs added to “Warm-up”. 3 were already there.')
  })

  test('use the singular for one song', () => {
    expect(addedMessage('Warm-up', 2, 1)).toBe('1 song added to “Warm-up”. 1 was already there.')
    expect(addedMessage('Warm-up', 2, 0)).toBe('All 2 songs are already in “Warm-up”.')
    expect(addedMessage('Warm-up', 2, 2)).toBe('2 songs added to “Warm-up”.')
  })

  test('give a copy its own name within the length limit', () => {
    expect(copyTitle('Warm-up', 1)).toBe('Warm-up (copy)')
    expect(copyTitle('Warm-up', 2)).toBe('Warm-up (copy 2)')
    expect(copyTitle('x'.repeat(100), 1)).toHaveLength(100)
  })
})
