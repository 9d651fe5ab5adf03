import { expect, test } from 'vitest'
import { comparedSong } from './candidates.ts'
import { readingsOf } from './entry-readings.ts'
import { chooseVersion } from './version-choice.ts'

type Versions = [label: string, seconds: number][]

/** The label of the version that a file with this title and length is of the song. */
function chosen(versions: Versions, text: string, seconds: number | null = null, title = 'Song'): string | undefined {
  const compared = comparedSong({
    entity_id: 1,
    artist: 'Artist',
    title,
    remixer: '',
    isrc: '',
    versions: versions.map(([version_label, duration_seconds], song_version_id) => ({
      song_version_id,
      version_label,
      duration_seconds,
    })),
  })
  const [reading] = readingsOf({
    artist: 'Artist',
    title: text,
    version: '',
    remixer: '',
    isrc: '',
    duration_seconds: seconds,
    file_name: 'a.mp3',
    path_parts: ['a.mp3'],
  })
  return chooseVersion(compared, reading!, seconds)?.version_label
}

const CLEAN_DIRTY: Versions = [['Clean', 200], ['Dirty', 200], ['Intro Clean', 216], ['Intro Dirty', 216]] // biome-ignore format: one line

test.each([
  ['Song (Clean)', 'Clean'],
  ['Song - Dirty', 'Dirty'],
  ['Song [Explicit]', 'Dirty'],
  ['Song (Clean Intro)', 'Intro Clean'],
  ['Song [DJ Intro] (Dirty Version)', 'Intro Dirty'],
  ['Song (Instrumental)', undefined],
  ['Song (Clean Extended)', undefined],
  ['Song (Intro)', undefined],
])('needs the same version words: %s', (text, label) => {
  expect(chosen(CLEAN_DIRTY, text)).toBe(label)
})

test.each([
  ['Radio Edit', 'Clean'],
  ['Super Clean', 'Clean'],
  ['Club Mix', 'Extended'],
  ['Quick Hitter', 'Short Edit'],
])('knows other words for a version: %s for %s', (word, label) => {
  expect(chosen([[label, 200]], `Song (${word})`)).toBe(label)
  expect(chosen([[label, 200], [word, 200]], `Song (${label})`)).toBe(label) // biome-ignore format: one line
})

test('prefers the version with the same words to one with other words for them', () => {
  expect(chosen([['Clean', 200], ['Radio Edit', 200]], 'Song (Radio Edit)')).toBe('Radio Edit') // biome-ignore format: one line
})

test.each([
  [216, 'Intro Clean'],
  [217.9, 'Intro Clean'],
  [218.1, undefined],
  [null, undefined],
])('takes a version with more words only within 2 seconds: %s', (seconds, label) => {
  expect(chosen([['Intro Clean', 216], ['Dirty', 200]], 'Song (Clean)', seconds)).toBe(label) // biome-ignore format: one line
})

test.each([
  [211.9, 'Clean'],
  [212.1, undefined],
  [null, 'Clean'],
])('rejects a version with the same words that is another edit: %s', (seconds, label) => {
  expect(chosen([['Clean', 200]], 'Song (Clean)', seconds)).toBe(label)
})

test('chooses between versions with the same words by their length', () => {
  const versions: Versions = [['Clean', 200], ['Clean', 240], ['Clean', 242]] // biome-ignore format: one line
  expect(chosen(versions, 'Song (Clean)', 202)).toBe('Clean')
  expect(chosen(versions, 'Song (Clean)', 241)).toBeUndefined()
  expect(chosen(versions, 'Song (Clean)')).toBeUndefined()
})

test.each([
  [200, 'Clean'],
  [201.1, 'Clean'],
  [201.3, undefined],
  [null, undefined],
])('without version words, takes the only version within 1.2 seconds: %s', (seconds, label) => {
  expect(chosen([['Clean', 200], ['Extended', 280]], 'Song', seconds)).toBe(label) // biome-ignore format: one line
})

test('without version words, needs every other version to differ by more than 3.5 seconds', () => {
  expect(chosen([['Clean', 200], ['Dirty', 203.4]], 'Song', 200)).toBeUndefined() // biome-ignore format: one line
  expect(chosen([['Clean', 200], ['Dirty', 203.6]], 'Song', 200)).toBe('Clean') // biome-ignore format: one line
})

test.each([
  ['Song (Original Mix)', 200, 'Original'],
  ['Song (Original)', 202.4, 'Original'],
  ['Song (Original Mix)', 202.6, undefined],
  ['Song (Original Mix)', null, undefined],
  ['Song (Album Version)', 200, undefined],
  ['Song', 200, undefined],
])('takes the version that the file names, among others of the same length: %s, %s', (text, seconds, label) => {
  const versions: Versions = [['Original', 200], ['Intro', 201], ['Extended', 203]] // biome-ignore format: one line
  expect(chosen(versions, text, seconds)).toBe(label)
})

test('never takes the only version of a song because of the song', () => {
  expect(chosen([['Clean', 200]], 'Song')).toBeUndefined()
  expect(chosen([['Original', 200]], 'Song')).toBeUndefined()
  expect(chosen([['Original', 200]], 'Song (Original Mix)', 200)).toBe('Original')
})

test.each([
  ['Song (Solara Remix)', 'Solara Remix'],
  ['Song (Solara Remix) (Clean)', undefined],
  ['Song (Live)', 'Live'],
  ['Song', 'Clean'],
])('needs the same remix and recording: %s', (text, label) => {
  expect(chosen([['Solara Remix', 200], ['Live', 200], ['Clean', 200]], text, 200)).toBe(label) // biome-ignore format: one line
})

test('a remix that is a song of its own has versions without the remixer', () => {
  expect(chosen([['Clean', 200], ['Dirty', 200]], 'Song (Solara Remix) [Dirty]', 200, 'Song (Solara Remix)')).toBe('Dirty') // biome-ignore format: one line
})

test('a label that is not understood is only the version with this label', () => {
  expect(chosen([['Reggae Riddim', 200], ['Clean', 260]], 'Song (Clean)', 200)).toBeUndefined() // biome-ignore format: one line
})

test('version words in the title of a song apply to its versions', () => {
  expect(chosen([['Clean', 200], ['Dirty', 200]], 'Song (Club Mix) (Clean)', null, 'Song (Club Mix)')).toBe('Clean') // biome-ignore format: one line
})
