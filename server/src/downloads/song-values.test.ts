import { expect, test } from 'vitest'
import { fileGenres, fileTempo, fileTitle } from './song-values.ts'

const file = {
  ...{ title: 'Night Bus', version_label: 'Clean', has_other_versions: true },
  ...{ tagged_title: null, uploaded_name: 'Nova - Night Bus.mp3' },
}

test('the title contains the version once', () => {
  expect(fileTitle(file)).toBe('Night Bus (Clean)')
  for (const title of ['Night Bus (Clean)', 'Night Bus (CLEAN)', 'Night Bus [Clean]', 'Night Bus - clean'])
    expect(fileTitle({ ...file, title })).toBe(title)
  expect(fileTitle({ ...file, title: 'Keep it clean' })).toBe('Keep it clean (Clean)')
})

test('“Original” is only written when it is one of several versions and the original file said so', () => {
  const original = { ...file, version_label: 'Original' }
  const named = { ...original, tagged_title: 'Night Bus (Original Mix)' }
  expect(fileTitle(original)).toBe('Night Bus')
  expect(fileTitle({ ...named, has_other_versions: false })).toBe('Night Bus')
  expect(fileTitle(named)).toBe('Night Bus (Original)')
  expect(fileTitle({ ...original, uploaded_name: 'Nova - Night Bus [original].mp3' })).toBe('Night Bus (Original)')
  expect(fileTitle({ ...original, tagged_title: 'Unoriginal' })).toBe('Night Bus')
})

test('a measured tempo is left out when it is uncertain, any other is written', () => {
  expect(fileTempo({ min_bpm: 124, bpm_source: 'analysis', bpm_confidence: 0.4 })).toBeUndefined()
  expect(fileTempo({ min_bpm: 124, bpm_source: 'analysis', bpm_confidence: null })).toBeUndefined()
  expect(fileTempo({ min_bpm: 124, bpm_source: 'analysis', bpm_confidence: 0.9 })).toBe(124)
  expect(fileTempo({ min_bpm: 124, bpm_source: 'tag', bpm_confidence: 0.1 })).toBe(124)
  expect(fileTempo({ min_bpm: null, bpm_source: null, bpm_confidence: null })).toBeUndefined()
})

test('placeholder genres are left out', () => {
  expect(fileGenres(['Deep House', 'Unsorted', 'House', 'other'])).toEqual(['Deep House', 'House'])
})
