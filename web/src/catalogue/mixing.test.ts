import { describe, expect, test } from 'vitest'
import { formatKey, inEveryNotation, keyHue, tempoMatches } from './mixing.ts'

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
