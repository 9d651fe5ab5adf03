import { expect, test } from 'vitest'
import { booleanFlag, oneOf, positiveInteger, searchFields, trimmedText } from './search-fields.ts'

const read = searchFields({
  page: positiveInteger,
  title: trimmedText,
  dir: oneOf(['ASC', 'DESC']),
  fresh: booleanFlag,
})

test('an address is read field by field', () => {
  expect(read({ page: '2', title: ' night ', dir: 'ASC', fresh: '1' })).toEqual({
    page: 2,
    title: 'night',
    dir: 'ASC',
    fresh: 1,
  })
})

test('what makes no sense in an address is as good as nothing', () => {
  for (const page of ['0', '-1', '1.5', 'two', '', undefined, '99999999999999999999'])
    expect(read({ page })).toEqual({})
  expect(read({ title: '  ', dir: 'up', fresh: 'yes' })).toEqual({})
  expect(read({ title: 'a'.repeat(201) })).toEqual({})
})

test('a field nobody knows is left out', () => {
  expect(read({ page: '3', utm_source: 'mail' })).toEqual({ page: 3 })
})
