import type { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { format } from '../format/message.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useAgreement } from './agreement.ts'
import { SubscriptionLink } from './PaymentLinks.tsx'
import { PaymentPage } from './PaymentPage.tsx'
import * as texts from './texts.ts'

/** Whether a subscription is active or runs until the end of its paid period: a second one cannot be bought. */
export const isOpen = (agreement: billing.Agreement | null | undefined): agreement is billing.Agreement =>
  agreement != null && agreement.profile_status !== 'Ended'

type Props = {
  title: string
  planId: number | undefined
  /** True while a payment is in progress: its result is shown even if the subscription changes in the meantime. */
  isPaying: boolean
  /** Shown in the size of the content until the current user is known. */
  skeleton: ReactNode
  children: (planId: number) => ReactNode
}

/** Shows the payment only to signed-in members who chose a plan and have no subscription; redirects everyone else. */
export const CheckoutGate = ({ title, planId, ...rest }: Props) =>
  planId ? (
    <PaymentPage title={title} signInText={texts.youllReturnToThePlan}>
      <MemberContent planId={planId} {...rest} />
    </PaymentPage>
  ) : (
    <Navigate to="/subscription/plans" replace />
  )

function MemberContent({ planId, isPaying, skeleton, children }: Omit<Props, 'title'> & { planId: number }) {
  const { agreement, error } = useAgreement()
  if (isPaying) return children(planId)
  if (agreement?.profile_status === 'CREATED') return <Navigate to="/account/manage-subscription" replace />
  if (isOpen(agreement)) return <AlreadySubscribed agreement={agreement} />
  // If the subscription cannot be loaded, the server still rejects a second one.
  if (agreement === undefined && !error) return skeleton
  return children(planId)
}

const AlreadySubscribed = ({ agreement }: { agreement: billing.Agreement }) => (
  <EmptyState
    icon={<IconCrown size={24} />}
    title={format(texts.youreOnPlan, { subscription_title: agreement.subscription_title })}
    action={<SubscriptionLink isMain>{texts.manageSubscription}</SubscriptionLink>}
  >
    {texts.youAlreadyHaveAPlan}
  </EmptyState>
)
