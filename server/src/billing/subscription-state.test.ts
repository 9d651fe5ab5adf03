import { expect, test } from 'vitest'
import { periodEnd } from '../gateways/periods.ts'
import { deriveState, firstPaidAt, hasAccess, type PaidPeriod, type SubscriptionFacts } from './subscription-state.ts'

const START = new Date('2026-11-01T10:00:00Z')
const END = new Date('2026-12-01T10:00:00Z')
const on = (day: string) => new Date(`2026-${day}T10:00:00Z`)

const period = (overrides: Partial<PaidPeriod> = {}): PaidPeriod => ({
  ...{
    status: 'paid',
    is_void: false,
    is_trial: false,
    reason: 'first',
    period_start: START,
    period_end: END,
    ...overrides,
  },
})
const facts = (overrides: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  ...{ charges: [period()], is_cancelled: false, has_ended: false, is_abandoned: false },
  ...{ checkout_ends_at: on('11-02'), ...overrides },
})
const statusAt = (day: string, overrides: Partial<SubscriptionFacts> = {}) =>
  deriveState(facts(overrides), on(day)).status
const hasAccessAt = (day: string, overrides: Partial<SubscriptionFacts> = {}) =>
  hasAccess(deriveState(facts(overrides), on(day)), on(day))
const failed = { charges: [period(), period({ status: 'failed', period_start: END, period_end: on('12-31') })] }

test.each([
  ['a checkout is pending until it expires', '11-01', { charges: [] }, 'pending', false],
  ['a checkout has failed once it has expired', '11-02', { charges: [] }, 'failed', false],
  ['an abandoned checkout has failed', '11-01', { charges: [], is_abandoned: true }, 'failed', false],
  ['an abandoned checkout that is paid after all is active', '11-05', { is_abandoned: true }, 'active', true],
  ['a paid subscription is active', '11-15', {}, 'active', true],
  [
    'the first period at a trial price is a trial',
    '11-15',
    { charges: [period({ is_trial: true })] },
    'trialing',
    true,
  ],
  ['a failed payment starts the grace period', '12-02', failed, 'past_due', true],
  ['there is no access after the grace period', '12-04', failed, 'past_due', false],
  ['it ends two weeks after a failed payment', '12-15', failed, 'ended', false],
  ['it stays active while the provider charges late', '12-01', {}, 'active', true],
  ['it is past due when the provider charges too late', '12-04', {}, 'past_due', false],
  ['a cancelled subscription keeps its paid period', '11-30', { is_cancelled: true }, 'cancel_scheduled', true],
  ['a cancelled subscription has no grace period', '12-01', { is_cancelled: true }, 'ended', false],
  ['one that ended at the provider keeps its paid period', '11-30', { has_ended: true }, 'cancel_scheduled', true],
  ['a fully refunded payment pays for nothing', '11-15', { charges: [period({ is_void: true })] }, 'ended', false],
] as const)('%s', (_what, day, overrides, status, access) => {
  expect(statusAt(day, overrides as Partial<SubscriptionFacts>)).toBe(status)
  expect(hasAccessAt(day, overrides as Partial<SubscriptionFacts>)).toBe(access)
})

test('the order of the charges makes no difference', () => {
  const next = period({ period_start: END, period_end: on('12-31') })
  const sequences = [
    [period(), next],
    [next, period()],
  ].map((charges) => deriveState(facts({ charges }), on('12-15')))
  expect(sequences[0]).toEqual(sequences[1])
  expect(sequences[0]?.status).toBe('active')
})

test('a trial that was upgraded is no longer a trial', () => {
  const charges = [period({ reason: 'upgrade', period_start: on('11-10') }), period({ is_trial: true })]
  expect(deriveState(facts({ charges }), on('11-15')).status).toBe('active')
})

test('an upgrade pays for nothing without the period it was made in', () => {
  const upgrade = period({ reason: 'upgrade', period_start: on('11-10') })
  expect(statusAt('11-15', { charges: [period({ is_void: true }), upgrade] })).toBe('ended')
})

test('a month that started on the 31st ends on the last day of a shorter month, and on the 31st again after it', () => {
  const anchor = new Date('2027-01-31T08:00:00Z')
  const ends = [1, 2, 3, 13].map((n) => periodEnd(anchor, 'month', n).toISOString().slice(0, 10))
  expect(ends).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29'])
  expect(periodEnd(new Date('2028-02-29T08:00:00Z'), 'year', 1).toISOString()).toBe('2029-02-28T08:00:00.000Z')
})

test('a subscription is paid since its earliest paid period, refunded or not', () => {
  const first = period({ is_void: true })
  const next = period({ period_start: END, period_end: on('12-31') })
  const declined = period({ status: 'failed', period_start: on('10-01') })
  expect(firstPaidAt([next, declined, first])).toEqual(START)
  expect(firstPaidAt([declined])).toBeNull()
})
