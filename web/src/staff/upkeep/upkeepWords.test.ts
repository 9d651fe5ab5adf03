import { expect, test } from 'vitest'
import { followsInWords, proposedSong } from './upkeepWords.ts'

const NOTHING = {
  ...{ favourites: { rows: 0, doubles: 0 }, playlists: { rows: 0, doubles: 0 }, trending: { rows: 0, doubles: 0 } },
  ...{ crates: 0, downloads: 0, listens: 0, lists: [], uploads: 0 },
}

test('mentions only what exists', () => {
  expect(followsInWords(NOTHING)).toEqual([])
  expect(followsInWords({ ...NOTHING, listens: 1 })[0]).toMatch(/^1 listen moves to the remaining song\./)
  expect(followsInWords({ ...NOTHING, crates: 1, favourites: { rows: 3, doubles: 1 } })).toEqual([
    '3 favourites (1 already on the remaining song).',
    'Crates of 1 member.',
  ])
})

test('names a list that gets shorter', () => {
  const lists = [
    { title: 'June', double: true },
    { title: 'Openers', double: false },
  ]
  expect(followsInWords({ ...NOTHING, lists })).toEqual([
    '2 spotlights and top 20s: “June”, “Openers”.',
    '“June” contains more than one of these songs and will get shorter.',
  ])
})

const song = { title: 'Night Drive', artist: 'Kwame' }
const version = (version_label: string, uploaded_name: string) => ({
  ...{ song_version_id: 1, entity_id: 1, version_label, uploaded_name, format: 'mp3', bitrate_kbps: 320 },
  ...{ duration_seconds: 200, downloads: 0, is_listed: true },
})

test('suggests the title from the file name, or else from the version', () => {
  expect(proposedSong(song, [version('Clean', 'Ana - Sunset (Clean).mp3')])).toEqual({ title: 'Sunset', artist: 'Ana' })
  expect(proposedSong(song, [version('Dub Mix', 'Kwame - Night Drive (Dub Mix).mp3')])).toEqual({
    title: 'Night Drive (Dub Mix)',
    artist: 'Kwame',
  })
  expect(proposedSong(song, [])).toEqual({ title: '', artist: 'Kwame' })
})
