import { expect, test } from 'vitest'
import { indexCatalogue } from './catalogue-index.ts'
import { matchLibrary } from './match-library.ts'

const long = ['(', '[(', ' ', ' - ', 'a ', 'feat. ', '&', '&#', 'Ã', '100%', '_-_', 'A - ', '(Clean', ') ('].map(
  (text) => text.repeat(20_000),
)

test.each([...long, '\ud800', '\0', '\u202e', '🔥'])('matches texts of any kind in a short time: %#', async (text) => {
  const name = text.slice(0, 300)
  const source = indexCatalogue([{ entity_id: 1, artist: name, title: name, remixer: '', isrc: '', versions: [] }])
  const values = { version: text, remixer: text, album: '', isrc: text, duration_seconds: 1, bpm: null, bytes: null }
  const file = { file_name: `${text}.mp3`, path_parts: [`${text}.mp3`] }
  const started = performance.now()
  const entries = [
    { artist: text, title: text, ...values, ...file },
    { artist: '', title: '', ...values, ...file },
  ]
  expect(await matchLibrary(entries, source)).toHaveLength(2)
  expect(performance.now() - started).toBeLessThan(20_000)
})
