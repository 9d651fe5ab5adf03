import { describe, expect, test } from 'vitest'
import { tempoChange } from './mixDescription.ts'

describe('tempo change', () => {
  test('is formatted with its sign and one decimal', () => {
    expect(tempoChange('same', 1.62)?.text).toBe('+1.6%')
    expect(tempoChange('same', -2)?.text).toBe('−2.0%')
    expect(tempoChange('same', -0.04)?.text).toBe('±0%')
  })

  test('is undefined when a tempo is not known', () => {
    expect(tempoChange(null, null)).toBeUndefined()
  })

  test('names half and double time, in short and in words', () => {
    expect(tempoChange('half', -0.8)).toEqual({ text: '½× −0.8%', meaning: '0.8% slower, at half tempo' })
    expect(tempoChange('double', 0)).toEqual({ text: '2× ±0%', meaning: 'at double tempo' })
    expect(tempoChange('same', 0)).toEqual({ text: '±0%', meaning: 'same tempo' })
  })
})
