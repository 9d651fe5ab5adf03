import { expect, test } from 'vitest'
import { indexCatalogue } from './catalogue-index.ts'
import { makeCatalogue, makeDamagedLibrary } from './make-damaged-library.ts'
import { matchLibrary } from './match-library.ts'

/** Of the certain matches, and of the files that the pool has. */
test.each([1, 2, 3])('matches a damaged library of 2,000 files with few errors (seed %i)', async (seed) => {
  const songs = makeCatalogue(8000, seed)
  const made = makeDamagedLibrary(songs, 2000, seed + 100)
  const matches = await matchLibrary(
    made.map(({ entry }) => entry),
    indexCatalogue(songs),
  )
  const certain = matches.flatMap((match, n) => (match.kind === 'certain' ? [{ match, truth: made[n]! }] : []))
  const right = certain.filter(({ match, truth }) => match.entity_id === truth.entity_id)
  const owned = made.filter(({ entity_id }) => entity_id !== null)
  const versions = certain.filter(({ match }) => match.song_version_id !== null)
  const rightVersions = versions.filter(({ match, truth }) => match.song_version_id === truth.song_version_id)
  expect(right.length / certain.length).toBeGreaterThan(0.995)
  expect(right.length / owned.length).toBeGreaterThan(0.97)
  expect(rightVersions.length / versions.length).toBeGreaterThan(0.995)
})
