import { expect, test } from 'vitest'
import { openPlaces } from './pageEntry.ts'

test('what stands in brackets is still to be filled in', () => {
  expect(openPlaces('In force since [date], by [name of\nthe company].')).toEqual(['[date]', '[name of\nthe company]'])
})

test('links are no gaps', () => {
  expect(openPlaces('See [our terms](/terms), [privacy][p] and\n\n[p]: /privacy')).toEqual([])
})

test('a text without brackets has none', () => {
  expect(openPlaces('# Terms\n\nPlay it.')).toEqual([])
})
