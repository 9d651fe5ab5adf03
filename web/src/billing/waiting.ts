import type { checkout, ReplyOf } from '@dubplate/contract'

type Payment = ReplyOf<typeof checkout.getPayment>

/** What became of a payment. One that is under way, and was refused once, has failed: nobody waits for another try. */
export function outcomeOf({ is_paid, profile_status, trouble }: Payment): 'paid' | 'waiting' | 'failed' {
  if (is_paid) return 'paid'
  return profile_status === 'CREATED' && !trouble ? 'waiting' : 'failed'
}

const FIRST_MS = 1_000
const LONGEST_MS = 5_000
const GIVES_UP_MS = 120_000

/** The pause before it is asked again how a payment stands: a second at first, growing to five; false after two minutes. */
export function pauseBefore(waited_ms: number): number | false {
  if (waited_ms >= GIVES_UP_MS) return false
  return Math.min(LONGEST_MS, Math.max(FIRST_MS, waited_ms / 4))
}
