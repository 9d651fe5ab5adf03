import { expect, test } from 'vitest'
import { missingFieldErrors, toApplicationInput } from './application.ts'

const EMPTY = { how: '', referred_by: '', dj_website: '', comment: '' } as const

test('requires one of the two ways to apply', () => {
  expect(missingFieldErrors(EMPTY)).toEqual({ how: 'Please select one option from Member Reference or Social link!' })
})

test('requires text for a member reference, not just spaces', () => {
  const message = { referred_by: 'Member Reference Detail cannot be blank!' }
  expect(missingFieldErrors({ ...EMPTY, how: 'member' })).toEqual(message)
  expect(missingFieldErrors({ ...EMPTY, how: 'member', referred_by: '  ', dj_website: 'https://a.example' })).toEqual(
    message,
  )
  expect(missingFieldErrors({ ...EMPTY, how: 'member', referred_by: 'DJ Ada' })).toEqual({})
})

test('requires text for a social link', () => {
  expect(missingFieldErrors({ ...EMPTY, how: 'link', referred_by: 'DJ Ada' })).toEqual({
    dj_website: 'Reference Detail cannot be blank!',
  })
  expect(missingFieldErrors({ ...EMPTY, how: 'link', dj_website: 'https://a.example' })).toEqual({})
})

test('does not send what was typed for the other way', () => {
  const both = { referred_by: 'DJ Ada', dj_website: 'https://a.example', comment: 'Hello' }
  expect(toApplicationInput({ ...both, how: 'link' })).toEqual({ ...both, referred_by: '' })
  expect(toApplicationInput({ ...both, how: 'member' })).toEqual({ ...both, dj_website: '' })
})
