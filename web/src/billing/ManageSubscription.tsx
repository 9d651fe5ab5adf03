import { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { Alert } from '../membership/account/Alert.tsx'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { useAgreement } from './agreement.ts'
import { gracePeriodText } from './agreementTexts.ts'
import css from './ManageSubscription.module.css'
import { MethodCard } from './MethodCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { RECENT, RecentBilling } from './RecentBilling.tsx'
import * as texts from './texts.ts'
import { cardUpdated, startCardUpdate } from './updateCard.ts'

const PlanChange = lazyOnDemand(() => import('./PlanChange.tsx').then((code) => code.PlanChange))
const CancelSubscription = lazyOnDemand(() =>
  import('./CancelSubscription.tsx').then((code) => code.CancelSubscription),
)
const UpdateCard = lazyOnDemand(() => import('./UpdateCard.tsx').then((code) => code.UpdateCard))

/** The subscription of a member: its price, payment method, payments and actions. */
export const ManageSubscription = () => (
  <AccountPage title={texts.manageSubscription} isWide skeleton={<Skeleton />}>
    {() => <Subscription />}
  </AccountPage>
)

function Subscription() {
  const { agreement, error, retry } = useAgreement()
  useMarkSeen(agreement)
  // Requested in parallel, so that both appear at once.
  const billingQuery = useApiQuery(billing.getBilling, RECENT)
  if (agreement === null) return <NoSubscription />
  if (!agreement && error) return <ErrorState error={error} title={texts.couldntLoadYourSubscription} retry={retry} />
  return agreement ? (
    <>
      <Agreement agreement={agreement} />
      <RecentBilling billingQuery={billingQuery} />
    </>
  ) : (
    <Skeleton />
  )
}

export type SubscriptionPanel = 'plans' | 'cancel' | 'card'

function Agreement({ agreement }: { agreement: billing.Agreement }) {
  const [openPanel, setOpenPanel] = useState<SubscriptionPanel>()
  const cards = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpenPanel(undefined)
    // The button that opened the dialog may no longer exist.
    setTimeout(() => document.activeElement === document.body && cards.current?.focus({ preventScroll: true }))
  }
  const open = async (which: SubscriptionPanel) => {
    if (which !== 'card' || (await startCardUpdate())) setOpenPanel(which)
  }
  return (
    <>
      <SubscriptionProblem agreement={agreement} />
      <div ref={cards} className={css.cards} tabIndex={-1}>
        <PlanCard agreement={agreement} onOpen={open} />
        <MethodCard agreement={agreement} onUpdate={() => open('card')} />
      </div>
      {openPanel === 'plans' && <PlanChange agreement={agreement} onClose={close} />}
      {openPanel === 'cancel' && <CancelSubscription agreement={agreement} onClose={close} />}
      {openPanel === 'card' && <UpdateCard onClose={close} onSaved={cardUpdated} />}
    </>
  )
}

/** Explains why the next period was not paid, and what still works. */
function SubscriptionProblem({ agreement }: { agreement: billing.Agreement }) {
  const isPaid = useSession(({ profile }) => profile?.payment_profile_status === 'paid')
  if (agreement.profile_status !== 'Past due') return null
  return (
    <Alert tone="danger">
      <p>{agreement.failure_reason || UNPAID_MESSAGES[agreement.transfer ? 'transfer' : 'charge']}</p>
      <p className={css.grace}>{gracePeriodText(agreement, isPaid)}</p>
    </Alert>
  )
}

const UNPAID_MESSAGES = {
  transfer: texts.wereWaitingForYourBank,
  charge: texts.yourLastPaymentFailed,
}

const NoSubscription = () => (
  <EmptyState
    icon={<IconCrown size={24} />}
    title={texts.noSubscriptionYet}
    action={
      <Link to="/subscription/plans" className={button.button} data-look="primary">
        {texts.viewPlans}
      </Link>
    }
  >
    {texts.chooseAPlanToStart}
  </EmptyState>
)

const Skeleton = () => (
  <div className={css.cards} aria-busy>
    <i className={css.bone} />
    <i className={css.bone} />
  </div>
)
