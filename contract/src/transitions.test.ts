import { expect, test } from 'vitest'
import { isClash, keyRelation, type MixingTempo, tempoChange, transitionBetween } from './transitions.ts'

test.each([
  ['Am', 'Am', 'same'],
  ['Am', 'C', 'relative'],
  ['Am', 'Em', 'step_up'],
  ['Am', 'Dm', 'step_down'],
  ['G#m', 'C#m', 'step_down'],
  ['Am', 'Bm', 'two_steps_up'],
  ['Am', 'Gm', 'two_steps_down'],
  ['Am', 'Bbm', 'semitone_up'],
  ['Am', 'G#m', 'clash'],
  ['Am', 'G', 'clash'],
  ['C', 'F#', 'clash'],
] as const)('%s to %s is %s', (from, to, relation) => {
  expect(keyRelation(from, to)).toBe(relation)
})

test('the pitch change is relative to the next song', () => {
  expect(tempoChange(125, 122)).toMatchObject({ multiple: 'same', percent: expect.closeTo(2.46, 2), is_clash: false })
  expect(tempoChange(120, 128)).toMatchObject({ percent: expect.closeTo(-6.25, 2), is_clash: true })
})

test('uses half or double tempo when it is nearer', () => {
  expect(tempoChange(174, 86)).toMatchObject({ multiple: 'half', percent: expect.closeTo(1.16, 2), is_clash: false })
  expect(tempoChange(70, 142)).toMatchObject({ multiple: 'double', percent: expect.closeTo(-1.41, 2), is_clash: false })
  expect(tempoChange(128, 100)).toMatchObject({ multiple: 'same', is_clash: true })
})

test.each([
  [127.1, 120, false],
  [106, 100, false],
  [100, 106, false],
  [127.3, 120, true],
  [120, 127.1, false],
  [120, 127.3, true],
])('from %d to %d BPM clashes: %s', (end, start, clashes) => {
  expect(tempoChange(end, start).is_clash).toBe(clashes)
})

test('a transition begins with the last tempo of a song, and says nothing about what is not known', () => {
  const song = (bpm: number | null, song_key: string | null, bpm_to: number | null = null): MixingTempo => ({
    ...{ bpm, bpm_to, song_key },
  })
  expect(transitionBetween(song(100, 'Am', 128), song(128, 'Em'))).toEqual({
    key: 'step_up',
    tempo: { multiple: 'same', percent: 0, is_clash: false },
  })
  expect(transitionBetween(song(100, null), song(128, 'Em'))).toMatchObject({ key: null, tempo: { is_clash: true } })
  expect(transitionBetween(song(100, 'Am'), song(null, 'Em'))).toEqual({ key: 'step_up', tempo: null })
  expect(isClash(transitionBetween(song(100, null), song(128, null)))).toBe(true)
  expect(isClash(transitionBetween(song(null, 'Am'), song(128, 'F#')))).toBe(true)
  expect(isClash(transitionBetween(song(null, 'Am'), song(128, null)))).toBe(false)
})
