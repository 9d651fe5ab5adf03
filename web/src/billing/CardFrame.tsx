import { checkout } from '@dubplate/contract'
import { IconCreditCardOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { apiQuery } from '../platform/queries.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { CardPayment } from './CardPayment.tsx'
import { PlansLink, SubscriptionLink } from './PaymentLinks.tsx'
import { PanelSkeleton, PaymentPage } from './PaymentPage.tsx'
import * as texts from './texts.ts'

const route = getRouteApi('/subscription/card/$profileId')

/** The frame for the payment provider's card fields, in a pool that serves them on a separate page. */
export function CardFrame() {
  const { profileId } = route.useParams()
  return (
    <PaymentPage title={texts.payByCard} signInText={texts.youHaventBeenChargedSign}>
      <CardPaymentPage key={profileId} profileId={profileId} />
    </PaymentPage>
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
  return data ? <CardPayment {...data} onFinished={ask} /> : <PanelSkeleton height={560} />
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
        <PlansLink isMain />
        <SubscriptionLink />
      </>
    }
  >
    {children}
  </EmptyState>
)
