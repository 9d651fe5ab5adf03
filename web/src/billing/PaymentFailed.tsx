import { IconCreditCardOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../platform/Page.tsx'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { readChosenPlan } from './checkout.ts'
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
            <Link
              to="/subscription/choose-payment/{-$planId}"
              params={{ planId }}
              className={buttons.button}
              data-look="primary"
            >
              {texts.tryAgain}
            </Link>
          )}
          <Link to="/account/manage-subscription" className={buttons.button} data-look={planId ? 'plain' : 'primary'}>
            {texts.updatePaymentDetails}
          </Link>
          <Link to="/subscription/plans" className={buttons.button}>
            {texts.viewPlans}
          </Link>
        </>
      }
    >
      {errorMessage && <p>{errorMessage}</p>}
      <p>{texts.updatePaymentDetailsAndRetry}</p>
    </EmptyState>
  )
}
