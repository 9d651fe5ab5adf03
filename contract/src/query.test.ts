import { describe, expect, test } from 'vitest'
import { OPERATORS, parseQuery, tokenAt } from './query.ts'

const summarise = (text: string) =>
  parseQuery(text).map(({ kind, value, negated, compatible }) =>
    [negated ? '-' : '', compatible ? '~' : '', kind, ' ', value].join(''),
  )

describe('the search box', () => {
  test.each([
    ['midnight runner', ['word midnight', 'word runner']],
    ['"daft punk" around', ['phrase daft punk', 'word around']],
    ['bpm:120-126 key:8A,9A ~key:Am', ['bpm 120-126', 'key 8A,9A', '~key Am']],
    ['bpm:>=120 year:<2000', ['bpm >=120', 'year <2000']],
    [
      'genre:"afro house" version:"intro clean" artist:beyonce title:sun',
      ['genre afro house', 'version intro clean', 'artist beyonce', 'title sun'],
    ],
    ['not:downloaded', ['downloaded downloaded']],
    [
      '-remix -genre:trance -"radio edit" -key:8A -~key:9B',
      ['-word remix', '-genre trance', '-phrase radio edit', '-key 8A', '-~key 9B'],
    ],
  ])('%s', (text, parts) => {
    expect(summarise(text)).toEqual(parts)
  })

  test('ignores the case of an operator and keeps the case of its value', () => {
    expect(summarise('BPM:124 Artist:Beyoncé ~Key:8a')).toEqual(['bpm 124', 'artist Beyoncé', '~key 8a'])
  })

  test('treats an unknown operator as plain words', () => {
    expect(summarise('foo:bar 12:30 http://x ~title:a')).toEqual([
      'word foo:bar',
      'word 12:30',
      'word http://x',
      'word ~title:a',
    ])
  })

  test('keeps a hyphen inside a word, also between artist and title', () => {
    expect(summarise('Anti-Hero re-edit')).toEqual(['word Anti-Hero', 'word re-edit'])
    expect(summarise('Halo - Midnight – Sun')).toEqual(['word Halo', 'word Midnight', 'word Sun'])
  })

  test('ends an unclosed quote with the text and treats one inside a word as an inch mark', () => {
    expect(summarise('artist:"daft punk')).toEqual(['artist daft punk'])
    expect(summarise('"one more')).toEqual(['phrase one more'])
    expect(summarise('12" mix')).toEqual(['word 12"', 'word mix'])
    expect(summarise('“one more” time')).toEqual(['phrase one more', 'word time'])
  })

  test('ignores incomplete input', () => {
    expect(parseQuery('- key: -key: "" -"" bpm: ~key: & !!! "')).toEqual([])
  })

  test('keeps the typed text of each part', () => {
    expect(parseQuery(' -Genre:"Afro House"  midnight ').map(({ source }) => source)).toEqual([
      '-Genre:"Afro House"',
      'midnight',
    ])
  })

  test('every operator has an example that parses as this operator', () => {
    for (const { name, example } of OPERATORS) expect(tokenAt(example, example.length)?.operator).toBe(name)
  })
})

describe('the caret', () => {
  test('is in a token up to its end, with the value up to the caret', () => {
    expect(tokenAt('midnight genre:afr', 18)).toMatchObject({
      start: 9,
      end: 18,
      operator: 'genre',
      value: 'afr',
      valueStart: 15,
    })
    expect(tokenAt('genre:house', 8)).toMatchObject({ operator: 'genre', value: 'ho', end: 11 })
    expect(tokenAt('midn', 4)).toMatchObject({ operator: undefined, value: 'midn', negated: false })
  })

  test('is in a quoted value, including its spaces', () => {
    expect(tokenAt('-genre:"afro ho', 15)).toMatchObject({
      negated: true,
      operator: 'genre',
      quoted: true,
      value: 'afro ho',
    })
    expect(tokenAt('genre:"afro" x', 12)).toMatchObject({ operator: 'genre', value: 'afro' })
  })

  test('is in an operator without a value; has no token before the first word', () => {
    expect(tokenAt('key:', 4)).toMatchObject({ operator: 'key', value: '' })
    expect(tokenAt('key:8A', 0)).toMatchObject({ operator: 'key', value: '' })
  })

  test('has no token between tokens', () => {
    expect(tokenAt('a  b', 2)).toBeUndefined()
    expect(tokenAt('', 0)).toBeUndefined()
  })
})
