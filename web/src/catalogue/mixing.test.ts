import { describe, expect, test } from 'vitest'
import { formatKey, inEveryNotation, keyHue, tempoChange, tempoMatches } from './mixing.ts'

const at = (bpm: number, max = bpm) => ({ min_bpm: bpm, max_bpm: max })

describe('tempo', () => {
  test('a song within six per cent of the playing one matches', () => {
    expect(tempoMatches(at(100), at(106))).toBe(true)
    expect(tempoMatches(at(100), at(94))).toBe(true)
    expect(tempoMatches(at(100), at(107))).toBe(false)
  })

  test('half and double time match too', () => {
    expect(tempoMatches(at(87), at(174))).toBe(true)
    expect(tempoMatches(at(140), at(70))).toBe(true)
  })

  test('a transition is matched at the tempo it ends in', () => {
    expect(tempoMatches(at(98, 124), at(124))).toBe(true)
    expect(tempoMatches(at(98, 124), at(98))).toBe(false)
  })

  test('a song without a tempo matches nothing', () => {
    expect(tempoMatches(at(124), { min_bpm: null, max_bpm: null })).toBe(false)
  })
})

describe('the change of tempo', () => {
  test('is written with its sign and one place', () => {
    expect(tempoChange('same', 1.62)?.text).toBe('+1.6%')
    expect(tempoChange('same', -2)?.text).toBe('−2.0%')
    expect(tempoChange('same', -0.04)?.text).toBe('±0%')
  })

  test('is not said where a tempo is not known', () => {
    expect(tempoChange(null, null)).toBeUndefined()
  })

  test('names half and double time, for the eye and for the ear', () => {
    expect(tempoChange('half', -0.8)).toEqual({ text: '½× −0.8%', meaning: '0.8% slower, at half tempo' })
    expect(tempoChange('double', 0)).toEqual({ text: '2× ±0%', meaning: 'at double tempo' })
    expect(tempoChange('same', 0)).toEqual({ text: '±0%', meaning: 'same tempo' })
  })
})

describe('keys', () => {
  test('one key is written three ways', () => {
    expect(formatKey('Am', 'camelot')).toBe('8A')
    expect(formatKey('Am', 'open')).toBe('1m')
    expect(formatKey('F#m', 'musical')).toBe('F♯m')
    expect(inEveryNotation('Bb')).toBe('B♭ · 6B · 11d')
  })

  test('hues go round the wheel from teal', () => {
    expect(keyHue('G#m')).toBe(180)
    expect(keyHue('Fm')).toBe(90)
    expect(keyHue('Am')).toBe(330)
  })
})
