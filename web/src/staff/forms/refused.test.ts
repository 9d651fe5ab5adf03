import { expect, test, vi } from 'vitest'

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('location', { hash: '', pathname: '/' })
const { ApiError } = await import('../../platform/api.ts')
const { fieldErrorsOf, sentencesOf } = await import('./refused.ts')

const refused = new ApiError(422, {
  code: 'wrong_song_count',
  message: 'Song 7 isn’t published. Remove it from the list.',
  errors: ['Song 7 isn’t published. Remove it from the list.', 'It would end before it begins.'],
  fields: {
    'entity_ids.3': 'Song 7 isn’t published. Remove it from the list.',
    ended_at: 'It would end before it begins.',
  },
})

test('maps every rejected field to its name in the form, and an item of a list to the list', () => {
  expect(fieldErrorsOf(refused)).toEqual({
    entity_ids: 'Song 7 isn’t published. Remove it from the list.',
    ended_at: 'It would end before it begins.',
  })
  expect(fieldErrorsOf(refused, { entity_ids: 'songs', ended_at: 'until' })).toEqual({
    songs: 'Song 7 isn’t published. Remove it from the list.',
    until: 'It would end before it begins.',
  })
})

test('reports the first of several errors in a list', () => {
  const twice = new ApiError(400, { fields: { 'plan_ids.0': 'first', 'plan_ids.1': 'second' } })
  expect(fieldErrorsOf(twice)).toEqual({ plan_ids: 'first' })
})

test('returns all messages, not only the first', () => {
  expect(sentencesOf(refused)).toBe('Song 7 isn’t published. Remove it from the list. It would end before it begins.')
  expect(sentencesOf(new Error('It broke.'))).toBe('It broke.')
})

test('returns no fields for other errors', () => {
  expect(fieldErrorsOf(new Error('offline'))).toEqual({})
})
