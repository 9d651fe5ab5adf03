import type { billing } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { profileStatusOf } from './agreement.ts'
import { readSubscription } from './subscriptions.ts'

type State = { profile_status: billing.ProfileStatus; is_paid: boolean; trouble: string }

/** How a payment of this member stands. It only tells; it asks nobody and grants nothing. Refuses `unknown_payment`. */
export async function readPaymentState(sql: Sql, customerId: number, subscriptionId: number): Promise<State> {
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.customer_id !== customerId) {
    throw new Refusal('unknown_payment', 'Payment not found.')
  }
  return {
    profile_status: profileStatusOf(subscription),
    is_paid: subscription.paid_until !== null,
    trouble: subscription.trouble,
  }
}
