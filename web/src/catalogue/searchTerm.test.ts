import { expect, test } from 'vitest'
import { artistOf, artistTerm, plainWordsOf, withoutTerm } from './searchTerm.ts'

test('removes a part of a term and leaves the rest as typed', () => {
  expect(withoutTerm('midnight bpm:120-126 key:8A', 'bpm:120-126')).toBe('midnight key:8A')
  expect(withoutTerm('midnight bpm:120-126', 'midnight')).toBe('bpm:120-126')
  expect(withoutTerm('key:8A', 'key:8A')).toBe('')
})

test('removes only a whole part, never a piece of another one', () => {
  expect(withoutTerm('cat a', 'a')).toBe('cat')
  expect(withoutTerm('"the cat sat" cat', 'cat')).toBe('"the cat sat"')
  expect(withoutTerm('-remix remix', 'remix')).toBe('-remix')
  expect(withoutTerm('genre:"afro house" house', 'genre:"afro house"')).toBe('house')
  expect(withoutTerm('midnight', 'noon')).toBe('midnight')
})

test('removes one of two equal words', () => {
  expect(withoutTerm('run run', 'run')).toBe('run')
})

test('searches for an artist by the whole name, whatever characters it contains', () => {
  expect(artistTerm('Kaskade')).toBe('artist:Kaskade')
  expect(artistTerm('Daft Punk')).toBe('artist:"Daft Punk"')
  expect(artistTerm('"Weird Al" Yankovic')).toBe('artist:"Weird Al Yankovic"')
  expect(artistOf('bpm:120 artist:"Daft Punk"')).toBe('Daft Punk')
  expect(artistOf('-artist:abba dancing')).toBeUndefined()
})

test('sends only the plain words for suggestions', () => {
  expect(plainWordsOf('bpm:120-126 midnight "blue moon" -remix key:8A')).toBe('midnight blue moon')
})
