import { expect, test } from 'vitest'
import { choosePreferredVersions } from './preferred-versions.ts'

const HOUSE = 4
const version = (version_code: string, available = true) => ({ version_code, available })
const song = {
  genres: [{ genre_id: HOUSE }],
  version: [version('original'), version('intro_clean'), version('clean'), version('dirty')],
}
const preference = { versions: ['quick_hit', 'clean', 'original'], add_all: false, by_genre: [] }
const codesOf = (versions: { version_code: string }[]) => versions.map(({ version_code }) => version_code)

test('chooses the first version of the list that the song has', () => {
  expect(codesOf(choosePreferredVersions(song, preference))).toEqual(['clean'])
})

test('chooses all versions of the list that the song has, in the order of the list', () => {
  expect(codesOf(choosePreferredVersions(song, { ...preference, add_all: true }))).toEqual(['clean', 'original'])
})

test('chooses the first version of the song without a preference, and without a match', () => {
  expect(codesOf(choosePreferredVersions(song, null))).toEqual(['original'])
  for (const add_all of [false, true]) {
    const none = { ...preference, versions: ['quick_hit'], add_all }
    expect(codesOf(choosePreferredVersions(song, none))).toEqual(['original'])
  }
})

test('uses the list of a genre the song belongs to', () => {
  const ofGenre = (genre_id: number) => ({ ...preference, by_genre: [{ genre_id, versions: ['dirty'] }] })
  expect(codesOf(choosePreferredVersions(song, ofGenre(HOUSE)))).toEqual(['dirty'])
  expect(codesOf(choosePreferredVersions(song, ofGenre(5)))).toEqual(['clean'])
})

test('chooses a version whose file is missing only if there is no other', () => {
  const without = (...missing: string[]) => ({
    ...song,
    version: song.version.map(({ version_code }) => version(version_code, !missing.includes(version_code))),
  })
  expect(codesOf(choosePreferredVersions(without('clean'), preference))).toEqual(['original'])
  expect(codesOf(choosePreferredVersions(without('original', 'intro_clean', 'clean', 'dirty'), preference))).toEqual([
    'clean',
  ])
})

test('chooses nothing of a song without versions', () => {
  expect(choosePreferredVersions({ genres: [], version: [] }, preference)).toEqual([])
})
