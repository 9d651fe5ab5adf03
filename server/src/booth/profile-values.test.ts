import { commentText, keyText } from '@dubplate/contract'
import { describe, expect, test } from 'vitest'
import { energyColour, starsOf } from './profile-values.ts'

const version = {
  artist: 'Nova',
  title: 'Night Bus',
  version_label: 'Intro',
  song_key: 'F#m',
  energy: 7,
  extension: '.mp3',
}

test.each([
  ['musical', 'F#m'],
  ['camelot', '11A'],
  ['open', '4m'],
] as const)('writes keys in %s notation', (key_notation, text) => {
  expect(keyText({ key_notation }, 'F#m')).toBe(text)
  expect(keyText({ key_notation }, null)).toBe('')
  expect(keyText({ key_notation }, 'off-key')).toBe('off-key')
})

describe('the comment', () => {
  const profile = { key_notation: 'camelot', key_field: 'key', comment_template: '' } as const

  test('is that of the uploaded file without a template', () => {
    expect(commentText(profile, version, 'From the label')).toBe('From the label')
  })

  test('is the template with its values', () => {
    const comment_template = 'Energy {energy} / {camelot}'
    expect(commentText({ ...profile, comment_template }, version, 'From the label')).toBe('Energy 7 / 11A')
  })

  test.each(['comment', 'both'] as const)('begins with the key if it is written to %s', (key_field) => {
    expect(commentText({ ...profile, key_field }, version, 'From the label')).toBe('11A - From the label')
    expect(commentText({ ...profile, key_field }, version, '')).toBe('11A')
    expect(commentText({ ...profile, key_field }, { ...version, song_key: null }, 'x')).toBe('x')
  })
})

test('stars are the energy, the favourites, or none', () => {
  expect([1, 2, 7, 10].map((energy) => starsOf({ rating: 'energy' }, { energy, isFavourite: true }))).toEqual([
    1, 1, 4, 5,
  ])
  expect(starsOf({ rating: 'energy' }, { energy: null, isFavourite: true })).toBe(0)
  expect(starsOf({ rating: 'favourites' }, { energy: 3, isFavourite: true })).toBe(5)
  expect(starsOf({ rating: 'favourites' }, { energy: 10, isFavourite: false })).toBe(0)
  expect(starsOf({ rating: 'none' }, { energy: 10, isFavourite: true })).toBe(0)
})

test('colours rise with the energy', () => {
  expect([1, 3, 6, 7, 8, 10, null].map(energyColour)).toEqual([
    '#0000FF',
    '#25FDE9',
    '#00FF00',
    '#FFFF00',
    '#FFA500',
    '#FF0000',
    null,
  ])
})
