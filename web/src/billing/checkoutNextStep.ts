import type { checkout, ReplyOf } from '@dubplate/contract'

export type Transfer = ReplyOf<typeof checkout.payByTransfer>

/** What comes after a payment was begun: the provider's page, another screen, or a transfer to be made. */
export type CheckoutNextStep = NavigationTarget | { is: 'transfer'; transfer: Transfer }
export type NavigationTarget = { is: 'elsewhere'; url: string } | { is: 'here'; href: string }

/** Where a payment that was begun goes on: at the provider, on the screen that waits for it, or nowhere. */
export function nextStepOf({ status, profile_id, url }: checkout.StartedCheckout): NavigationTarget {
  if (url) return { is: 'elsewhere', url }
  const isActiveSubscription = status && profile_id !== null
  return { is: 'here', href: isActiveSubscription ? `/subscription/success/${profile_id}` : '/subscription/failed' }
}
