import { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { Alert } from '../membership/account/Alert.tsx'
import { useSeen } from '../notices/useSeen.ts'
import { Trouble } from '../platform/errors.tsx'
import { useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { late } from '../ui/late.tsx'
import { useAgreement } from './agreement.ts'
import { graceWords } from './agreementWords.ts'
import css from './ManageSubscription.module.css'
import { MethodCard } from './MethodCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { RECENT, RecentBilling } from './RecentBilling.tsx'
import * as texts from './texts.ts'
import { cardUpdated, startCardUpdate } from './updateCard.ts'

const PlanChange = late(() => import('./PlanChange.tsx').then((code) => code.PlanChange))
const CancelSubscription = late(() => import('./CancelSubscription.tsx').then((code) => code.CancelSubscription))
const UpdateCard = late(() => import('./UpdateCard.tsx').then((code) => code.UpdateCard))

/** The subscription of a member: what it costs, what pays it, what was paid, and what can be done about it. */
export const ManageSubscription = () => (
  <AccountPage title={texts.manageSubscription} isWide bones={<Bones />}>
    {() => <Subscription />}
  </AccountPage>
)

function Subscription() {
  const { agreement, error, retry } = useAgreement()
  useSeen(agreement)
  // Asked for beside it, so that both are there at once.
  const billed = useAsk(billing.getBilling, RECENT)
  if (agreement === null) return <NeverHadOne />
  if (!agreement && error) return <Trouble error={error} what={texts.yourSubscription} retry={retry} />
  return agreement ? (
    <>
      <Agreement agreement={agreement} />
      <RecentBilling asked={billed} />
    </>
  ) : (
    <Bones />
  )
}

export type Opened = 'plans' | 'cancel' | 'card'

function Agreement({ agreement }: { agreement: billing.Agreement }) {
  const [opened, setOpened] = useState<Opened>()
  const cards = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpened(undefined)
    // The button that opened the dialog may be gone with what it was for.
    setTimeout(() => document.activeElement === document.body && cards.current?.focus({ preventScroll: true }))
  }
  const open = async (which: Opened) => {
    if (which !== 'card' || (await startCardUpdate())) setOpened(which)
  }
  return (
    <>
      <TroubleSaid agreement={agreement} />
      <div ref={cards} className={css.cards} tabIndex={-1}>
        <PlanCard agreement={agreement} onOpen={open} />
        <MethodCard agreement={agreement} onUpdate={() => open('card')} />
      </div>
      {opened === 'plans' && <PlanChange agreement={agreement} onClose={close} />}
      {opened === 'cancel' && <CancelSubscription agreement={agreement} onClose={close} />}
      {opened === 'card' && <UpdateCard onClose={close} onSaved={cardUpdated} />}
    </>
  )
}

/** Why the next period is not paid, and what still works. */
function TroubleSaid({ agreement }: { agreement: billing.Agreement }) {
  const isPaid = useSession(({ profile }) => profile?.payment_profile_status === 'paid')
  if (agreement.profile_status !== 'Past due') return null
  return (
    <Alert tone="danger">
      <p>{agreement.trouble || UNPAID[agreement.transfer ? 'transfer' : 'charge']}</p>
      <p className={css.grace}>{graceWords(agreement, isPaid)}</p>
    </Alert>
  )
}

const UNPAID = {
  transfer: texts.wereWaitingForYourBank,
  charge: texts.yourLastPaymentFailed,
}

const NeverHadOne = () => (
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

const Bones = () => (
  <div className={css.cards} aria-busy>
    <i className={css.bone} />
    <i className={css.bone} />
  </div>
)
