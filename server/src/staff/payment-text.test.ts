import { expect, test } from 'vitest'
import { describePaid, describeUnpaid } from './payment-text.ts'

const day = (text: string) => new Date(`${text}T12:00:00Z`)
const now = day('2026-11-21')
const plan = { title: 'Monthly', status: 'active', gateway: 'sandbox', failure_reason: '', ended_at: null } as const
const paid = (paid_until: string, access_until: string) => ({
  ...plan,
  paid_until: day(paid_until),
  access_until: day(access_until),
})

test.each([
  [undefined, 'Marked as paid, but has no subscription.'],
  [paid('2026-12-01', '2026-12-04'), 'Monthly is paid until 1 Dec 2026.'],
  [
    paid('2026-11-20', '2026-11-23'),
    'The payment for Monthly was due on 20 Nov 2026 and hasn’t arrived. Access ends on 23 Nov 2026.',
  ],
  [paid('2026-11-01', '2026-11-04'), 'Marked as paid, but Monthly was only paid until 1 Nov 2026.'],
])('explains why a member is marked as paid: %#', (subscription, words) => {
  expect(describePaid(subscription, now)).toBe(words)
})

const never = { ...plan, paid_until: null, access_until: null }

test.each([
  [undefined, 'No plan.'],
  [{ ...never, status: 'ended', ended_at: day('2026-11-05') }, 'Staff ended Monthly on 5 Nov 2026.'],
  [{ ...never, status: 'ended' }, 'The payment for Monthly was refunded.'],
  [{ ...never, status: 'pending' }, 'The payment for Monthly is being processed.'],
  [{ ...never, status: 'pending', gateway: 'manual' }, 'The bank transfer for Monthly hasn’t been marked as paid.'],
  [{ ...never, status: 'failed' }, 'No payment for Monthly was ever received.'],
  [
    { ...paid('2026-11-15', '2026-11-18'), status: 'past_due' },
    'The payment for Monthly was due on 15 Nov 2026 and the 3-day grace period has ended.',
  ],
  [{ ...paid('2026-11-01', '2026-11-01'), status: 'ended' }, 'Monthly ended on 1 Nov 2026.'],
  [paid('2026-12-01', '2026-12-04'), 'Marked as unpaid, but Monthly grants access. Contact an admin.'],
] as const)('explains why a member is marked as unpaid: %#', (subscription, words) => {
  expect(describeUnpaid(subscription, now)).toBe(words)
})
