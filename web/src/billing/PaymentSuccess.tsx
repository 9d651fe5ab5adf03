import { checkout } from '@dubplate/contract'
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import { actionToPayFor, resumption } from '../membership/pendingAction.ts'
import { goTo } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { apiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { refetchSubscription } from './agreement.ts'
import { clearCheckoutChoice } from './checkout.ts'
import { PaymentFailedMessage } from './PaymentFailed.tsx'
import { SubscriptionLink } from './PaymentLinks.tsx'
import { PanelSkeleton, PaymentPage } from './PaymentPage.tsx'
import { outcomeOf, type PaymentOutcome, pollDelay } from './paymentSteps.ts'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/success/$profileId')

/** The screen after a payment: it waits for the provider's decision and grants no access itself. */
export function PaymentSuccess() {
  const { profileId } = route.useParams()
  return <PaymentResult key={profileId} profileId={profileId} />
}

const TITLES: Record<PaymentOutcome, string> = {
  paid: texts.upgradeSuccessful,
  waiting: texts.yourPayment,
  failed: texts.paymentFailed,
}

function PaymentResult({ profileId }: { profileId: number }) {
  const { data, error, isOverdue, checkAgain } = usePayment(profileId)
  const outcome = data && outcomeOf(data)
  return (
    <PaymentPage title={TITLES[outcome ?? 'waiting']} signInText={texts.signInToSeePaymentStatus}>
      {!outcome && error && <ErrorState error={error} title={texts.couldntLoadYourPayment} retry={checkAgain} />}
      {!outcome && !error && <PanelSkeleton height={200} />}
      {outcome === 'paid' && <ThankYou />}
      {outcome === 'waiting' && <PaymentPending isOverdue={isOverdue} checkAgain={checkAgain} />}
      {outcome === 'failed' && <PaymentFailedMessage errorMessage={data?.failure_reason} />}
    </PaymentPage>
  )
}

/** The state of a payment, polled until it is decided. */
function usePayment(profileId: number) {
  const signedIn = useSession((session) => session.token !== null)
  const [startedAt, setStartedAt] = useState(() => Date.now())
  const { data, error, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...apiQuery(checkout.getPayment, { profile_id: profileId }),
    enabled: signedIn,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && outcomeOf(state.data) === 'waiting' && pollDelay(Date.now() - startedAt),
  })
  const checkAgain = () => {
    setStartedAt(Date.now())
    void refetch()
  }
  const isOverdue = pollDelay(Math.max(dataUpdatedAt, errorUpdatedAt, startedAt) - startedAt) === false
  return { data, error, isOverdue, checkAgain }
}

/** The download that needed the plan, if it was this member's. */
function useActionToPayFor() {
  const customerId = useSession(({ profile }) => profile?.customer_id)
  const [action] = useState(actionToPayFor.get)
  return action?.customerId === customerId ? action : undefined
}

function ThankYou() {
  const download = useActionToPayFor()
  // Downloads are allowed from now on, so the current user and the subscription are requested again.
  useEffect(() => {
    void refetchSubscription()
    clearCheckoutChoice()
  }, [])
  const startDownloading = () => {
    if (!download) return
    actionToPayFor.set(undefined)
    goTo(download.path)
    resumption.run(download)
  }
  return (
    <EmptyState
      icon={<IconCircleCheck size={24} />}
      title={texts.thankYou}
      action={
        <>
          {download && (
            <Button variant="primary" onClick={startDownloading}>
              {texts.startDownloading}
            </Button>
          )}
          <SubscriptionLink isMain={!download} />
          <Link to="/" className={buttons.button}>
            {texts.startBrowsing}
          </Link>
        </>
      }
    >
      {texts.youreAllSetAReceipt}
      {download?.title && ` ${format(texts.backToTheSong, { song: `“${download.title}”` })}`}
    </EmptyState>
  )
}

type PaymentPendingProps = { isOverdue: boolean; checkAgain: () => void }

const PaymentPending = ({ isOverdue, checkAgain }: PaymentPendingProps) => (
  <div role="status">
    {isOverdue ? (
      <EmptyState
        icon={<IconHourglass size={24} />}
        title={texts.thisIsTakingLongerThan}
        action={
          <>
            <Button variant="primary" onClick={checkAgain}>
              {texts.checkAgain}
            </Button>
            <SubscriptionLink />
          </>
        }
      >
        {texts.thePaymentProviderHasntConfirmed}
      </EmptyState>
    ) : (
      <EmptyState icon={<IconHourglass size={24} />} title={texts.processingYourPayment}>
        {texts.thisUsuallyTakesAFew}
      </EmptyState>
    )}
  </div>
)
