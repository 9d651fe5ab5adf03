import { expect, test } from 'vitest'
import { indexCatalogue } from './catalogue-index.ts'
import { makeCatalogue, makeDamagedLibrary } from './make-damaged-library.ts'
import { matchLibrary } from './match-library.ts'
import { measureMatches } from './measure-matches.ts'

test.each([1, 2, 3])('matches a damaged library of 2,000 files with few errors (seed %i)', async (seed) => {
  const songs = makeCatalogue(8000, seed)
  const made = makeDamagedLibrary(songs, 2000, seed + 100)
  const matches = await matchLibrary(
    made.map(({ entry }) => entry),
    indexCatalogue(songs),
  )
  const { precision, recall, versionPrecision } = measureMatches(matches, made)
  expect(precision).toBeGreaterThan(0.995)
  expect(recall).toBeGreaterThan(0.97)
  expect(versionPrecision).toBeGreaterThan(0.995)
})
