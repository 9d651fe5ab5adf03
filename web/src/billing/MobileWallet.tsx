import { billing, checkout, type ReplyOf } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { apiQuery, useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { CheckoutGate } from './CheckoutGate.tsx'
import { continueCheckout, readCheckoutChoice } from './checkout.ts'
import { minus, toDecimalString } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { CheckoutLink, PlansLink } from './PaymentLinks.tsx'
import { Note, Panel, PanelSkeleton } from './PaymentPage.tsx'
import { nextStepOf } from './paymentSteps.ts'
import { describeOrder } from './planTexts.ts'
import * as texts from './texts.ts'

const WalletSheet = lazyOnDemand(() => import('./WalletSheet.tsx').then(({ WalletSheet }) => WalletSheet))

const route = getRouteApi('/subscription/mobile-wallet/{-$planId}')

/** A payment with the wallet of a phone or browser. */
export function MobileWallet() {
  const { planId } = route.useParams()
  const [isPaying, setPaying] = useState(false)
  return (
    <CheckoutGate
      title={texts.googleApplePay}
      planId={planId}
      isPaying={isPaying}
      skeleton={<PanelSkeleton height={260} />}
    >
      {(planId) => <CheckoutForPlan key={planId} planId={planId} onPaying={setPaying} />}
    </CheckoutGate>
  )
}

type Props = { planId: number; onPaying: (isPaying: boolean) => void }

function CheckoutForPlan({ planId, onPaying }: Props) {
  // The coupon that was applied on the previous screen.
  const [{ coupon }] = useState(() => readCheckoutChoice(planId))
  const plan = useApiQuery(billing.getPlan, { plan_id: planId })
  const detail = useQuery({
    ...apiQuery(checkout.payByWallet, { subscription: planId, coupon }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const error = plan.error ?? detail.error
  const retry = () => void Promise.all([plan.refetch(), detail.refetch()])
  if (plan.data && detail.data) {
    return <Wallet {...plan.data} detail={detail.data} coupon={coupon} onPaying={onPaying} />
  }
  if (error instanceof ApiError && error.status < 500)
    return <WalletRejected planId={planId}>{error.message}</WalletRejected>
  return error ? (
    <ErrorState error={error} title={texts.couldntLoadThisPayment} retry={retry} />
  ) : (
    <PanelSkeleton height={260} />
  )
}

type Detail = ReplyOf<typeof checkout.payByWallet>
type WalletProps = Pick<Props, 'onPaying'> & {
  plan: billing.Plan
  first_price: string
  detail: Detail
  coupon: string
}

function Wallet({ plan, first_price, detail, coupon, onPaying }: WalletProps) {
  const [isOpen, setOpen] = useState(false)
  const total = toDecimalString(detail.amount)
  const { url } = detail
  const show = (isStarting: boolean) => {
    setOpen(isStarting)
    onPaying(isStarting)
  }
  const end = async (started: checkout.StartedCheckout) => {
    show(false)
    await continueCheckout(nextStepOf(started))
  }
  return (
    <Panel label={texts.payment} title={plan.title} isNarrow>
      {plan.description && <Note>{plan.description}</Note>}
      <OrderSummary
        what={describeOrder(plan, first_price)}
        amount={first_price}
        discount={minus(first_price, total)}
        total={total}
        currency={detail.currency}
      />
      <Group gap="sm">
        <Button variant="primary" onClick={() => (url ? location.assign(url) : show(true))}>
          <IconDeviceMobile size={18} aria-hidden />
          {texts.payWithWallet}
        </Button>
        <CheckoutLink planId={plan.id}>{texts.chooseAnotherPaymentMethod}</CheckoutLink>
      </Group>
      {isOpen && (
        <WalletSheet
          detail={detail}
          order={{ subscription: plan.id, coupon }}
          onDone={(started) => void end(started)}
          onClose={() => show(false)}
        />
      )}
    </Panel>
  )
}

const WalletRejected = ({ planId, children }: { planId: number; children: string }) => (
  <EmptyState
    alert
    icon={<IconDeviceMobile size={24} />}
    title={texts.walletPaymentIsntAvailable}
    action={
      <>
        <CheckoutLink planId={planId} isMain>
          {texts.chooseAnotherPaymentMethod}
        </CheckoutLink>
        <PlansLink />
      </>
    }
  >
    {children}
  </EmptyState>
)
