import { describe, expect, test } from 'vitest'
import { makeSong } from '../../test/samples.ts'
import { fittingPitch, formatKey, formatPitch, inEveryNotation, keyHue } from './mixing.ts'

const at = (bpm: number | null, max = bpm, song_key = 'Am') => makeSong({ min_bpm: bpm, max_bpm: max, song_key })

describe('the pitch change that fits what’s playing', () => {
  test('is at most six per cent', () => {
    expect(fittingPitch(at(124), at(128))).toBe(-3.1)
    expect(fittingPitch(at(100), at(106))).toBe(-5.7)
    expect(fittingPitch(at(100), at(107))).toBeUndefined()
    expect(fittingPitch(at(100), at(94))).toBeUndefined()
  })

  test('is also measured at half and double time', () => {
    expect(fittingPitch(at(87), at(174))).toBe(0)
    expect(fittingPitch(at(140), at(70))).toBe(0)
  })

  test('is measured from the tempo in which the playing song ends', () => {
    expect(fittingPitch(at(98, 124), at(124))).toBe(0)
    expect(fittingPitch(at(98, 124), at(98))).toBeUndefined()
  })

  test('is known only with a tempo and in the same, a relative or a neighbouring key', () => {
    expect(fittingPitch(at(124), at(null))).toBeUndefined()
    for (const key of ['C', 'Em', 'Dm']) expect(fittingPitch(at(124), at(124, 124, key))).toBe(0)
    for (const key of ['F#', 'Bm', '']) expect(fittingPitch(at(124), at(124, 124, key))).toBeUndefined()
  })

  test('is shown with a sign', () => {
    expect([-3.1, 0, 2].map(formatPitch)).toEqual(['−3.1 %', '0 %', '+2 %'])
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
