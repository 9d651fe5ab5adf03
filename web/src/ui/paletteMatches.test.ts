import { expect, test } from 'vitest'
import { matchesOf } from './paletteMatches.ts'

const items = [
  { name: 'Your Crate' },
  { name: 'Charts' },
  { name: 'Download crate', keywords: 'zip batch' },
  { name: 'Curated spotlights' },
]
const findNames = (typed: string) => matchesOf(items, typed).map(({ name }) => name)

test('matches when every typed word starts a word of the name', () => {
  expect(findNames('cr')).toEqual(['Your Crate', 'Download crate'])
  expect(findNames('dow cra')).toEqual(['Download crate'])
  expect(findNames('rate')).toEqual([])
})

test('lists names that start with the text before names that only contain such a word', () => {
  expect(findNames('c')).toEqual(['Charts', 'Curated spotlights', 'Your Crate', 'Download crate'])
})

test('matches keywords too', () => {
  expect(findNames('zip')).toEqual(['Download crate'])
})

test('lists everything for an empty text', () => {
  expect(findNames(' ')).toHaveLength(items.length)
})
