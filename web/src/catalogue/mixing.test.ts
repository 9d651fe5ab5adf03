import { describe, expect, test } from 'vitest'
import { formatKey, inEveryNotation, keyHue, tempoChange, tempoMatches } from './mixing.ts'

const at = (bpm: number, max = bpm) => ({ min_bpm: bpm, max_bpm: max })

describe('tempo', () => {
  test('matches a song within six per cent of the playing one', () => {
    expect(tempoMatches(at(100), at(106))).toBe(true)
    expect(tempoMatches(at(100), at(94))).toBe(true)
    expect(tempoMatches(at(100), at(107))).toBe(false)
  })

  test('matches half and double time', () => {
    expect(tempoMatches(at(87), at(174))).toBe(true)
    expect(tempoMatches(at(140), at(70))).toBe(true)
  })

  test('matches a transition at the tempo it ends in', () => {
    expect(tempoMatches(at(98, 124), at(124))).toBe(true)
    expect(tempoMatches(at(98, 124), at(98))).toBe(false)
  })

  test('matches nothing for a song without a tempo', () => {
    expect(tempoMatches(at(124), { min_bpm: null, max_bpm: null })).toBe(false)
  })
})

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

describe('keys', () => {
  test('are formatted in three notations', () => {
    expect(formatKey('Am', 'camelot')).toBe('8A')
    expect(formatKey('Am', 'open')).toBe('1m')
    expect(formatKey('F#m', 'musical')).toBe('F♯m')
    expect(inEveryNotation('Bb')).toBe('B♭ · 6B · 11d')
  })

  test('have hues around the wheel that start with teal', () => {
    expect(keyHue('G#m')).toBe(180)
    expect(keyHue('Fm')).toBe(90)
    expect(keyHue('Am')).toBe(330)
  })
})
