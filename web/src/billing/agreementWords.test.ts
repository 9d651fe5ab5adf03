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
  trouble: '',
  can_resume: false,
  can_update_card: true,
  transfer: null,
  ...overrides,
})

const now = new Date('2026-11-21T12:00:00Z')

test('an active subscription says when the next payment is and of how much, a coupon taken off', () => {
  expect(describeNextPayment(makeTestAgreement())).toBe('Next payment of $19.99 on 21 Dec 2026')
  expect(describeNextPayment(makeTestAgreement({ next_amount: '9.99' }))).toBe('Next payment of $9.99 on 21 Dec 2026')
})

test('a trial says when it ends and what it costs then', () => {
  expect(describeNextPayment(makeTestAgreement({ is_trial: true }))).toBe(
    'Trial until 21 Dec 2026, then $19.99 every month',
  )
  expect(describeNextPayment(makeTestAgreement({ is_trial: true, interval: 'year' }))).toContain('every year')
})

test('a cancelled one says until when music can be downloaded, and promises no payment', () => {
  const cancelled = makeTestAgreement({ profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' })
  expect(describeNextPayment(cancelled)).toBe('Ends on 21 Dec 2026. You can download until then.')
})

test('while a payment is under way, or after one failed, no next payment is promised', () => {
  expect(describeNextPayment(makeTestAgreement({ profile_status: 'CREATED' }))).toBe('')
  expect(describeNextPayment(makeTestAgreement({ profile_status: 'Past due' }))).toBe('')
})

test('after a failed payment it says whether downloads still work', () => {
  expect(gracePeriodText(makeTestAgreement(), true, now)).toBe('You can download until 24 Dec 2026.')
  expect(gracePeriodText(makeTestAgreement(), true, new Date('2026-12-25T12:00:00Z'))).toBe(
    'Downloads have been paused since 24 Dec 2026.',
  )
  expect(gracePeriodText(makeTestAgreement({ access_until: null }), true, now)).toBe('')
})

test('downloads of somebody who is not paid are not said to work, whatever the day here is', () => {
  expect(gracePeriodText(makeTestAgreement(), false, now)).toBe('Downloads have been paused since 24 Dec 2026.')
})

test('whoever cancels keeps the period that is paid, not the days of grace; after a failed payment nothing is left', () => {
  expect(describeRemainingAccess(makeTestAgreement())).toContain('until 21 Dec 2026.')
  expect(describeRemainingAccess(makeTestAgreement({ profile_status: 'Past due' }))).toContain('ends immediately')
})

test('among the plans on sale it says which one somebody is on, until when it lasts, and what is open', () => {
  const ending = { profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' } as const
  expect(describeSubscription(makeTestAgreement())).toBe('You’re on Pro.')
  expect(describeSubscription(makeTestAgreement(ending))).toBe('You’re on Pro until 21 Dec 2026.')
  expect(describeSubscription(makeTestAgreement({ profile_status: 'Past due' }))).toContain(
    'Your last payment is overdue',
  )
})

test('another plan is offered while one is active; after a cancellation or a failed payment it says when it can be had', () => {
  const ending = { profile_status: 'Cancelled', access_until: '2026-12-21T12:00:00Z' } as const
  expect(planChangeBlocker(null)).toBe('')
  expect(planChangeBlocker(makeTestAgreement())).toBe('')
  expect(planChangeBlocker(makeTestAgreement({ profile_status: 'Ended' }))).toBe('')
  expect(planChangeBlocker(makeTestAgreement({ profile_status: 'Past due' }))).toContain(
    'Complete your overdue payment',
  )
  expect(planChangeBlocker(makeTestAgreement(ending))).toBe('You can choose this plan after 21 Dec 2026.')
  expect(planChangeBlocker(makeTestAgreement({ ...ending, can_resume: true }))).toContain(
    'Resume Pro to switch to this plan',
  )
})

test('a card is good to the end of its month, and warned of when a payment comes after it', () => {
  const withCard = (expires: string) =>
    makeTestAgreement({ payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires } })
  expect(expiresBeforeRenewal(withCard('12/26'))).toBe(false)
  expect(expiresBeforeRenewal(withCard('11/26'))).toBe(true)
  expect(expiresBeforeRenewal(withCard(''))).toBe(false)
  expect(expiresBeforeRenewal({ ...withCard('11/26'), next_payment_date: null })).toBe(false)
})

test('a dearer plan says what is paid now, a cheaper one from when it holds', () => {
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
