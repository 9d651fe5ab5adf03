import '../styles/mantine-forms.css'
import { billing, type checkout, type ReplyOf } from '@dubplate/contract'
import { Group, Skeleton, Text } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { refetchSubscription } from './agreement.ts'
import css from './Billing.module.css'
import { CheckoutGate } from './CheckoutGate.tsx'
import { ChosenPlan } from './ChosenPlan.tsx'
import { clearCheckoutChoice, continueCheckout, isAboutCoupon, pay, saveCheckoutChoice, useCoupon } from './checkout.ts'
import { money } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { PaymentForm } from './PaymentForm.tsx'
import { PlansLink, SubscriptionLink } from './PaymentLinks.tsx'
import { Note, Panel, PanelTitle, PaymentPage } from './PaymentPage.tsx'
import type { Transfer } from './paymentSteps.ts'
import { describeOrder } from './planTexts.ts'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/choose-payment/{-$planId}')

/** Shows what a plan costs and how to pay for it. */
export function ChoosePayment() {
  const { planId } = route.useParams()
  const [isPaying, setPaying] = useState(false)
  const [transfer, setTransfer] = useState<OrderedTransfer>()
  if (transfer) {
    return (
      <PaymentPage title={texts.bankTransfer} signInText={texts.youllReturnToThePlan}>
        <TransferInstructions {...transfer} />
      </PaymentPage>
    )
  }
  return (
    <CheckoutGate title={texts.choosePayment} planId={planId} isPaying={isPaying} skeleton={<CheckoutSkeleton />}>
      {(planId) => <CheckoutForPlan key={planId} planId={planId} onPaying={setPaying} onOrdered={setTransfer} />}
    </CheckoutGate>
  )
}

type OrderedTransfer = Pick<Transfer, 'reference' | 'instructions'> & { amount: string; currency: string }
type CheckoutCallbacks = { onPaying: (isPaying: boolean) => void; onOrdered: (transfer: OrderedTransfer) => void }

function CheckoutForPlan({ planId, ...callbacks }: CheckoutCallbacks & { planId: number }) {
  const plansQuery = useApiQuery(billing.getPlans, {})
  const planQuery = useApiQuery(billing.getPlan, { plan_id: planId })
  const error = planQuery.error ?? plansQuery.error
  const retry = () => void Promise.all([planQuery.refetch(), plansQuery.refetch()])
  if (planQuery.data && plansQuery.data) return <Checkout {...planQuery.data} offer={plansQuery.data} {...callbacks} />
  if (error instanceof ApiError && error.code === 'unknown_plan') return <NoSuchPlan />
  return error ? <ErrorState error={error} title={texts.couldntLoadThisPlan} retry={retry} /> : <CheckoutSkeleton />
}

type Offer = ReplyOf<typeof billing.getPlans>
type CheckoutProps = CheckoutCallbacks & { plan: billing.Plan; first_price: string; offer: Offer }

function Checkout({ plan, first_price, offer, onPaying, onOrdered }: CheckoutProps) {
  const [isPaying, setPaying] = useState(false)
  const coupon = useCoupon(plan.id)
  const order = { subscription: plan.id, coupon: coupon.applied?.code ?? '' }
  const total = coupon.applied?.total ?? first_price
  const reportPaying = (isStarting: boolean) => {
    setPaying(isStarting)
    onPaying(isStarting)
  }
  const send = async (method: billing.PaymentMethod, payByCard: () => Promise<checkout.StartedCheckout>) => {
    saveCheckoutChoice(plan.id, { method, coupon: order.coupon })
    reportPaying(true)
    try {
      const next = await pay(method, order, payByCard)
      if (next.kind !== 'transfer') return await continueCheckout(next)
      clearCheckoutChoice()
      onOrdered({ ...next.transfer, amount: total, currency: plan.currency })
    } finally {
      reportPaying(false)
    }
  }
  return (
    <div className={css.checkout}>
      <ChosenPlan plan={plan} total={total} firstPrice={first_price} coupon={coupon} isPaying={isPaying} />
      <Panel label={texts.payment} title={texts.summary}>
        <OrderSummary
          what={describeOrder(plan, first_price)}
          amount={first_price}
          discount={coupon.applied?.discount ?? '0.00'}
          total={total}
          currency={plan.currency}
        />
        <PaymentForm
          order={order}
          amount={money(total, plan.currency)}
          methods={offer.methods}
          cards={offer.cards}
          isPriceKnown={!coupon.isBusy}
          isReady={() => !coupon.remindToApply()}
          onPay={send}
          onRejected={(apiError) => isAboutCoupon(apiError) && coupon.recheck()}
        />
        {offer.is_sandbox && <Note isSmall>{texts.testModeNotice}</Note>}
      </Panel>
    </div>
  )
}

/** Instructions for a plan that is paid by bank transfer. */
function TransferInstructions({ reference, instructions, amount, currency }: OrderedTransfer) {
  const heading = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    heading.current?.focus()
    void refetchSubscription()
  }, [])
  return (
    <Panel label={texts.bankTransfer} isNarrow>
      <PanelTitle>
        <span ref={heading} tabIndex={-1}>
          {format(texts.transferUsingReference, { amount: money(amount, currency), reference })}
        </span>
      </PanelTitle>
      {instructions && (
        <Text inherit c="var(--text-2)" style={{ whiteSpace: 'pre-line' }}>
          {instructions}
        </Text>
      )}
      <Note>{texts.yourPlanStartsWhenWeReceive}</Note>
      <Group gap="sm">
        <SubscriptionLink isMain />
      </Group>
    </Panel>
  )
}

const NoSuchPlan = () => (
  <EmptyState icon={<IconCrown size={24} />} title={texts.thisPlanIsNoLonger} action={<PlansLink isMain />}>
    {texts.chooseAnotherPlanToContinue}
  </EmptyState>
)

const CheckoutSkeleton = () => (
  <div className={css.checkout} aria-busy>
    <Skeleton height={420} radius="lg" />
    <Skeleton height={420} radius="lg" />
  </div>
)
