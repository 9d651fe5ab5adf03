import { describe, expect, test } from 'vitest'
import { expectedTempo, usualTempoOf } from './usual-tempo.ts'

const rounded = (range: [number, number] | undefined) => range?.map(Math.round)

describe('the usual tempo of some songs', () => {
  test('is around their median, and leaves out single ones that differ', () => {
    expect(rounded(usualTempoOf([172, 174, 175, 174, 87]))).toEqual(undefined)
    expect(rounded(usualTempoOf([172, 174, 175, 174, 173, 176, 174, 172, 175, 174, 87]))).toEqual([129, 235])
  })

  test('is unknown for few songs, and for songs of all tempos', () => {
    expect(usualTempoOf([120, 121, 122])).toBeUndefined()
    expect(usualTempoOf([80, 100, 120, 140, 160])).toBeUndefined()
  })
})

describe('the expected tempo', () => {
  const relatives = [[], [174, 174, 172, 175]]

  test('is that of the tags, then of the first genre that has one, then of the relatives', () => {
    expect(rounded(expectedTempo({ bpm: 100, genres: ['Drum & Bass'], relatives }))).toEqual([74, 135])
    expect(expectedTempo({ genres: ['Pop', 'Drum & Bass'], relatives })).toEqual([160, 180])
    expect(rounded(expectedTempo({ genres: ['Pop'], relatives }))).toEqual([129, 235])
    expect(expectedTempo({ genres: ['Pop'], relatives: [[]] })).toBeUndefined()
  })
})
