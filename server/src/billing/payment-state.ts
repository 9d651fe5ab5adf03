import type { billing } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { profileStatusOf } from './agreement.ts'
import { readSubscription } from './subscriptions.ts'

type PaymentState = { profile_status: billing.ProfileStatus; is_paid: boolean; failure_reason: string }

/**
 * The state of a payment of this member. Only reads the database, without calling the provider or granting anything.
 * Throws `unknown_payment`.
 */
export async function readPaymentState(sql: Sql, customerId: number, subscriptionId: number): Promise<PaymentState> {
  const subscription = await readSubscription(sql, subscriptionId)
  if (subscription?.customer_id !== customerId) {
    throw new ApiError('unknown_payment', 'Payment not found.')
  }
  return {
    profile_status: profileStatusOf(subscription),
    is_paid: subscription.paid_until !== null,
    failure_reason: subscription.failure_reason,
  }
}
