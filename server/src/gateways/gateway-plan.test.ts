import { expect, test } from 'vitest'
import { amountOf, termsOf } from './amounts.ts'
import { fetchedEvent, fetchedEvents, laterTerms } from './gateway-plan.ts'

const plan = { plan_id: 1, title: 'Pool', currency: 'USD', interval: 'month' as const, price_minor: 2000 }
const withCoupon = (payments: number | null) =>
  termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true, coupon: { percent: 50, amount_minor: null, payments } })

test('a new plan has no first price, and only a coupon for all payments is kept', () => {
  expect(amountOf(laterTerms(withCoupon(null)), 1)).toEqual({ amount_minor: 1000, discount_minor: 1000 })
  expect(amountOf(laterTerms(withCoupon(null)), 9)).toEqual({ amount_minor: 1000, discount_minor: 1000 })
  expect(amountOf(laterTerms(withCoupon(6)), 1)).toEqual({ amount_minor: 2000, discount_minor: 0 })
})

const eventAt = (at: string, is_cancelled: boolean) => ({
  at: new Date(at),
  gateway_ref: 'sub_1',
  subscription_id: 7,
  facts: [{ kind: 'cancelled' as const, is_cancelled }],
})
const idOf = (at: string, is_cancelled: boolean) =>
  fetchedEvents(eventAt(at, is_cancelled)).map(({ event_id }) => event_id)

test('the same state fetched twice on a day is one event; a changed state, or the same one later, is another', () => {
  expect(idOf('2026-11-21T08:00:00Z', true)).toEqual(idOf('2026-11-21T20:00:00Z', true))
  expect(idOf('2026-11-21T08:00:00Z', true)).not.toEqual(idOf('2026-11-21T08:00:00Z', false))
  expect(idOf('2026-11-21T08:00:00Z', true)).not.toEqual(idOf('2026-11-22T08:00:00Z', true))
})

test('a payment that was fetched is the same event on any day', () => {
  const facts = [{ kind: 'refund' as const, refund_ref: 're_1', charge_ref: 'in_1', amount_minor: 1 }]
  const [first] = fetchedEvents({ ...eventAt('2026-11-21T08:00:00Z', true), facts })
  const [later] = fetchedEvents({ ...eventAt('2027-01-01T08:00:00Z', true), facts })
  expect(later?.event_id).toBe(first?.event_id)
  expect(fetchedEvent({ ...eventAt('2026-11-21T08:00:00Z', true), facts }).event_id).toBe(first?.event_id)
})

test('nothing fetched is no event', () => {
  expect(fetchedEvents({ ...eventAt('2026-11-21T08:00:00Z', true), facts: [] })).toEqual([])
})
