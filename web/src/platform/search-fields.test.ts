import { expect, test } from 'vitest'
import { booleanFlag, oneOf, positiveInteger, searchFields, trimmedText } from './search-fields.ts'

const read = searchFields({
  page: positiveInteger,
  title: trimmedText,
  dir: oneOf(['ASC', 'DESC']),
  fresh: booleanFlag,
})

test('reads a URL field by field', () => {
  expect(read({ page: '2', title: ' night ', dir: 'ASC', fresh: '1' })).toEqual({
    page: 2,
    title: 'night',
    dir: 'ASC',
    fresh: 1,
  })
})

test('ignores invalid values', () => {
  for (const page of ['0', '-1', '1.5', 'two', '', undefined, '99999999999999999999'])
    expect(read({ page })).toEqual({})
  expect(read({ title: '  ', dir: 'up', fresh: 'yes' })).toEqual({})
  expect(read({ title: 'a'.repeat(201) })).toEqual({})
})

test('ignores unknown fields', () => {
  expect(read({ page: '3', utm_source: 'mail' })).toEqual({ page: 3 })
})
