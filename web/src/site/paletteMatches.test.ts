import { expect, test } from 'vitest'
import { matchesOf } from './paletteMatches.ts'

const things = [
  { name: 'Your Crate' },
  { name: 'Charts' },
  { name: 'Download crate', otherWords: 'zip batch' },
  { name: 'Curated spotlights' },
]
const found = (typed: string) => matchesOf(things, typed).map(({ name }) => name)

test('every word that is typed begins a word of the name', () => {
  expect(found('cr')).toEqual(['Your Crate', 'Download crate'])
  expect(found('dow cra')).toEqual(['Download crate'])
  expect(found('rate')).toEqual([])
})

test('what begins so stands before what only has such a word', () => {
  expect(found('c')).toEqual(['Charts', 'Curated spotlights', 'Your Crate', 'Download crate'])
})

test('other words for a thing find it too', () => {
  expect(found('zip')).toEqual(['Download crate'])
})

test('before anything is typed everything is there', () => {
  expect(found(' ')).toHaveLength(things.length)
})
