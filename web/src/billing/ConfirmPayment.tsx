import { checkout, type ReplyOf } from '@dubplate/contract'
import { IconCrown, IconReceiptOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { errorMessagesOf } from '../membership/useDialogForm.ts'
import { goTo } from '../platform/address.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { apiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Billing.module.css'
import { continueCheckout } from './checkout.ts'
import { FocusOnChange } from './FocusOnChange.tsx'
import { plus } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { nextStepOf } from './paymentSteps.ts'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/confirm-payment/{-$customerplan}')

/** The screen PayPal returns members to, to confirm the subscription they approved there. */
export function ConfirmPayment() {
  const { customerplan } = route.useParams()
  const { token, cancelled } = route.useSearch()
  const signedIn = useSession((session) => session.token !== null)
  if (cancelled) return <Navigate to="/subscription/failed" replace />
  return (
    <Page title={texts.confirmPayment}>
      {!token || !customerplan ? (
        <UnknownOrder>{texts.thisLinkIsNotLinked}</UnknownOrder>
      ) : signedIn ? (
        <ReturnedFromGateway customerPlan={customerplan} token={token} />
      ) : (
        <MembersOnly icon={<IconCrown size={24} />} title={texts.signInToContinue}>
          {texts.signInToConfirmPayment}
        </MembersOnly>
      )}
    </Page>
  )
}

function ReturnedFromGateway({ customerPlan, token }: { customerPlan: string; token: string }) {
  const { data, error, refetch } = useQuery({
    ...apiQuery(checkout.getCustomerPlan, { customer_plan_id: customerPlan, token, payment_method: 'paypal' }),
    // An order can be confirmed only once, so the request must not be repeated.
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to this screen shows the current state.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (data) return <ConfirmOrder {...data} />
  if (error instanceof ApiError && error.code === 'unknown_payment') return <UnknownOrder>{error.message}</UnknownOrder>
  if (error) return <ErrorState error={error} title={texts.couldntLoadThisPayment} retry={() => void refetch()} />
  return <div className={`${css.bone} ${css.one}`} style={{ height: 300 }} aria-busy />
}

type Plan = ReplyOf<typeof checkout.getCustomerPlan>

function ConfirmOrder(plan: Plan) {
  const { plan_name, plan_description, amount, discount_amount, currency } = plan
  const { proceed, isBusy, complaints: errorMessages } = useConfirmation(plan)
  return (
    <section className={`${css.card} ${css.one}`} aria-label={texts.payment}>
      <h2>{plan_name}</h2>
      {plan_description && <p className={css.text}>{plan_description}</p>}
      <OrderSummary
        what={plan_name}
        amount={plus(amount, discount_amount)}
        discount={discount_amount}
        total={amount}
        currency={currency}
      />
      <FocusOnChange when={errorMessages}>
        <ErrorMessages messages={errorMessages} />
      </FocusOnChange>
      <div className={css.actions}>
        <Button variant="primary" busy={isBusy} onClick={() => void proceed()}>
          {texts.proceedToPayment}
        </Button>
      </div>
    </section>
  )
}

function useConfirmation({ payment_token, customer_plan_id }: Plan) {
  const [isBusy, setBusy] = useState(false)
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const proceed = async () => {
    setBusy(true)
    setErrorMessages([])
    try {
      await continueCheckout(
        nextStepOf(
          await callApi(checkout.confirmPaypal, { customer_plan_id, payment_token, payment_method: 'paypal' }),
        ),
      )
    } catch (error) {
      if (error instanceof ApiError && error.code === 'payment_declined') return goTo('/subscription/failed')
      setErrorMessages(errorMessagesOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { proceed, isBusy, complaints: errorMessages }
}

const UnknownOrder = ({ children }: { children: string }) => (
  <EmptyState
    icon={<IconReceiptOff size={24} />}
    title={texts.noPaymentToConfirm}
    action={
      <>
        <Link to="/subscription/plans" className={buttons.button} data-look="primary">
          {texts.viewPlans}
        </Link>
        <Link to="/account/manage-subscription" className={buttons.button}>
          {texts.viewSubscription}
        </Link>
      </>
    }
  >
    {children}
  </EmptyState>
)
