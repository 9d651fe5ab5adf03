import type { checkout, ReplyOf } from '@dubplate/contract'

type Payment = ReplyOf<typeof checkout.getPayment>

/**
 * The outcome of a payment. One in progress that was declined once counts as failed: later attempts are not waited for.
 */
export function outcomeOf({
  is_paid,
  profile_status,
  failure_reason: errorMessage,
}: Payment): 'paid' | 'waiting' | 'failed' {
  if (is_paid) return 'paid'
  return profile_status === 'CREATED' && !errorMessage ? 'waiting' : 'failed'
}

const INITIAL_POLL_MS = 1_000
const SLOW_POLL_MS = 5_000
const POLL_TIMEOUT_MS = 120_000

/** The delay until the next poll: 1 s at first, growing to 5 s; false after two minutes. */
export function pollDelay(elapsedMs: number): number | false {
  if (elapsedMs >= POLL_TIMEOUT_MS) return false
  return Math.min(SLOW_POLL_MS, Math.max(INITIAL_POLL_MS, elapsedMs / 4))
}
