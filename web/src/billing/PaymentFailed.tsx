import { IconCreditCardOff } from '@tabler/icons-react'
import { useState } from 'react'
import { Page } from '../platform/Page.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { readChosenPlan } from './checkout.ts'
import { CheckoutLink, PlansLink, SubscriptionLink } from './PaymentLinks.tsx'
import * as texts from './texts.ts'

/** The screen after a failed payment. */
export const PaymentFailed = () => (
  <Page title={texts.paymentFailed}>
    <PaymentFailedMessage />
  </Page>
)

/**
 * `errorMessage`: the reason, if it is known. A member who was buying a plan has no saved payment details yet and tries
 * again.
 */
export function PaymentFailedMessage({ errorMessage = '' }: { errorMessage?: string }) {
  const [planId] = useState(readChosenPlan)
  return (
    <EmptyState
      icon={<IconCreditCardOff size={24} />}
      title={texts.yourPaymentDidntGoThrough}
      action={
        <>
          {planId && (
            <CheckoutLink planId={planId} isMain>
              {texts.tryAgain}
            </CheckoutLink>
          )}
          <SubscriptionLink isMain={!planId}>{texts.updatePaymentDetails}</SubscriptionLink>
          <PlansLink />
        </>
      }
    >
      {errorMessage && <p>{errorMessage}</p>}
      <p>{texts.updatePaymentDetailsAndRetry}</p>
    </EmptyState>
  )
}
