import { checkout } from '@dubplate/contract'
import { IconCircleCheck, IconCrown, IconHourglass } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { Trouble } from '../platform/errors.tsx'
import { asking } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { askStandingAnew } from './agreement.ts'
import css from './Billing.module.css'
import { dropChoice } from './checkout.ts'
import { Failed } from './PaymentFailed.tsx'
import * as texts from './texts.ts'
import { outcomeOf, pauseBefore } from './waiting.ts'

const route = getRouteApi('/subscription/success/$profileId')

/** Where a payment ends: it waits until the provider has decided, and grants nothing by itself. */
export function PaymentSuccess() {
  const { profileId } = route.useParams()
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <OfPayment key={profileId} profileId={profileId} />
  return (
    <Page title={texts.yourPayment}>
      <MembersOnly icon={<IconCrown size={24} />} title={texts.signInToContinue}>
        {texts.signInToSeeThe}
      </MembersOnly>
    </Page>
  )
}

function OfPayment({ profileId }: { profileId: number }) {
  const { data, error, isOverdue, ask } = usePayment(profileId)
  if (!data) {
    return (
      <Page title={texts.yourPayment}>
        {error ? <Trouble error={error} what={texts.yourPayment2} retry={ask} /> : <Bone />}
      </Page>
    )
  }
  const outcome = outcomeOf(data)
  if (outcome === 'paid') return <ThankYou />
  if (outcome === 'waiting') return <Waiting isOverdue={isOverdue} ask={ask} />
  return (
    <Page title={texts.paymentFailed}>
      <Failed trouble={data.trouble} />
    </Page>
  )
}

/** How a payment stands, asked again and again while it is not decided. */
function usePayment(profileId: number) {
  const [since, setSince] = useState(() => Date.now())
  const { data, error, refetch, dataUpdatedAt, errorUpdatedAt } = useQuery({
    ...asking(checkout.getPayment, { profile_id: profileId }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data && outcomeOf(state.data) === 'waiting' && pauseBefore(Date.now() - since),
  })
  const ask = () => {
    setSince(Date.now())
    void refetch()
  }
  const isOverdue = pauseBefore(Math.max(dataUpdatedAt, errorUpdatedAt, since) - since) === false
  return { data, error, isOverdue, ask }
}

function ThankYou() {
  // From now on downloads work: who is signed in, and what they are on, is asked anew.
  useEffect(() => {
    void askStandingAnew()
    dropChoice()
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

type WaitingProps = { isOverdue: boolean; ask: () => void }

const Waiting = ({ isOverdue, ask }: WaitingProps) => (
  <Page title={texts.yourPayment}>
    <Said>
      {isOverdue ? (
        <EmptyState
          icon={<IconHourglass size={24} />}
          title={texts.thisIsTakingLongerThan}
          action={
            <>
              <Button look="primary" onClick={ask}>
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
    </Said>
  </Page>
)

const Said = ({ children }: { children: ReactNode }) => <div role="status">{children}</div>

const Bone = () => <div className={`${css.bone} ${css.one}`} style={{ height: 200 }} aria-busy />
