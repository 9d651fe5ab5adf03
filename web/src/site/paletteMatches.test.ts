import { expect, test } from 'vitest'
import { matchesOf } from './paletteMatches.ts'

const items = [
  { name: 'Your Crate' },
  { name: 'Charts' },
  { name: 'Download crate', keywords: 'zip batch' },
  { name: 'Curated spotlights' },
]
const foundCommands = (typed: string) => matchesOf(items, typed).map(({ name }) => name)

test('every word that is typed begins a word of the name', () => {
  expect(foundCommands('cr')).toEqual(['Your Crate', 'Download crate'])
  expect(foundCommands('dow cra')).toEqual(['Download crate'])
  expect(foundCommands('rate')).toEqual([])
})

test('what begins so stands before what only has such a word', () => {
  expect(foundCommands('c')).toEqual(['Charts', 'Curated spotlights', 'Your Crate', 'Download crate'])
})

test('other words for a thing find it too', () => {
  expect(foundCommands('zip')).toEqual(['Download crate'])
})

test('before anything is typed everything is there', () => {
  expect(foundCommands(' ')).toHaveLength(items.length)
})
