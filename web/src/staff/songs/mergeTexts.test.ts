import { expect, test } from 'vitest'
import { describeMovedData, suggestNewSong } from './mergeTexts.ts'

const NOTHING = {
  ...{ favourites: { rows: 0, doubles: 0 }, playlists: { rows: 0, doubles: 0 }, trending: { rows: 0, doubles: 0 } },
  ...{ crates: 0, downloads: 0, listens: 0, lists: [], uploads: 0 },
}

test('mentions only what exists', () => {
  expect(describeMovedData(NOTHING)).toEqual([])
  expect(describeMovedData({ ...NOTHING, listens: 1 })[0]).toMatch(/^1 listen moves to the remaining song\./)
  expect(describeMovedData({ ...NOTHING, crates: 1, favourites: { rows: 3, doubles: 1 } })).toEqual([
    '3 favourites (1 already on the remaining song).',
    'Crates of 1 member.',
  ])
})

test.each([
  [1, 0, '1 download moves to the remaining song.'],
  [2, 0, '2 downloads move to the remaining song.'],
  [0, 2, '2 listens move to the remaining song.'],
  [1, 1, '1 download and 1 listen move to the remaining song.'],
])('says what happens to %d downloads and %d listens', (downloads, listens, sentence) => {
  expect(describeMovedData({ ...NOTHING, downloads, listens })).toEqual([
    `${sentence} Download limits and history are kept.`,
  ])
})

test('counts playlist positions, duplicates and pins', () => {
  const playlists = { rows: 2, doubles: 1 }
  expect(describeMovedData({ ...NOTHING, playlists, trending: { rows: 1, doubles: 0 } })).toEqual([
    '2 playlist positions (1 duplicate).',
    'The trending pin.',
  ])
  expect(describeMovedData({ ...NOTHING, playlists: { rows: 1, doubles: 0 } })).toEqual(['1 playlist position.'])
})

test('names a list that gets shorter', () => {
  const lists = [
    { title: 'June', double: true },
    { title: 'Openers', double: false },
  ]
  expect(describeMovedData({ ...NOTHING, lists })).toEqual([
    '2 spotlights and top 20s: “June”, “Openers”.',
    '“June” contains more than one of these songs and will get shorter.',
  ])
  expect(describeMovedData({ ...NOTHING, lists: lists.map((list) => ({ ...list, double: true })) })[1]).toBe(
    '“June” and “Openers” contain more than one of these songs and will get shorter.',
  )
})

const song = { title: 'Night Drive', artist: 'Kwame' }
const version = (version_label: string, uploaded_name: string) => ({
  ...{ song_version_id: 1, entity_id: 1, version_label, uploaded_name, format: 'mp3', bitrate_kbps: 320 },
  ...{ duration_seconds: 200, downloads: 0, is_listed: true },
})

test('suggests the title from the file name, or else from the version', () => {
  expect(suggestNewSong(song, [version('Clean', 'Ana - Sunset (Clean).mp3')])).toEqual({
    title: 'Sunset',
    artist: 'Ana',
  })
  expect(suggestNewSong(song, [version('Dub Mix', 'Kwame - Night Drive (Dub Mix).mp3')])).toEqual({
    title: 'Night Drive (Dub Mix)',
    artist: 'Kwame',
  })
  expect(suggestNewSong(song, [])).toEqual({ title: '', artist: 'Kwame' })
})
