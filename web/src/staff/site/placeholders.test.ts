import { expect, test } from 'vitest'
import { findPlaceholders } from './placeholders.ts'

test('finds text in brackets that still has to be filled in', () => {
  expect(findPlaceholders('In force since [date], by [name of\nthe company].')).toEqual([
    '[date]',
    '[name of\nthe company]',
  ])
})

test('ignores links', () => {
  expect(findPlaceholders('See [our terms](/terms), [privacy][p] and\n\n[p]: /privacy')).toEqual([])
})

test('finds nothing in a text without brackets', () => {
  expect(findPlaceholders('# Terms\n\nPlay it.')).toEqual([])
})
