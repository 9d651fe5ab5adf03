import { checkout } from '@dubplate/contract'
import { IconCircleCheck, IconCrown, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { apiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { refetchSubscription } from './agreement.ts'
import css from './Billing.module.css'
import { clearCheckoutChoice } from './checkout.ts'
import { PaymentFailedMessage } from './PaymentFailed.tsx'
import { outcomeOf, pollDelay } from './paymentSteps.ts'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/success/$profileId')

/** The screen after a payment: it waits for the provider's decision and grants no access itself. */
export function PaymentSuccess() {
  const { profileId } = route.useParams()
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <CardPaymentPage key={profileId} profileId={profileId} />
  return (
    <Page title={texts.yourPayment}>
      <MembersOnly icon={<IconCrown size={24} />} title={texts.signInToContinue}>
        {texts.signInToSeePaymentStatus}
      </MembersOnly>
    </Page>
  )
}

function CardPaymentPage({ profileId }: { profileId: number }) {
  const { data, error, isOverdue, checkAgain } = usePayment(profileId)
  if (!data) {
    return (
      <Page title={texts.yourPayment}>
        {error ? (
          <ErrorState error={error} title={texts.couldntLoadYourPayment} retry={checkAgain} />
        ) : (
          <SkeletonLine />
        )}
      </Page>
    )
  }
  const outcome = outcomeOf(data)
  if (outcome === 'paid') return <ThankYou />
  if (outcome === 'waiting') return <PaymentPending isOverdue={isOverdue} checkAgain={checkAgain} />
  return (
    <Page title={texts.paymentFailed}>
      <PaymentFailedMessage errorMessage={data.failure_reason} />
    </Page>
  )
}

/** The state of a payment, polled until it is decided. */
function usePayment(profileId: number) {
  const [startedAt, setStartedAt] = useState(() => Date.now())
  const { data, error, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...apiQuery(checkout.getPayment, { profile_id: profileId }),
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

function ThankYou() {
  // Downloads are allowed from now on, so the current user and the subscription are requested again.
  useEffect(() => {
    void refetchSubscription()
    clearCheckoutChoice()
  }, [])
  return (
    <Page title={texts.upgradeSuccessful}>
      <EmptyState
        icon={<IconCircleCheck size={24} />}
        title={texts.thankYou}
        action={
          <>
            <Link to="/account/manage-subscription" className={buttons.button} data-look="primary">
              {texts.viewSubscription}
            </Link>
            <Link to="/" className={buttons.button}>
              {texts.startBrowsing}
            </Link>
          </>
        }
      >
        {texts.youreAllSetAReceipt}
      </EmptyState>
    </Page>
  )
}

type PaymentPendingProps = { isOverdue: boolean; checkAgain: () => void }

const PaymentPending = ({ isOverdue, checkAgain }: PaymentPendingProps) => (
  <Page title={texts.yourPayment}>
    <StatusMessage>
      {isOverdue ? (
        <EmptyState
          icon={<IconHourglass size={24} />}
          title={texts.thisIsTakingLongerThan}
          action={
            <>
              <Button variant="primary" onClick={checkAgain}>
                {texts.checkAgain}
              </Button>
              <Link to="/account/manage-subscription" className={buttons.button}>
                {texts.viewSubscription}
              </Link>
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
    </StatusMessage>
  </Page>
)

const StatusMessage = ({ children }: { children: ReactNode }) => <div role="status">{children}</div>

const SkeletonLine = () => <div className={`${css.bone} ${css.one}`} style={{ height: 200 }} aria-busy />
