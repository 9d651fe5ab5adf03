import type { uploadedSongs } from '@dubplate/contract'
import { expect, test } from 'vitest'
import {
  dayAfter,
  emptyForm,
  emptySlot,
  formOfEntry,
  inputOf,
  mapServerErrors,
  mergeForms,
  type SongForm,
  validateSlots,
} from './songForm.ts'

const entry = {
  title: 'Levels',
  artist: 'Avicii',
  year: 2011,
  song_key: 'C#m',
  min_bpm: 98,
  max_bpm: 126,
  genres: [3],
  expire_date: '2027-01-31T00:00:00.000Z',
  sources: { title: 'tag', artist: 'tag', year: 'staff', song_key: 'analysis', bpm: 'uploader', genres: 'uploader' },
  version: 4,
} as unknown as uploadedSongs.SongEntry

const saved = {
  song_version_id: 9,
  version_id: 2,
  new_label: '',
  song: 70,
  start_min: 1,
  start_sec: 5,
} as uploadedSongs.Slot

const filled = (change: Partial<SongForm> = {}): SongForm => ({ ...formOfEntry(entry, [saved]), ...change })

test('sends a song back as it was read', () => {
  expect(inputOf(filled())).toEqual({
    songData: {
      title: 'Levels',
      artist: 'Avicii',
      year: '2011',
      song_key: 'C#m',
      bpm: '98-126',
      genres: [3],
      expire_date: { year: 2027, month: 1, day: 31 },
    },
    versions: [{ song_version_id: 9, version_id: 2, new_label: '', song: 70, start_min: 1, start_sec: 5 }],
  })
})

test('sends a custom label in place of a version type, and omits an untouched slot', () => {
  const slots = [emptySlot('a'), { ...emptySlot('b'), version_id: 0, new_label: 'VIP', song: 71, start_seconds: 61.7 }]
  expect(inputOf(filled({ slots })).versions).toEqual([
    { song_version_id: undefined, version_id: undefined, new_label: 'VIP', song: 71, start_min: 1, start_sec: 1 },
  ])
})

test('requires a name and a file for a slot', () => {
  const slots = [
    emptySlot('empty'),
    { ...emptySlot('nameless'), song: 71 },
    { ...emptySlot('unnamed'), version_id: 0, new_label: ' ', song: 71 },
    { ...emptySlot('without'), version_id: 2 },
  ]
  expect(Object.keys(validateSlots(filled({ slots })))).toEqual([
    'slots.nameless.version_id',
    'slots.unnamed.version_id',
    'slots.without.song',
  ])
})

test('maps the server’s errors to fields and slots', () => {
  const slots = [emptySlot('empty'), { ...emptySlot('one'), version_id: 1, song: 71 }]
  const fields = {
    'songData.title': 'A',
    'songData.genres.0': 'B',
    'versions.0.start_min': 'C',
    'versions.0.song': 'D',
  }
  expect(mapServerErrors(fields, filled({ slots }))).toEqual({
    'values.title': 'A',
    'values.genres': 'B',
    'slots.one.start': 'C',
    'slots.one.song': 'D',
  })
})

test('keeps typed values when a song was changed in the meantime, and updates the rest', () => {
  const serverForm = formOfEntry({ ...entry, title: 'Levels (Radio Edit)', year: 2012, version: 5 }, [])
  const localForm = filled({ typed: ['title'], values: { ...filled().values, title: 'Levels!' } })
  const merged = mergeForms(serverForm, localForm)
  expect(merged.values).toMatchObject({ title: 'Levels!', year: '2012' })
  expect(merged).toMatchObject({ version: 5, slots: [], typed: ['title'] })
})

test('creates a new slot for one that was removed in the meantime', () => {
  const merged = mergeForms(formOfEntry({ ...entry, version: 5 }, []), filled({ typed: ['slots'] }))
  expect(merged.slots).toMatchObject([{ song: 70, song_version_id: undefined }])
})

test('sets the expiry of a new song to 90 days unless another date is chosen', () => {
  const form = emptyForm(dayAfter(90, new Date('2026-11-21T23:00:00Z')))
  expect(form.values.expire_date).toBe('2027-02-19')
})
