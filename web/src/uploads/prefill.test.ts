import type { uploads } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { keyDoubt, prefillForm, tempoDoubt } from './prefill.ts'
import { emptyForm, type SongForm } from './songForm.ts'

type File = Pick<uploads.ContainerFile, 'tag' | 'analysis'>

const TAG = {
  title: '',
  artist: '',
  version_label: '',
  year: null,
  bpm: null,
  song_key: null,
  genres: [],
  genre_ids: [],
}
const ANALYSIS = {
  state: 'done',
  bpm: null,
  bpm_confidence: 0.95,
  bpm_alternatives: [],
  song_key: null,
  key_confidence: 0.95,
}

const makeFile = (tag: Partial<uploads.Tag>, analysis: Partial<uploads.UploadAnalysis> = {}) =>
  ({ tag: { ...TAG, ...tag }, analysis: { ...ANALYSIS, ...analysis } }) as unknown as File

const blank = (change: Partial<SongForm> = {}): SongForm => ({ ...emptyForm('2027-02-19'), ...change })

test('fills a field from a tag before the analysis, and names the source of each value', () => {
  const { values, sources } = prefillForm(blank(), [
    makeFile({ title: 'Levels', year: 2011, bpm: 126, genre_ids: [4, 7] }, { bpm: 63, song_key: 'C#m' }),
  ])
  expect(values).toMatchObject({ title: 'Levels', year: '2011', bpm: '126', song_key: 'C#m', genres: [4, 7] })
  expect(sources).toEqual({ title: 'tag', year: 'tag', bpm: 'tag', song_key: 'analysis', genres: 'tag' })
})

test('never overwrites values that were typed or saved before', () => {
  const form = blank({ typed: ['title'], saved: ['bpm'], sources: { title: 'uploader', bpm: 'analysis' } })
  const typed = { ...form, values: { ...form.values, title: 'Assigned to me', bpm: '100' } }
  expect(prefillForm(typed, [makeFile({ title: 'Levels', bpm: 126 })])).toBe(typed)
})

test('keeps a cleared field empty', () => {
  expect(prefillForm(blank({ typed: ['artist'] }), [makeFile({ artist: 'Avicii' })]).values.artist).toBe('')
})

test('fills missing values from another file', () => {
  const { values } = prefillForm(blank(), [
    makeFile({ title: 'Levels' }),
    makeFile({ title: 'Levels Intro', artist: 'Avicii' }),
  ])
  expect(values).toMatchObject({ title: 'Levels', artist: 'Avicii' })
})

test('uses the most confident of several analyses, and ignores unfinished ones', () => {
  const files = [
    makeFile({}, { bpm: 80, bpm_confidence: 0.4 }),
    makeFile({}, { bpm: 127.97, bpm_confidence: 0.9 }),
    makeFile({}, { bpm: 60, bpm_confidence: 1, state: 'running' }),
  ]
  expect(prefillForm(blank(), files).values.bpm).toBe('128')
})

test('returns the same form when files add nothing new', () => {
  const form = prefillForm(blank(), [makeFile({ title: 'Levels' })])
  expect(prefillForm(form, [makeFile({ title: 'Levels' })])).toBe(form)
})

test('raises no doubt when a confident analysis agrees, also within a range', () => {
  expect(tempoDoubt('126', [makeFile({}, { bpm: 126.2 })])).toBeUndefined()
  expect(tempoDoubt('98-126', [makeFile({}, { bpm: 110 })])).toBeUndefined()
  expect(keyDoubt('8A', [makeFile({}, { song_key: 'Am' })])).toBeUndefined()
})

test('offers the analysed tempo, half and double when it differs', () => {
  expect(tempoDoubt('63', [makeFile({}, { bpm: 126, bpm_alternatives: [84] })])).toEqual({
    why: 'Detected 126 BPM instead',
    alternatives: ['126', '84', '252'],
  })
})

test('points out an analysis with low confidence, even if it agrees', () => {
  expect(tempoDoubt('126', [makeFile({}, { bpm: 126, bpm_confidence: 0.79 })])).toEqual({
    why: 'Detected: 126 BPM (low confidence)',
    alternatives: ['63', '252'],
  })
})

test('offers another key, and that of the tag if it was changed', () => {
  expect(keyDoubt('C', [makeFile({ song_key: 'G' }, { song_key: 'Am', key_confidence: 0.6 })])).toEqual({
    why: 'Detected Am instead (low confidence)',
    alternatives: ['Am', 'G'],
  })
})
