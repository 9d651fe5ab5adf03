import { expect, test } from 'vitest'
import { checkStorableText } from './storable-text.ts'

const fieldsOf = (input: unknown): unknown => {
  try {
    checkStorableText(input)
  } catch (error) {
    return Object.keys((error as { fields: object }).fields)
  }
  return undefined
}

test.each([
  [{ name: 'a\ud800' }, ['name']],
  [{ name: '\udc00\ud800' }, ['name']],
  [{ name: 'a\u0000b' }, ['name']],
  [{ list: ['fine', { text: '\ud83d' }] }, ['list.1.text']],
  [{ facets: { 'a\ud800': 1 } }, ['facets']],
  [{ 'a\u0000': 1 }, ['body']],
])('names the field of %j that cannot be stored', (input, fields) => {
  expect(fieldsOf(input)).toEqual(fields)
})

test('accepts well-formed text, numbers, missing values and deep nesting', () => {
  expect(fieldsOf({ name: 'Zoë 🎧 \u202e\ufffd', n: 1, none: null, nothing: undefined })).toBeUndefined()
  expect(fieldsOf(undefined)).toBeUndefined()
  expect(fieldsOf(JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBeUndefined()
})
