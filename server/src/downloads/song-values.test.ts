import { expect, test } from 'vitest'
import { fileGenres, fileTitle } from './song-values.ts'

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

test('placeholder genres are left out', () => {
  expect(fileGenres(['Deep House', 'Unsorted', 'House', 'other'])).toEqual(['Deep House', 'House'])
})
