import { expect, test } from 'vitest'
import { outcomeOf, pollDelay } from './paymentPolling.ts'

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
