import { checkout, type ReplyOf } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { IconReceiptOff } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { goTo } from '../platform/address.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { apiQuery } from '../platform/queries.ts'
import { messagesOf } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { continueCheckout } from './checkout.ts'
import { plus } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { PaymentErrors } from './PaymentErrors.tsx'
import { PlansLink, SubscriptionLink } from './PaymentLinks.tsx'
import { Note, Panel, PanelSkeleton, PaymentPage } from './PaymentPage.tsx'
import { nextStepOf } from './paymentSteps.ts'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/confirm-payment/{-$customerplan}')

/** The screen PayPal returns members to, to confirm the subscription they approved there. */
export function ConfirmPayment() {
  const { customerplan } = route.useParams()
  const { token, cancelled } = route.useSearch()
  if (cancelled) return <Navigate to="/subscription/failed" replace />
  return token && customerplan ? (
    <PaymentPage title={texts.confirmPayment} signInText={texts.signInToConfirmPayment}>
      <OrderToConfirm customerPlan={customerplan} token={token} />
    </PaymentPage>
  ) : (
    <Page title={texts.confirmPayment}>
      <UnknownOrder>{texts.thisLinkIsNotLinked}</UnknownOrder>
    </Page>
  )
}

function OrderToConfirm({ customerPlan, token }: { customerPlan: string; token: string }) {
  const { data, error, refetch } = useQuery({
    ...apiQuery(checkout.getCustomerPlan, { customer_plan_id: customerPlan, token, payment_method: 'paypal' }),
    // An order can be confirmed only once, so the request must not be repeated.
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to this screen shows the current state.
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (data) return <ConfirmOrder {...data} />
  if (hasCode(error, 'unknown_payment')) return <UnknownOrder>{error.message}</UnknownOrder>
  if (error) return <ErrorState error={error} title={texts.couldntLoadThisPayment} retry={() => void refetch()} />
  return <PanelSkeleton height={300} />
}

const hasCode = (error: Error | null, code: string): error is ApiError =>
  error instanceof ApiError && error.code === code

function ConfirmOrder(order: ReplyOf<typeof checkout.getCustomerPlan>) {
  const { customer_plan_id, payment_token, plan_name, plan_description, amount, discount_amount, currency } = order
  const confirmation = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const input = { customer_plan_id, payment_token, payment_method: 'paypal' }
      await continueCheckout(nextStepOf(await callApi(checkout.confirmPaypal, input)))
    },
    onError: (error) => {
      if (hasCode(error, 'payment_declined')) goTo('/subscription/failed')
    },
  })
  return (
    <Panel label={texts.payment} title={plan_name} isNarrow>
      {plan_description && <Note>{plan_description}</Note>}
      <OrderSummary
        what={plan_name}
        amount={plus(amount, discount_amount)}
        discount={discount_amount}
        total={amount}
        currency={currency}
      />
      <PaymentErrors messages={confirmation.error ? messagesOf(confirmation.error) : []} />
      <Group gap="sm">
        <Button variant="primary" busy={confirmation.isPending} onClick={() => confirmation.mutate()}>
          {texts.proceedToPayment}
        </Button>
      </Group>
    </Panel>
  )
}

const UnknownOrder = ({ children }: { children: string }) => (
  <EmptyState
    icon={<IconReceiptOff size={24} />}
    title={texts.noPaymentToConfirm}
    action={
      <>
        <PlansLink isMain />
        <SubscriptionLink />
      </>
    }
  >
    {children}
  </EmptyState>
)
