import '../styles/mantine-forms.css'
import { billing, type ReplyOf } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './Billing.module.css'
import { CheckoutGate } from './CheckoutGate.tsx'
import choose from './ChoosePayment.module.css'
import { ChosenPlan } from './ChosenPlan.tsx'
import { clearCheckoutChoice, continueCheckout, isAboutCoupon, pay, saveCheckoutChoice, useCoupon } from './checkout.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { PaymentForm, type PaymentSubmission } from './PaymentForm.tsx'
import { TransferOrdered, type TransferToMake } from './TransferOrdered.tsx'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/choose-payment/{-$planId}')

/** Shows what a plan costs and how to pay for it. */
export function ChoosePayment() {
  const { planId } = route.useParams()
  const [isPaying, setPaying] = useState(false)
  const [transfer, setTransfer] = useState<TransferToMake>()
  if (transfer) {
    return (
      <Page title={texts.bankTransfer}>
        <TransferOrdered {...transfer} />
      </Page>
    )
  }
  return (
    <CheckoutGate title={texts.choosePayment} planId={planId} isPaying={isPaying} skeleton={<Skeleton />}>
      {(planId) => <CheckoutForPlan key={planId} planId={planId} onPaying={setPaying} onOrdered={setTransfer} />}
    </CheckoutGate>
  )
}

type CheckoutCallbacks = { onPaying: (isPaying: boolean) => void; onOrdered: (transfer: TransferToMake) => void }

function CheckoutForPlan({ planId, ...steps }: CheckoutCallbacks & { planId: number }) {
  const plansQuery = useApiQuery(billing.getPlans, {})
  const planQuery = useApiQuery(billing.getPlan, { plan_id: planId })
  const error = planQuery.error ?? plansQuery.error
  const retry = () => void Promise.all([planQuery.refetch(), plansQuery.refetch()])
  if (planQuery.data && plansQuery.data) return <Checkout {...planQuery.data} offer={plansQuery.data} {...steps} />
  if (error instanceof ApiError && error.code === 'unknown_plan') return <NoSuchPlan />
  return error ? <ErrorState error={error} title={texts.couldntLoadThisPlan} retry={retry} /> : <Skeleton />
}

type Offer = ReplyOf<typeof billing.getPlans>
type CheckoutProps = CheckoutCallbacks & { plan: billing.Plan; first_price: string; offer: Offer }

function Checkout({ plan, first_price, offer: plansQuery, onPaying, onOrdered }: CheckoutProps) {
  const [isPaying, setPaying] = useState(false)
  const coupon = useCoupon(plan.id)
  const total = coupon.applied?.total ?? first_price
  const reportPaying = (isStarting: boolean) => {
    setPaying(isStarting)
    onPaying(isStarting)
  }
  const send = async ({ method, card }: PaymentSubmission) => {
    const order = { subscription: plan.id, coupon: coupon.applied?.code ?? '' }
    saveCheckoutChoice(plan.id, { method, coupon: order.coupon })
    reportPaying(true)
    try {
      const next = await pay(method, order, card)
      if (next.kind !== 'transfer') return await continueCheckout(next)
      clearCheckoutChoice()
      onOrdered({ ...next.transfer, amount: total, currency: plan.currency })
    } finally {
      reportPaying(false)
    }
  }
  return (
    <Mantine>
      <div className={choose.two}>
        <ChosenPlan plan={plan} total={total} firstPrice={first_price} coupon={coupon} isPaying={isPaying} />
        <section className={css.card} aria-label={texts.payment}>
          <h2>{texts.summary}</h2>
          <OrderSummary
            what={
              first_price === plan.price
                ? plan.title
                : format(plan.interval === 'year' ? texts.planFirstYear : texts.planFirstMonth, { title: plan.title })
            }
            amount={first_price}
            discount={coupon.applied?.discount ?? '0.00'}
            total={total}
            currency={plan.currency}
          />
          <PaymentForm
            planId={plan.id}
            methods={plansQuery.methods}
            cards={plansQuery.cards}
            isPriceOpen={coupon.isBusy}
            isReady={() => !coupon.isForgotten()}
            onPay={send}
            onRejected={(apiError) => isAboutCoupon(apiError) && coupon.recheck()}
          />
          {plansQuery.is_sandbox && <p className={css.small}>{texts.testModeNotice}</p>}
        </section>
      </div>
    </Mantine>
  )
}

const NoSuchPlan = () => (
  <EmptyState
    icon={<IconCrown size={24} />}
    title={texts.thisPlanIsNoLonger}
    action={
      <Link to="/subscription/plans" className={buttons.button} data-look="primary">
        {texts.viewPlans}
      </Link>
    }
  >
    {texts.chooseAnotherPlanToContinue}
  </EmptyState>
)

const Skeleton = () => (
  <div className={choose.two} aria-busy>
    <div className={`${css.bone} ${choose.bone}`} />
    <div className={`${css.bone} ${choose.bone}`} />
  </div>
)
