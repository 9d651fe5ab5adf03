import { checkout } from '@dubplate/contract'
import { IconCreditCard, IconCreditCardOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { RefusalError } from '../platform/api.ts'
import { Trouble } from '../platform/errors.tsx'
import { asking } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import css from './Billing.module.css'
import { CardPayment } from './CardPayment.tsx'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/card/$profileId')

/** Where a card is typed into the provider's fields, at a pool that has them on a page of its own. */
export function CardFrame() {
  const { profileId } = route.useParams()
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={texts.payByCard}>
      {signedIn ? (
        <OfPayment key={profileId} profileId={profileId} />
      ) : (
        <MembersOnly icon={<IconCreditCard size={24} />} title={texts.signInToContinue}>
          {texts.youHaventBeenChargedSign}
        </MembersOnly>
      )}
    </Page>
  )
}

function OfPayment({ profileId }: { profileId: number }) {
  const { data, error, refetch } = useQuery({
    ...asking(checkout.getCardFrame, { profile_id: profileId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Whoever looks at their bank's message meanwhile comes back to what they typed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const ask = () => void refetch()
  if (error instanceof RefusalError && error.code === 'already_subscribed') {
    return <Navigate to="/subscription/success/$profileId" params={{ profileId }} replace />
  }
  const over = error instanceof RefusalError && OVER[error.code]
  if (over) return <Over title={over}>{error.message}</Over>
  if (error) return <Trouble error={error} what={texts.thisPayment} retry={ask} />
  return data ? <CardPayment {...data} onOver={ask} /> : <Bones />
}

const OVER: Record<string, string> = {
  payment_declined: texts.thisPaymentWasDeclined,
  unknown_payment: texts.paymentNotFound,
}

const Over = ({ title, children }: { title: string; children: string }) => (
  <EmptyState
    alert
    icon={<IconCreditCardOff size={24} />}
    title={title}
    action={
      <>
        <Link to="/subscription/plans" className={buttons.button} data-look="primary">
          {texts.viewPlans}
        </Link>
        <Link to="/account/manage-subscription" className={buttons.button}>
          {texts.viewSubscription}
        </Link>
      </>
    }
  >
    {children}
  </EmptyState>
)

const Bones = () => <div className={`${css.bone} ${css.one}`} style={{ height: 560 }} aria-busy />
