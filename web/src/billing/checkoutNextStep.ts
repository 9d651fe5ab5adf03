import type { checkout, ReplyOf } from '@dubplate/contract'

export type Transfer = ReplyOf<typeof checkout.payByTransfer>

/** The step after starting a payment: the provider's page, another screen, or the instructions for a bank transfer. */
export type CheckoutNextStep = NavigationTarget | { is: 'transfer'; transfer: Transfer }
export type NavigationTarget = { is: 'elsewhere'; url: string } | { is: 'here'; href: string }

/** Where a started payment continues: on the provider's page, or on the screen with its result. */
export function nextStepOf({ status, profile_id, url }: checkout.StartedCheckout): NavigationTarget {
  if (url) return { is: 'elsewhere', url }
  const isActiveSubscription = status && profile_id !== null
  return { is: 'here', href: isActiveSubscription ? `/subscription/success/${profile_id}` : '/subscription/failed' }
}
