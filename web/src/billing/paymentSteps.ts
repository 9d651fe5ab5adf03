import type { checkout, ReplyOf } from '@dubplate/contract'

export type Transfer = ReplyOf<typeof checkout.payByTransfer>

/** The step after starting a payment: the provider's page, another screen, or the instructions for a bank transfer. */
export type CheckoutNextStep = NavigationTarget | { kind: 'transfer'; transfer: Transfer }
export type NavigationTarget = { kind: 'provider'; url: string } | { kind: 'screen'; href: string }

/** Where a started payment continues: on the provider's page, or on the screen with its result. */
export function nextStepOf({ status, profile_id, url }: checkout.StartedCheckout): NavigationTarget {
  if (url) return { kind: 'provider', url }
  const hasSubscription = status && profile_id !== null
  return { kind: 'screen', href: hasSubscription ? `/subscription/success/${profile_id}` : '/subscription/failed' }
}

type Payment = ReplyOf<typeof checkout.getPayment>
export type PaymentOutcome = 'paid' | 'waiting' | 'failed'

/**
 * The outcome of a payment. One in progress that was declined once counts as failed: later attempts are not waited for.
 */
export function outcomeOf({ is_paid, profile_status, failure_reason }: Payment): PaymentOutcome {
  if (is_paid) return 'paid'
  return profile_status === 'CREATED' && !failure_reason ? 'waiting' : 'failed'
}

const INITIAL_POLL_MS = 1_000
const SLOW_POLL_MS = 5_000
const POLL_TIMEOUT_MS = 120_000

/** The delay until the next poll: 1 s at first, growing to 5 s; false after two minutes. */
export function pollDelay(elapsedMs: number): number | false {
  if (elapsedMs >= POLL_TIMEOUT_MS) return false
  return Math.min(SLOW_POLL_MS, Math.max(INITIAL_POLL_MS, elapsedMs / 4))
}
