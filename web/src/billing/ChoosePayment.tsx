import '../styles/mantine-forms.css'
import { billing, type ReplyOf } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RefusalError } from '../platform/api.ts'
import { Trouble } from '../platform/errors.tsx'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { Page } from '../ui/Page.tsx'
import css from './Billing.module.css'
import { CheckoutGate } from './CheckoutGate.tsx'
import choose from './ChoosePayment.module.css'
import { ChosenPlan } from './ChosenPlan.tsx'
import { dropChoice, goOn, isAboutCoupon, keepChoice, pay, useCoupon } from './checkout.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { type Given, PaymentForm } from './PaymentForm.tsx'
import { TransferOrdered, type TransferToMake } from './TransferOrdered.tsx'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/choose-payment/{-$planId}')

/** What a plan costs, and how it is paid. */
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
    <CheckoutGate title={texts.choosePayment} planId={planId} isPaying={isPaying} bones={<Bones />}>
      {(planId) => <OfPlan key={planId} planId={planId} onPaying={setPaying} onOrdered={setTransfer} />}
    </CheckoutGate>
  )
}

type Steps = { onPaying: (isPaying: boolean) => void; onOrdered: (transfer: TransferToMake) => void }

function OfPlan({ planId, ...steps }: Steps & { planId: number }) {
  const offer = useAsk(billing.getPlans, {})
  const chosen = useAsk(billing.getPlan, { plan_id: planId })
  const error = chosen.error ?? offer.error
  const retry = () => void Promise.all([chosen.refetch(), offer.refetch()])
  if (chosen.data && offer.data) return <Checkout {...chosen.data} offer={offer.data} {...steps} />
  if (error instanceof RefusalError && error.code === 'unknown_plan') return <NoSuchPlan />
  return error ? <Trouble error={error} what={texts.thisPlan} retry={retry} /> : <Bones />
}

type Offer = ReplyOf<typeof billing.getPlans>
type CheckoutProps = Steps & { plan: billing.Plan; first_price: string; offer: Offer }

function Checkout({ plan, first_price, offer, onPaying, onOrdered }: CheckoutProps) {
  const [isPaying, setPaying] = useState(false)
  const coupon = useCoupon(plan.id)
  const total = coupon.applied?.total ?? first_price
  const tell = (is: boolean) => {
    setPaying(is)
    onPaying(is)
  }
  const send = async ({ method, card }: Given) => {
    const order = { subscription: plan.id, coupon: coupon.applied?.code ?? '' }
    keepChoice(plan.id, { method, coupon: order.coupon })
    tell(true)
    try {
      const next = await pay(method, order, card)
      if (next.is !== 'transfer') return await goOn(next)
      dropChoice()
      onOrdered({ ...next.transfer, amount: total, currency: plan.currency })
    } finally {
      tell(false)
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
                : format(texts.first, { title: plan.title, interval: plan.interval })
            }
            amount={first_price}
            discount={coupon.applied?.discount ?? '0.00'}
            total={total}
            currency={plan.currency}
          />
          <PaymentForm
            planId={plan.id}
            methods={offer.methods}
            cards={offer.cards}
            isPriceOpen={coupon.isBusy}
            isReady={() => !coupon.isForgotten()}
            onPay={send}
            onRefused={(refusal) => isAboutCoupon(refusal) && coupon.recheck()}
          />
          {offer.is_sandbox && <p className={css.small}>{texts.testModeYouWontBe}</p>}
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

const Bones = () => (
  <div className={choose.two} aria-busy>
    <div className={`${css.bone} ${choose.bone}`} />
    <div className={`${css.bone} ${choose.bone}`} />
  </div>
)
