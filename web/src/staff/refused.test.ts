import { expect, test, vi } from 'vitest'

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('location', { hash: '', pathname: '/' })
const { ApiError } = await import('../platform/api.ts')
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

test('every field that was refused is found under its name in the form, a part of a list at the list', () => {
  expect(fieldErrorsOf(refused)).toEqual({
    entity_ids: 'Song 7 isn’t published. Remove it from the list.',
    ended_at: 'It would end before it begins.',
  })
  expect(fieldErrorsOf(refused, { entity_ids: 'songs', ended_at: 'until' })).toEqual({
    songs: 'Song 7 isn’t published. Remove it from the list.',
    until: 'It would end before it begins.',
  })
})

test('of several parts of a list the first is said', () => {
  const twice = new ApiError(400, { fields: { 'plan_ids.0': 'first', 'plan_ids.1': 'second' } })
  expect(fieldErrorsOf(twice)).toEqual({ plan_ids: 'first' })
})

test('all reasons are said, not the first alone', () => {
  expect(sentencesOf(refused)).toBe('Song 7 isn’t published. Remove it from the list. It would end before it begins.')
  expect(sentencesOf(new Error('It broke.'))).toBe('It broke.')
})

test('what is no refusal names no field', () => {
  expect(fieldErrorsOf(new Error('offline'))).toEqual({})
})
