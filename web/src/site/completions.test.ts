import { tokenAt } from '@dubplate/contract/query'
import { expect, test } from 'vitest'
import { type Completion, completionsOf, type Vocabulary } from './completions.ts'

const vocabulary: Vocabulary = {
  notation: 'camelot',
  genres: ['Afro House', 'House', 'Deep House', 'Techno'],
  versions: ['Intro Clean', 'Intro Dirty', 'Clean'],
  artists: ['Daft Punk'],
  labels: ['Toolroom'],
  year: 2026,
}

/** The completions with the caret at the `|`. */
function at(markedText: string, changes: Partial<Vocabulary> = {}): Completion[] {
  const caret = markedText.indexOf('|')
  const text = markedText.replace('|', '')
  return completionsOf(text, tokenAt(text, caret), { ...vocabulary, ...changes })
}

/** The text after a completion, with its caret. */
const written = ({ text, caret }: Completion) => `${text.slice(0, caret)}|${text.slice(caret)}`
const labels = (completions: Completion[]) => completions.map(({ label }) => label)

test('completes an operator with its example and meaning, and then offers its values', () => {
  const [bpm, ...others] = at('midnight bp|')
  expect(others).toEqual([])
  expect(bpm).toMatchObject({ label: 'bpm:120-126', meaning: expect.stringContaining('BPM range') })
  expect(written(bpm!)).toBe('midnight bpm:|')
})

test('keeps the minus of an excluding operator', () => {
  expect(at('-gen|').map(written)).toEqual(['-genre:|'])
})

test('offers both ways to search by key, and not:downloaded as a whole', () => {
  expect(at('ke|').map(written)).toEqual(['key:|'])
  expect(at('key|').map(written)).toEqual(['key:|', '~key:|'])
  expect(at('~|').map(written)).toEqual(['~key:|'])
  expect(at('no|').map(written)).toEqual(['not:downloaded |'])
})

test('offers nothing for a quoted word and for an empty text', () => {
  expect(at('"bp|')).toEqual([])
  expect(at('house |')).toEqual([])
})

test('offers the 24 keys in wheel order in the user’s notation for key:', () => {
  expect(labels(at('key:|'))).toHaveLength(24)
  expect(labels(at('key:|')).slice(0, 3)).toEqual(['key:1A', 'key:1B', 'key:2A'])
  expect(labels(at('key:|', { notation: 'musical' }))[0]).toBe('key:G#m')
  expect(labels(at('key:8|'))).toEqual(['key:8A', 'key:8B'])
  expect(labels(at('key:8|', { notation: 'open' }))).toEqual(['key:8m', 'key:8d'])
})

test('finds a key in another notation, and writes it in the user’s', () => {
  expect(at('key:am|').map(written)).toEqual(['key:8A |'])
})

test('completes another key after a comma', () => {
  expect(at('key:8A,9| remix').map(written)).toEqual(['key:8A,9A |remix', 'key:8A,9B |remix'])
})

test('offers compatible keys and the tempo of the playing song first', () => {
  const playing = { bpm: 125, key: 'Am' as const }
  expect(at('~key:|', { playing })[0]).toMatchObject({ label: '~key:8A', meaning: 'Compatible with the current song' })
  expect(labels(at('~key:|', { playing }))).toHaveLength(24)
  expect(labels(at('bpm:|', { playing }))[0]).toBe('bpm:118-132')
  expect(labels(at('bpm:|'))[0]).toBe('bpm:120-126')
})

test('offers a range around a typed tempo', () => {
  expect(labels(at('bpm:124|'))).toEqual(['bpm:124', 'bpm:121-127', 'bpm:117-131'])
})

test('finds a genre by any of its words, and quotes it if it has two', () => {
  expect(at('genre:ho|').map(written)).toEqual(['genre:House |', 'genre:"Afro House" |', 'genre:"Deep House" |'])
  expect(at('genre:"afro ho|').map(written)).toEqual(['genre:"Afro House" |'])
  expect(at('version:intro|').map(written)).toEqual(['version:"Intro Clean" |', 'version:"Intro Dirty" |'])
})

test('completes only the term at the caret', () => {
  expect(at('bpm:120 gen| key:8A').map(written)).toEqual(['bpm:120 genre:| key:8A'])
  expect(at('genre:te| key:8A').map(written)).toEqual(['genre:Techno |key:8A'])
})

test('offers years relative to today', () => {
  expect(labels(at('year:|'))).toEqual(['year:2026', 'year:2022-2026', 'year:1990-1999', 'year:<2000'])
  expect(labels(at('year:19|'))).toEqual(['year:1990-1999'])
})

test('offers artists in the order of the suggestions', () => {
  expect(at('artist:da|').map(written)).toEqual(['artist:"Daft Punk" |'])
})
