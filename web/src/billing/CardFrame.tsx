import { checkout } from '@dubplate/contract'
import { IconCreditCard, IconCreditCardOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { apiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Billing.module.css'
import { CardPayment } from './CardPayment.tsx'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/card/$profileId')

/** The frame for the payment provider's card fields, in a pool that serves them on a separate page. */
export function CardFrame() {
  const { profileId } = route.useParams()
  const signedIn = useSession((session) => session.token !== null)
  return (
    <Page title={texts.payByCard}>
      {signedIn ? (
        <CardPaymentPage key={profileId} profileId={profileId} />
      ) : (
        <MembersOnly icon={<IconCreditCard size={24} />} title={texts.signInToContinue}>
          {texts.youHaventBeenChargedSign}
        </MembersOnly>
      )}
    </Page>
  )
}

function CardPaymentPage({ profileId }: { profileId: number }) {
  const { data, error, refetch } = useQuery({
    ...apiQuery(checkout.getCardFrame, { profile_id: profileId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Members may switch to their bank's app during the payment; a refetch would clear the fields.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const ask = () => void refetch()
  if (error instanceof ApiError && error.code === 'already_subscribed') {
    return <Navigate to="/subscription/success/$profileId" params={{ profileId }} replace />
  }
  const overMessage = error instanceof ApiError && OVER_MESSAGES[error.code]
  if (overMessage) return <PaymentOver title={overMessage}>{error.message}</PaymentOver>
  if (error) return <ErrorState error={error} title={texts.couldntLoadThisPayment} retry={ask} />
  return data ? <CardPayment {...data} onFinished={ask} /> : <Skeleton />
}

const OVER_MESSAGES: Record<string, string> = {
  payment_declined: texts.thisPaymentWasDeclined,
  unknown_payment: texts.paymentNotFound,
}

const PaymentOver = ({ title, children }: { title: string; children: string }) => (
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

const Skeleton = () => <div className={`${css.bone} ${css.one}`} style={{ height: 560 }} aria-busy />
