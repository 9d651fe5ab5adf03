import { describe, expect, test } from 'vitest'
import { camelot, camelotOrder, KEYS, mixesWith, openKey, parseKey, type SongKey } from './keys.ts'

// Taken from Mixxx's keyutils.cpp and the Camelot wheel, so that the arithmetic is checked against a table.
const TABLE: [SongKey, string, string][] = [
  ['C', '8B', '1d'],
  ['Db', '3B', '8d'],
  ['D', '10B', '3d'],
  ['Eb', '5B', '10d'],
  ['E', '12B', '5d'],
  ['F', '7B', '12d'],
  ['F#', '2B', '7d'],
  ['G', '9B', '2d'],
  ['Ab', '4B', '9d'],
  ['A', '11B', '4d'],
  ['Bb', '6B', '11d'],
  ['B', '1B', '6d'],
  ['Cm', '5A', '10m'],
  ['C#m', '12A', '5m'],
  ['Dm', '7A', '12m'],
  ['Ebm', '2A', '7m'],
  ['Em', '9A', '2m'],
  ['Fm', '4A', '9m'],
  ['F#m', '11A', '4m'],
  ['Gm', '6A', '11m'],
  ['G#m', '1A', '6m'],
  ['Am', '8A', '1m'],
  ['Bbm', '3A', '8m'],
  ['Bm', '10A', '3m'],
]

describe('keys', () => {
  test.each(TABLE)(
    '%s is %s on the Camelot wheel and %s in Open Key, in both directions',
    (key, onCamelot, onOpenKey) => {
      expect([camelot(key), openKey(key)]).toEqual([onCamelot, onOpenKey])
      expect([parseKey(onCamelot), parseKey(onOpenKey), parseKey(key)]).toEqual([key, key, key])
    },
  )

  test('the table contains every key once', () => {
    expect(TABLE.map(([key]) => key)).toEqual([...KEYS])
  })

  test.each([
    ['A minor', 'Am'],
    ['a', 'Am'],
    ['am', 'Am'],
    ['A-min', 'Am'],
    ['AMIN', 'Am'],
    ['a moll', 'Am'],
    ['A', 'A'],
    ['AM', 'A'],
    ['a major', 'A'],
    ['Abm', 'G#m'],
    ['A♭m', 'G#m'],
    ['G♯ minor', 'G#m'],
    ['A flat minor', 'G#m'],
    ['bb', 'Bbm'],
    ['b', 'Bm'],
    ['Cbm', 'Bm'],
    ['E#', 'F'],
    ['C#', 'Db'],
    ['Gb', 'F#'],
    ['D#m/Ebm', 'Ebm'],
    ['08A', 'Am'],
    ['8a', 'Am'],
    [' 12B ', 'E'],
    ['1M', 'Am'],
    ['10D', 'Eb'],
  ] as [string, SongKey][])('“%s” is parsed as %s', (input, key) => {
    expect(parseKey(input)).toBe(key)
  })

  test.each(['', 'H', '0A', '13B', '8C', 'Am7', 'off key', 'o', '124'])('“%s” is not a key', (input) => {
    expect(parseKey(input)).toBeUndefined()
  })

  test('a key mixes with itself, its neighbours and its relative, also across the top of the wheel', () => {
    const partners = KEYS.filter((key) => mixesWith('Am', key)).map(camelot)
    expect(partners.sort()).toEqual(['7A', '8A', '8B', '9A'])
    expect(mixesWith('G#m', 'C#m')).toBe(true)
    expect(mixesWith('Am', 'G')).toBe(false)
  })

  test('sorts in the order of the wheel: 1A, 1B, 2A … 12B', () => {
    const sorted = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b)).map(camelot)
    expect(sorted.slice(0, 3)).toEqual(['1A', '1B', '2A'])
    expect(sorted.at(-1)).toBe('12B')
    expect(sorted.map((_, index) => index + 1)).toEqual(KEYS.map((key) => camelotOrder(key)).sort((a, b) => a - b))
  })
})
