import type { review } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { type Entry, editOf, entryOf, entryOnTop } from './uploadForm.ts'

const song = {
  title: 'Night Drive',
  artist: 'Kwame',
  year: 2026,
  song_key: 'Am',
  min_bpm: 124,
  max_bpm: 124,
  genres: [7],
  sources: {},
  song_section_id: 1,
  expire_date: '2027-02-20T00:00:00.000Z',
  version: 3,
}
const slot = (song_version_id: number, version_id: number, start_sec = 0) => ({
  song_version_id,
  version_id,
  new_label: version_id ? '' : 'VIP',
  song: 90 + song_version_id,
  start_min: 0,
  start_sec,
})
const read = (change: object = {}, versions = [slot(1, 5), slot(2, 6)]): Entry =>
  entryOf({ song: { ...song, ...change }, versions } as review.ReviewedSong)

const typed = (entry: Entry, change: Partial<Entry['form']['values']>): Entry => ({
  ...entry,
  form: {
    ...entry.form,
    values: { ...entry.form.values, ...change },
    typed: Object.keys(change) as Entry['form']['typed'],
  },
})
const slotTyped = (entry: Entry, at: number, change: object): Entry => ({
  ...entry,
  form: { ...entry.form, slots: entry.form.slots.map((each, n) => (n === at ? { ...each, ...change } : each)) },
})

test('keeps typed values when someone else saved the song, and takes their other values', () => {
  const mine = { ...typed(read(), { title: 'Night Drive (2026)' }), section: 2 }
  const newer = read({ title: 'Night drive', artist: 'Kwame & Co', version: 4 })
  const both = entryOnTop(newer, mine)
  expect(both.form.values).toMatchObject({ title: 'Night Drive (2026)', artist: 'Kwame & Co' })
  expect([both.form.version, both.section]).toEqual([4, 2])
  expect(entryOnTop(read({ song_section_id: 2 }), read()).section).toBe(2)
})

test('keeps the name and the start of a version independently', () => {
  const mine = slotTyped(slotTyped(read(), 0, { start_seconds: 30 }), 1, { version_id: 0, new_label: 'Club' })
  const newer = read({}, [slot(1, 9), slot(2, 6, 12)])
  expect(entryOnTop(newer, mine).form.slots).toMatchObject([
    { version_id: 9, start_seconds: 30 },
    { version_id: 0, new_label: 'Club', start_seconds: 12 },
  ])
})

test('leaves versions as the uploader removed or added them', () => {
  const mine = slotTyped(read(), 0, { start_seconds: 30 })
  const both = entryOnTop(read({}, [slot(2, 6), slot(3, 8)]), mine)
  expect(editOf(1, both).versions?.map(({ song_version_id }) => song_version_id)).toEqual([2, 3])
})

test('sends the revision of the song as loaded, and each version by its number', () => {
  expect(editOf(11, slotTyped(read(), 1, { start_seconds: 75 }))).toEqual({
    entity_id: 11,
    version: 3,
    song_section_id: 1,
    songData: {
      title: 'Night Drive',
      artist: 'Kwame',
      year: '2026',
      song_key: 'Am',
      bpm: '124',
      genres: [7],
      expire_date: { year: 2027, month: 2, day: 20 },
    },
    versions: [
      { song_version_id: 1, version_id: 5, new_label: '', start_min: 0, start_sec: 0 },
      { song_version_id: 2, version_id: 6, new_label: '', start_min: 1, start_sec: 15 },
    ],
  })
})
