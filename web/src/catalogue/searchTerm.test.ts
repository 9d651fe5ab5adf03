import { expect, test } from 'vitest'
import { artistOf, artistTerm, plainWordsOf, withoutTerm } from './searchTerm.ts'

test('a piece is taken out of a term, and the rest stands as it was typed', () => {
  expect(withoutTerm('midnight bpm:120-126 key:8A', 'bpm:120-126')).toBe('midnight key:8A')
  expect(withoutTerm('midnight bpm:120-126', 'midnight')).toBe('bpm:120-126')
  expect(withoutTerm('key:8A', 'key:8A')).toBe('')
})

test('only a whole piece is taken out, never a part of another one', () => {
  expect(withoutTerm('cat a', 'a')).toBe('cat')
  expect(withoutTerm('"the cat sat" cat', 'cat')).toBe('"the cat sat"')
  expect(withoutTerm('-remix remix', 'remix')).toBe('-remix')
  expect(withoutTerm('genre:"afro house" house', 'genre:"afro house"')).toBe('house')
  expect(withoutTerm('midnight', 'noon')).toBe('midnight')
})

test('of a word that stands there twice one is taken out', () => {
  expect(withoutTerm('run run', 'run')).toBe('run')
})

test('an artist is searched for by the whole name, whatever is in it', () => {
  expect(artistTerm('Kaskade')).toBe('artist:Kaskade')
  expect(artistTerm('Daft Punk')).toBe('artist:"Daft Punk"')
  expect(artistTerm('"Weird Al" Yankovic')).toBe('artist:"Weird Al Yankovic"')
  expect(artistOf('bpm:120 artist:"Daft Punk"')).toBe('Daft Punk')
  expect(artistOf('-artist:abba dancing')).toBeUndefined()
})

test('suggestions are asked with the words alone', () => {
  expect(plainWordsOf('bpm:120-126 midnight "blue moon" -remix key:8A')).toBe('midnight blue moon')
})
