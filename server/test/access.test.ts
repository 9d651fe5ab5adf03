import type { Access, Endpoint } from '@dubplate/contract'
import * as contract from '@dubplate/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSession } from '../src/membership/sign-in.ts'
import { aMember } from './makers.ts'
import { openTestPool, type TestPool } from './pool.ts'

const isCall = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value
const calls = Object.values(contract).flatMap((room) =>
  typeof room === 'object' ? Object.values(room).filter(isCall) : [],
)
const callsFor = (...access: Access[]) =>
  calls.filter((call) => access.includes(call.access)).map((call) => [call.path, call] as const)

let open: TestPool
let closed: TestPool
beforeAll(async () => {
  open = await openTestPool()
  closed = await openTestPool({ config: { publicBrowsing: false } })
})
afterAll(() => Promise.all([open.close(), closed.close()]))

const answer = async (pool: TestPool, call: Endpoint, token?: string) => {
  const response = await pool.request(call, {}, token)
  return { status: response.statusCode, code: response.json().code }
}

const NOT_SIGNED_IN = { status: 401, code: 'not_signed_in' }

test('the contract has calls of every room that is built', () => {
  expect(calls.length).toBeGreaterThan(50)
})

describe('a visitor', () => {
  test.each(callsFor('customer', 'member', 'downloader', 'applicant', 'staff'))(
    'may not make %s',
    async (_path, call) => {
      expect(await answer(open, call)).toEqual(NOT_SIGNED_IN)
    },
  )

  test.each(callsFor('browse'))('is asked to sign in for %s where browsing is for members', async (_path, call) => {
    expect(await answer(closed, call)).toEqual(NOT_SIGNED_IN)
    expect((await answer(open, call)).status).not.toBe(401)
  })

  test.each(callsFor('public'))('may make %s even there', async (_path, call) => {
    expect((await answer(closed, call)).status).not.toBe(401)
  })
})

describe('whoever has yet to apply', () => {
  test.each(callsFor('customer', 'member', 'downloader'))('may not make %s', async (_path, call) => {
    const { customer_id } = await aMember(open.world, { application: 'none' })
    const token = await openSession(open.world.sql, customer_id, 'applicant', { ip: '127.0.0.1', userAgent: 'test' })
    expect(await answer(open, call, token)).toEqual({ status: 403, code: 'not_allowed' })
  })
})

describe('a member without a paid plan', () => {
  test.each(callsFor('downloader'))('is sent to the plans by %s', async (_path, call) => {
    const { token } = await aMember(open.world, { payment_profile_status: 'unpaid' })
    expect(await answer(open, call, token)).toEqual({ status: 403, code: 'subscription_required' })
  })

  test.each(callsFor('customer', 'browse'))('may make %s', async (_path, call) => {
    const { token } = await aMember(closed.world, { payment_profile_status: 'unpaid' })
    expect([401, 403]).not.toContain((await answer(closed, call, token)).status)
  })
})
