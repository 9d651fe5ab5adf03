import type { billing } from '@dubplate/contract'
import { expect, test } from 'vitest'
import {
  describeNextPayment,
  describeQuote,
  describeRemainingAccess,
  describeSubscription,
  expiresBeforeRenewal,
  gracePeriodText,
  planChangeBlocker,
} from './agreementTexts.ts'

const makeTestAgreement = (overrides: Partial<billing.Agreement> = {}): billing.Agreement => ({
  subscription_id: 1,
  subscription_title: 'Pro',
  plan_id: 2,
  plan_price: '19.99',
  currency: 'USD',
  created_at: '2026-11-21T12:00:00Z',
  profile_status: 'Active',
  interval: 'month',
  next_payment_date: '2026-12-21T12:00:00Z',
  next_amount: '19.99',
  payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '12/27' },
  access_until: '2026-12-24T12:00:00Z',
  is_trial: false,
  next_plan_id: null,
  failure_reason: '',
  can_resume: false,
  can_update_card: true,
  transfer: null,
  ...overrides,
})

const now = new Date('2026-11-21T12:00:00Z')

test('shows the next payment date and amount of an active subscription, less a coupon', () => {
  expect(describeNextPayment(makeTestAgreement())).toBe('Next payment of $19.99 on 21 Dec 2026')
  expect(describeNextPayment(makeTestAgreement({ next_amount: '9.99' }))).toBe('Next payment of $9.99 on 21 Dec 2026')
})

test('shows when a trial ends and what the plan costs then', () => {
  expect(describeNextPayment(makeTestAgreement({ is_trial: true }))).toBe(
    'Trial until 21 Dec 2026, then $19.99 every month',
  )
  expect(describeNextPayment(makeTestAgreement({ is_trial: true, interval: 'year' }))).toContain('every year')
})

test('shows until when downloads work after a cancellation, and no next payment', () => {
  const cancelled = makeTestAgreement({ profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' })
  expect(describeNextPayment(cancelled)).toBe('Ends on 21 Dec 2026. You can download until then.')
})

test('shows no next payment while a payment is in progress or after one failed', () => {
  expect(describeNextPayment(makeTestAgreement({ profile_status: 'CREATED' }))).toBe('')
  expect(describeNextPayment(makeTestAgreement({ profile_status: 'Past due' }))).toBe('')
})

test('shows whether downloads still work after a failed payment', () => {
  expect(gracePeriodText(makeTestAgreement(), true, now)).toBe('You can download until 24 Dec 2026.')
  expect(gracePeriodText(makeTestAgreement(), true, new Date('2026-12-25T12:00:00Z'))).toBe(
    'Downloads have been paused since 24 Dec 2026.',
  )
  expect(gracePeriodText(makeTestAgreement({ access_until: null }), true, now)).toBe('')
})

test('never claims that downloads work for an unpaid member, whatever the local date', () => {
  expect(gracePeriodText(makeTestAgreement(), false, now)).toBe('Downloads have been paused since 24 Dec 2026.')
})

test('keeps the paid period but not the days of grace after a cancellation; nothing after a failed payment', () => {
  expect(describeRemainingAccess(makeTestAgreement())).toContain('until 21 Dec 2026.')
  expect(describeRemainingAccess(makeTestAgreement({ profile_status: 'Past due' }))).toContain('ends immediately')
})

test('shows the current plan among the plans on sale, until when it lasts, and pending changes', () => {
  const ending = { profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' } as const
  expect(describeSubscription(makeTestAgreement())).toBe('You’re on Pro.')
  expect(describeSubscription(makeTestAgreement(ending))).toBe('You’re on Pro until 21 Dec 2026.')
  expect(describeSubscription(makeTestAgreement({ profile_status: 'Past due' }))).toContain(
    'Your last payment is overdue',
  )
})

test('offers another plan while one is active; otherwise shows when one can be chosen', () => {
  const ending = { profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' } as const
  expect(planChangeBlocker(null)).toBe('')
  expect(planChangeBlocker(makeTestAgreement())).toBe('')
  expect(planChangeBlocker(makeTestAgreement({ profile_status: 'Ended' }))).toBe('')
  expect(planChangeBlocker(makeTestAgreement({ profile_status: 'Past due' }))).toContain(
    'Complete your overdue payment',
  )
  expect(planChangeBlocker(makeTestAgreement(ending))).toBe('You can choose this plan after 21 Dec 2026.')
  expect(planChangeBlocker(makeTestAgreement({ ...ending, can_resume: true }))).toBe(
    'Resume Pro to switch to this plan, or choose it after 21 Dec 2026.',
  )
  const withoutDate = makeTestAgreement({ ...ending, access_until: null })
  expect(planChangeBlocker(withoutDate)).toBe('You can choose this plan when Pro ends.')
  expect(planChangeBlocker({ ...withoutDate, can_resume: true })).toBe(
    'Resume Pro to switch to this plan, or choose it when Pro ends.',
  )
})

test('treats a card as valid until the end of its month, and warns when a payment comes later', () => {
  const withCard = (expires: string) =>
    makeTestAgreement({ payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires } })
  expect(expiresBeforeRenewal(withCard('12/26'))).toBe(false)
  expect(expiresBeforeRenewal(withCard('11/26'))).toBe(true)
  expect(expiresBeforeRenewal(withCard(''))).toBe(false)
  expect(expiresBeforeRenewal({ ...withCard('11/26'), next_payment_date: null })).toBe(false)
})

test('shows what a more expensive plan costs now, and from when a cheaper one applies', () => {
  const quote = { currency: 'USD', from: '2026-12-21T12:00:00Z' }
  expect(describeQuote({ ...quote, due_now: '7.43', price: '29.99' }, 'month', now)).toBe(
    '$7.43 due now for the rest of this period, then $29.99 every month.',
  )
  expect(describeQuote({ ...quote, due_now: '0.00', price: '9.99' }, 'month', now)).toBe(
    'You’ll pay $9.99 every month from 21 Dec 2026. Nothing changes until then.',
  )
  expect(describeQuote({ ...quote, from: now.toISOString(), due_now: '0.00', price: '29.99' }, 'month', now)).toBe(
    'Nothing is due today. You’ll pay $29.99 every month from your next billing period.',
  )
})
