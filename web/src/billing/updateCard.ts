import { billing } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { asking, queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { askStandingAnew } from './agreement.ts'
import { goOn } from './checkout.ts'
import * as texts from './texts.ts'

/**
 * Begins the change of the card: true where the pool's own form is to be shown (the sandbox); otherwise the browser goes
 * to the provider's page. Says why where neither works.
 */
export async function startCardUpdate(): Promise<boolean> {
  try {
    const { cards } = await queryClient.fetchQuery(asking(billing.getPlans, {}))
    if (cards === 'form') return true
    const { url, agreement } = await ask(billing.updateCard, {})
    if (url) await goOn({ is: 'elsewhere', url })
    else await cardUpdated(agreement)
  } catch (error) {
    void toastTrouble(texts.couldntUpdateYourCard, error)
  }
  return false
}

/** Says that the card is saved, and that a payment tried again with it failed where it did. */
export async function cardUpdated(agreement: billing.Agreement | null) {
  const again = agreement?.profile_status === 'Past due' ? agreement.trouble : ''
  void toast(
    again
      ? { title: texts.cardSavedButThePayment, message: again, tone: 'trouble' }
      : { message: texts.cardSavedWellUseIt },
  )
  await askStandingAnew()
}
