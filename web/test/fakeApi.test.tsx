import { charts, type Endpoint, library, membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import * as contract from '../../contract/src/index.ts'
import { callApi } from '../src/platform/api.ts'
import { fakeApi } from './fakeApi.ts'
import { sampleOf } from './sampleOf.ts'

const allCalls = Object.values(contract)
  .flatMap((module) => (typeof module === 'object' ? Object.values(module as object) : []))
  .filter((value): value is Endpoint => typeof value === 'object' && value !== null && 'path' in value)

test('has an empty reply for every call that the contract accepts', () => {
  expect(allCalls.length).toBeGreaterThan(200)
  const invalidReplies = allCalls.filter(({ reply }) => !z.safeParse(reply, sampleOf(reply)).success)
  expect(invalidReplies.map(({ path }) => path)).toEqual([])
})

test('fails a test whose reply does not match the contract', async () => {
  fakeApi.reply(charts.getChart, { songs: [{ title: 'Without an id' }] as never })
  await callApi(charts.getChart, {})
  expect(() => fakeApi.reset()).toThrow(/song\/chart\.json does not fit the contract/)
})

test('fails a test that rejects a call with a code it does not declare', async () => {
  fakeApi.rejectWith(membership.signIn, { code: 'unknown_coupon', message: 'This coupon has expired.' })
  await expect(callApi(membership.signIn, { email: 'dj@pool.test', password: 'x' })).rejects.toThrow(
    'This coupon has expired.',
  )
  expect(() => fakeApi.reset()).toThrow(/does not declare the code unknown_coupon/)
})

test('rejects an input that does not match the contract, with its field', async () => {
  await expect(callApi(membership.signIn, { email: 'nobody', password: 'x' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { email: 'Invalid Email' },
  })
})

test('rejects a call that needs a session without one', async () => {
  await expect(callApi(library.getCrates, {})).rejects.toMatchObject({ code: 'not_signed_in', status: 401 })
})
