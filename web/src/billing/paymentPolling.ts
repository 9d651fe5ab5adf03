import type { checkout, ReplyOf } from '@dubplate/contract'

type Payment = ReplyOf<typeof checkout.getPayment>

/** What became of a payment. One that is under way, and was refused once, has failed: nobody waits for another try. */
export function outcomeOf({ is_paid, profile_status, trouble: errorMessage }: Payment): 'paid' | 'waiting' | 'failed' {
  if (is_paid) return 'paid'
  return profile_status === 'CREATED' && !errorMessage ? 'waiting' : 'failed'
}

const INITIAL_POLL_MS = 1_000
const SLOW_POLL_MS = 5_000
const POLL_TIMEOUT_MS = 120_000

/** The pause before it is asked again how a payment stands: a second at first, growing to five; false after two minutes. */
export function pollDelay(elapsedMs: number): number | false {
  if (elapsedMs >= POLL_TIMEOUT_MS) return false
  return Math.min(SLOW_POLL_MS, Math.max(INITIAL_POLL_MS, elapsedMs / 4))
}
