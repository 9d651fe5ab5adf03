import { expect, test } from 'vitest'
import { paidWords, unpaidWords } from './payment-words.ts'

const day = (text: string) => new Date(`${text}T12:00:00Z`)
const now = day('2026-11-21')
const plan = { title: 'Monthly', status: 'active', gateway: 'sandbox', trouble: '', ended_at: null } as const
const paid = (paid_until: string, access_until: string) => ({
  ...plan,
  paid_until: day(paid_until),
  access_until: day(access_until),
})

test.each([
  [undefined, 'They are marked as paid, without a subscription.'],
  [paid('2026-12-01', '2026-12-04'), 'Monthly is paid until 1 Dec 2026.'],
  [
    paid('2026-11-20', '2026-11-23'),
    'The payment for Monthly was due on 20 Nov 2026 and has not come; their grace ends on 23 Nov 2026.',
  ],
  [paid('2026-11-01', '2026-11-04'), 'They are marked as paid, though Monthly was paid until 1 Nov 2026 only.'],
])('who is marked as paid is so for a reason: %#', (subscription, words) => {
  expect(paidWords(subscription, now)).toBe(words)
})

const never = { ...plan, paid_until: null, access_until: null }

test.each([
  [undefined, 'They have no plan.'],
  [{ ...never, status: 'ended', ended_at: day('2026-11-05') }, 'Staff ended Monthly on 5 Nov 2026.'],
  [{ ...never, status: 'ended' }, 'What was paid for Monthly was given back.'],
  [{ ...never, status: 'pending' }, 'The payment for Monthly is under way.'],
  [{ ...never, status: 'pending', gateway: 'manual' }, 'The transfer for Monthly has not been marked as come.'],
  [{ ...never, status: 'failed' }, 'No payment for Monthly ever came.'],
  [
    { ...paid('2026-11-15', '2026-11-18'), status: 'past_due' },
    'The payment for Monthly was due on 15 Nov 2026, and the 3 days of grace are over.',
  ],
  [{ ...paid('2026-11-01', '2026-11-01'), status: 'ended' }, 'Monthly ended on 1 Nov 2026.'],
  [paid('2026-12-01', '2026-12-04'), 'They are marked as unpaid, though Monthly gives access. Tell an admin.'],
] as const)('and who is marked as unpaid: %#', (subscription, words) => {
  expect(unpaidWords(subscription, now)).toBe(words)
})
