import { expect, test } from 'vitest'
import { nextStepOf, outcomeOf, pollDelay } from './paymentSteps.ts'

test('continues at the provider when there is a URL', () => {
  const url = 'https://provider.example/pay'
  expect(nextStepOf({ status: true, profile_id: 7, url })).toEqual({ kind: 'provider', url })
})

test('continues on the success screen after a completed payment', () => {
  expect(nextStepOf({ status: true, profile_id: 7, url: null })).toEqual({
    kind: 'screen',
    href: '/subscription/success/7',
  })
})

test('continues on the failure screen when a payment was not completed or has no subscription', () => {
  const failed = { kind: 'screen', href: '/subscription/failed' }
  expect(nextStepOf({ status: false, profile_id: 7, url: null })).toEqual(failed)
  expect(nextStepOf({ status: true, profile_id: null, url: null })).toEqual(failed)
})

test('polls a payment every second at first, later every five, and stops after two minutes', () => {
  expect(pollDelay(0)).toBe(1_000)
  expect(pollDelay(8_000)).toBe(2_000)
  expect(pollDelay(60_000)).toBe(5_000)
  expect(pollDelay(119_999)).toBe(5_000)
  expect(pollDelay(120_000)).toBe(false)
})

test('reports a payment as paid, waiting while undecided, or failed', () => {
  expect(outcomeOf({ is_paid: true, profile_status: 'Active', failure_reason: '' })).toBe('paid')
  expect(outcomeOf({ is_paid: true, profile_status: 'Cancelled', failure_reason: '' })).toBe('paid')
  expect(outcomeOf({ is_paid: false, profile_status: 'CREATED', failure_reason: '' })).toBe('waiting')
  expect(outcomeOf({ is_paid: false, profile_status: 'CREATED', failure_reason: 'Your card was declined.' })).toBe(
    'failed',
  )
  expect(outcomeOf({ is_paid: false, profile_status: 'Ended', failure_reason: '' })).toBe('failed')
})
