import { describe, expect, test } from 'vitest'
import { everyNotation, keyHue, tempoMatches, writeKey } from './mixing.ts'

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

describe('keys', () => {
  test('one key is written three ways', () => {
    expect(writeKey('Am', 'camelot')).toBe('8A')
    expect(writeKey('Am', 'open')).toBe('1m')
    expect(writeKey('F#m', 'musical')).toBe('F♯m')
    expect(everyNotation('Bb')).toBe('B♭ · 6B · 11d')
  })

  test('hues go round the wheel from teal', () => {
    expect(keyHue('G#m')).toBe(180)
    expect(keyHue('Fm')).toBe(90)
    expect(keyHue('Am')).toBe(330)
  })
})
