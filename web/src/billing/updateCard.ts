import { billing } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { refetchSubscription } from './agreement.ts'
import { continueCheckout } from './checkout.ts'
import * as texts from './texts.ts'

/**
 * Starts a card change. Returns true to show the pool's own form (test mode); otherwise opens the provider's page.
 * Shows an error if neither works.
 */
export async function startCardUpdate(): Promise<boolean> {
  try {
    const { cards } = await queryClient.fetchQuery(apiQuery(billing.getPlans, {}))
    if (cards === 'form') return true
    const { url, agreement } = await callApi(billing.updateCard, {})
    if (url) await continueCheckout({ kind: 'provider', url })
    else await cardUpdated(agreement)
  } catch (error) {
    void toastError(texts.couldntUpdateYourCard, error)
  }
  return false
}

/** Confirms that the card was saved, or says that the retried payment failed with it. */
export async function cardUpdated(agreement: billing.Agreement | null) {
  const failureReason = agreement?.profile_status === 'Past due' ? agreement.failure_reason : ''
  void toast(
    failureReason
      ? { title: texts.cardSavedButThePayment, message: failureReason, tone: 'error' }
      : { message: texts.cardSaved },
  )
  await refetchSubscription()
}
