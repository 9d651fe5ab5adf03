import { expect, test } from 'vitest'
import { changedFieldName, describeEdit, describeFields } from './editTexts.ts'

test('names an edit, its fields, and an edit that was undone', () => {
  expect(describeEdit({ kind: 'edited', fields: [], undoes: null })).toBe('Edited')
  expect(describeFields({ kind: 'edited', fields: ['title', 'bpm', 'status'], undoes: null })).toBe('title, BPM')
  expect(describeFields({ kind: 'unpublished', fields: ['status'], undoes: null })).toBe('')
})

test.each([
  ['song_key', 'Key'],
  ['artwork', 'Cover'],
  ['version name', 'Version name'],
  ['version place', 'Version position'],
])('names the changed field %s', (field, name) => {
  expect(changedFieldName(field)).toBe(name)
})
