import { billing } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { refetchSubscription } from './agreement.ts'
import { continueCheckout } from './checkout.ts'
import * as texts from './texts.ts'

/**
 * Begins the change of the card: true where the pool's own form is to be shown (the sandbox); otherwise the browser goes
 * to the provider's page. Says why where neither works.
 */
export async function startCardUpdate(): Promise<boolean> {
  try {
    const { cards } = await queryClient.fetchQuery(apiQuery(billing.getPlans, {}))
    if (cards === 'form') return true
    const { url, agreement } = await callApi(billing.updateCard, {})
    if (url) await continueCheckout({ is: 'elsewhere', url })
    else await cardUpdated(agreement)
  } catch (error) {
    void toastError(texts.couldntUpdateYourCard, error)
  }
  return false
}

/** Says that the card is saved, and that a payment tried again with it failed where it did. */
export async function cardUpdated(agreement: billing.Agreement | null) {
  const retryDate = agreement?.profile_status === 'Past due' ? agreement.trouble : ''
  void toast(
    retryDate
      ? { title: texts.cardSavedButThePayment, message: retryDate, tone: 'trouble' }
      : { message: texts.cardSavedWellUseIt },
  )
  await refetchSubscription()
}
