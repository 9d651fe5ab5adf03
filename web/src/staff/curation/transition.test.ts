import { expect, test } from 'vitest'
import { transitionTo } from './transition.ts'

const song = (min_bpm: number | null, song_key: string | null, max_bpm = min_bpm) => ({ min_bpm, max_bpm, song_key })

test('rates a small tempo change and a neighbouring key as mixing well', () => {
  expect(transitionTo(song(126, 'Em'), song(124, 'Am'))).toMatchObject({
    tempo: { text: '−1.6%', fits: true },
    key: { text: '±1', fits: true },
  })
})

test('rates clashes', () => {
  const { tempo, key } = transitionTo(song(100, 'Fm'), song(124, 'Am'))
  expect([tempo?.fits, key?.fits, key?.text]).toEqual([false, false, 'clash'])
})

test('considers half and double time, and the final tempo of a song that changes tempo', () => {
  expect(transitionTo(song(87, null), song(174, null)).tempo).toMatchObject({ text: '½× ±0%', fits: true })
  expect(transitionTo(song(124, null), song(98, null, 124)).tempo).toMatchObject({ text: '±0%', fits: true })
})

test('distinguishes the relative key from a step around the wheel', () => {
  expect(transitionTo(song(124, 'C'), song(124, 'Am')).key?.text).toBe('relative')
  expect(transitionTo(song(124, 'Am'), song(124, 'Am')).key?.text).toBe('same')
})

test('accepts two steps and a semitone up, as the crate does, but no other distant key', () => {
  const keyTo = (key: string) => transitionTo(song(124, key), song(124, 'Am')).key
  expect(keyTo('Bm')).toMatchObject({ text: '±2', fits: true })
  expect(keyTo('Gm')).toMatchObject({ text: '±2', fits: true })
  expect(keyTo('Bbm')).toMatchObject({ text: '+7', fits: true })
  expect(keyTo('G#m')).toMatchObject({ text: 'clash', fits: false })
})

test('does not rate unknown values', () => {
  expect(transitionTo(song(null, null), song(124, 'Am'))).toEqual({})
})
