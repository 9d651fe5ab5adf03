import { expect, test } from 'vitest'
import { type MixCandidate, mixOf, rankMixes } from './mixes.ts'

const playing = { key: 'Am', end_bpm: 124 } as const

let id = 0
const aCandidate = (overrides: Partial<MixCandidate> = {}): MixCandidate => ({
  entity_id: ++id,
  key: 'Am',
  start_bpm: 124,
  shared_genres: 1,
  shared_crates: 0,
  ...overrides,
})

/** Whether the first is ranked before the second, whichever of them is newer. */
const ranksAbove = (better: Partial<MixCandidate>, worse: Partial<MixCandidate>) => {
  const ranks = (one: number, other: number) =>
    rankMixes(playing, [aCandidate({ ...better, entity_id: one }), aCandidate({ ...worse, entity_id: other })])[0]
      ?.entity_id === one
  return ranks(1, 2) && ranks(2, 1)
}

test.each([
  ['Am', 'same'],
  ['C', 'relative'],
  ['Em', 'step'],
  ['Dm', 'step'],
  ['G', undefined],
  ['A', undefined],
  [undefined, undefined],
] as const)('after Am a song in %s has the key relation %s', (key, step) => {
  expect(mixOf(playing, aCandidate({ key }))?.key).toBe(step)
})

test.each([
  [124, 'same', 0],
  [126, 'same', -1.6],
  [120, 'same', 3.3],
  [117, 'same', 6],
  [131.4, 'same', -5.6],
  [62, 'half', 0],
  [60, 'half', 3.3],
  [248, 'double', 0],
  [116.5, undefined, undefined],
  [131.6, undefined, undefined],
  [132, undefined, undefined],
  [93, undefined, undefined],
  [undefined, undefined, undefined],
] as const)('after 124 BPM a song of %s has the tempo relation %s, changed by %s %%', (start_bpm, tempo, percent) => {
  const mix = mixOf(playing, aCandidate({ start_bpm }))
  expect([mix?.tempo, mix?.tempo_change_percent]).toEqual([tempo, percent])
})

test('changes no song by more than the pitch fader’s six per cent', () => {
  for (let start_bpm = 50; start_bpm < 270; start_bpm += 0.1)
    expect(Math.abs(mixOf(playing, aCandidate({ start_bpm }))?.tempo_change_percent ?? 0)).toBeLessThanOrEqual(6)
})

test('matches a song without a key by tempo, one without a tempo by key, and one without both with anything', () => {
  const clash = aCandidate({ key: 'F#', start_bpm: 124 })
  const fast = aCandidate({ key: 'Am', start_bpm: 174 })
  expect(mixOf({ key: undefined, end_bpm: 124 }, clash)).toMatchObject({ key: null, tempo: 'same' })
  expect(mixOf({ key: undefined, end_bpm: 124 }, fast)).toBeUndefined()
  expect(mixOf({ key: 'Am', end_bpm: undefined }, fast)).toMatchObject({
    key: 'same',
    tempo: null,
    tempo_change_percent: null,
  })
  expect(mixOf({ key: 'Am', end_bpm: undefined }, clash)).toBeUndefined()
  const unbound = { key: undefined, end_bpm: undefined }
  expect(mixOf(unbound, aCandidate({ key: undefined, start_bpm: undefined }))).toMatchObject({ key: null, tempo: null })
})

test('ranks the same key first, and the relative key and a neighbour on the wheel equally', () => {
  expect(ranksAbove({ key: 'Am' }, { key: 'C' })).toBe(true)
  expect(ranksAbove({ key: 'Am' }, { key: 'Em' })).toBe(true)
  expect(ranksAbove({ key: 'C' }, { key: 'Em' })).toBe(false)
  expect(ranksAbove({ key: 'Em' }, { key: 'C' })).toBe(false)
})

test('ranks a nearer tempo higher, faster or slower, and the same tempo above half and double', () => {
  expect(ranksAbove({ start_bpm: 125 }, { start_bpm: 121 })).toBe(true)
  expect(ranksAbove({ start_bpm: 123 }, { start_bpm: 127 })).toBe(true)
  expect(ranksAbove({ start_bpm: 124 }, { start_bpm: 62 })).toBe(true)
  expect(ranksAbove({ start_bpm: 124 }, { start_bpm: 248 })).toBe(true)
})

test('ranks more shared genres and more crates in common higher', () => {
  expect(ranksAbove({ shared_genres: 2 }, { shared_genres: 1 })).toBe(true)
  expect(ranksAbove({ shared_crates: 3 }, { shared_crates: 2 })).toBe(true)
})

test('does not rank a song in many crates above one that matches better in every way', () => {
  expect(
    ranksAbove(
      { key: 'Am', start_bpm: 124, shared_genres: 3 },
      { key: 'Em', start_bpm: 130, shared_genres: 1, shared_crates: 10 },
    ),
  ).toBe(true)
})

test('ranks the newer of two equal matches first', () => {
  const ranked = rankMixes(playing, [
    aCandidate({ entity_id: 7 }),
    aCandidate({ entity_id: 9 }),
    aCandidate({ entity_id: 8 }),
  ])
  expect(ranked.map((mixing) => mixing.entity_id)).toEqual([9, 8, 7])
})
