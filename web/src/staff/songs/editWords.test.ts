import { expect, test } from 'vitest'
import { changedField, editInWords, fieldsInWords } from './editWords.ts'

test('names an edit, its fields, and an edit that was undone', () => {
  expect(editInWords({ kind: 'edited', fields: [], undoes: null })).toBe('Edited')
  expect(fieldsInWords({ kind: 'edited', fields: ['title', 'bpm', 'status'], undoes: null })).toBe('title, BPM')
  expect(fieldsInWords({ kind: 'unpublished', fields: ['status'], undoes: null })).toBe('')
})

test.each([
  ['song_key', 'Key'],
  ['artwork', 'Cover'],
  ['version name', 'Version name'],
  ['version place', 'Version position'],
])('names the changed field %s', (field, name) => {
  expect(changedField(field)).toBe(name)
})
