import { tokenAt } from '@dubplate/contract/query'
import { expect, test } from 'vitest'
import { type Completion, completionsOf, type Vocabulary } from './completions.ts'

const vocabulary: Vocabulary = {
  notation: 'camelot',
  genres: ['Afro House', 'House', 'Deep House', 'Techno'],
  versions: ['Intro Clean', 'Intro Dirty', 'Clean'],
  artists: ['Daft Punk'],
  year: 2026,
}

/** The completions where the caret stands at the `|`. */
function at(markedText: string, changes: Partial<Vocabulary> = {}): Completion[] {
  const caret = markedText.indexOf('|')
  const text = markedText.replace('|', '')
  return completionsOf(text, tokenAt(text, caret), { ...vocabulary, ...changes })
}

/** A completion as the text it leads to, with the caret in it. */
const written = ({ text, caret }: Completion) => `${text.slice(0, caret)}|${text.slice(caret)}`
const labels = (completions: Completion[]) => completions.map(({ label }) => label)

test('the beginning of an operator brings its example and its meaning, and choosing it leads to its values', () => {
  const [bpm, ...others] = at('midnight bp|')
  expect(others).toEqual([])
  expect(bpm).toMatchObject({ label: 'bpm:120-126', meaning: expect.stringContaining('BPM range') })
  expect(written(bpm!)).toBe('midnight bpm:|')
})

test('an operator that excludes keeps its minus', () => {
  expect(at('-gen|').map(written)).toEqual(['-genre:|'])
})

test('both ways to ask for a key are offered, and not:downloaded comes whole', () => {
  expect(at('ke|').map(written)).toEqual(['key:|'])
  expect(at('key|').map(written)).toEqual(['key:|', '~key:|'])
  expect(at('~|').map(written)).toEqual(['~key:|'])
  expect(at('no|').map(written)).toEqual(['not:downloaded |'])
})

test('a quoted word is no operator, and neither is nothing', () => {
  expect(at('"bp|')).toEqual([])
  expect(at('house |')).toEqual([])
})

test('key: offers the 24 keys round the wheel, as this person writes them', () => {
  expect(labels(at('key:|'))).toHaveLength(24)
  expect(labels(at('key:|')).slice(0, 3)).toEqual(['key:1A', 'key:1B', 'key:2A'])
  expect(labels(at('key:|', { notation: 'musical' }))[0]).toBe('key:G#m')
  expect(labels(at('key:8|'))).toEqual(['key:8A', 'key:8B'])
  expect(labels(at('key:8|', { notation: 'open' }))).toEqual(['key:8m', 'key:8d'])
})

test('a key typed in another notation is found, and written in theirs', () => {
  expect(at('key:am|').map(written)).toEqual(['key:8A |'])
})

test('behind a comma a further key is completed', () => {
  expect(at('key:8A,9| remix').map(written)).toEqual(['key:8A,9A |remix', 'key:8A,9B |remix'])
})

test('what plays comes first for the keys that mix and for the tempo', () => {
  const playing = { bpm: 125, key: 'Am' as const }
  expect(at('~key:|', { playing })[0]).toMatchObject({ label: '~key:8A', meaning: 'Compatible with the current song' })
  expect(labels(at('~key:|', { playing }))).toHaveLength(24)
  expect(labels(at('bpm:|', { playing }))[0]).toBe('bpm:118-132')
  expect(labels(at('bpm:|'))[0]).toBe('bpm:120-126')
})

test('a typed tempo can be widened', () => {
  expect(labels(at('bpm:124|'))).toEqual(['bpm:124', 'bpm:121-127', 'bpm:117-131'])
})

test('a genre is found by any of its words, and quoted where it has two', () => {
  expect(at('genre:ho|').map(written)).toEqual(['genre:House |', 'genre:"Afro House" |', 'genre:"Deep House" |'])
  expect(at('genre:"afro ho|').map(written)).toEqual(['genre:"Afro House" |'])
  expect(at('version:intro|').map(written)).toEqual(['version:"Intro Clean" |', 'version:"Intro Dirty" |'])
})

test('only the piece at the caret is completed', () => {
  expect(at('bpm:120 gen| key:8A').map(written)).toEqual(['bpm:120 genre:| key:8A'])
  expect(at('genre:te| key:8A').map(written)).toEqual(['genre:Techno |key:8A'])
})

test('years are offered for today', () => {
  expect(labels(at('year:|'))).toEqual(['year:2026', 'year:2022-2026', 'year:1990-1999', 'year:<2000'])
  expect(labels(at('year:19|'))).toEqual(['year:1990-1999'])
})

test('artists come as they were suggested', () => {
  expect(at('artist:da|').map(written)).toEqual(['artist:"Daft Punk" |'])
})
