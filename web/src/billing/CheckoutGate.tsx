import type { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { format } from '../platform/message.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { useAgreement } from './agreement.ts'
import * as texts from './texts.ts'

/** Whether a subscription goes on, or runs to the end of what is paid: a second one cannot be bought beside it. */
export const isOpen = (agreement: billing.Agreement | null | undefined): agreement is billing.Agreement =>
  agreement != null && agreement.profile_status !== 'Ended'

type Props = {
  title: string
  planId: number | undefined
  /** True while something is being paid: whatever becomes of the subscription meanwhile, its answer is waited for. */
  isPaying: boolean
  /** Stands there until it is known who asks, in the size of what will stand there. */
  skeleton: ReactNode
  children: (planId: number) => ReactNode
}

/** Lets those to a payment who chose a plan, are signed in, and have no subscription yet; sends all others on. */
export function CheckoutGate({ title, planId, ...rest }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  if (!planId) return <Navigate to="/subscription/plans" replace />
  return (
    <Page title={title}>
      {signedIn ? (
        <MemberContent planId={planId} {...rest} />
      ) : (
        <MembersOnly icon={<IconCrown size={24} />} title={texts.signInToContinue}>
          {texts.youllReturnToThePlan}
        </MembersOnly>
      )}
    </Page>
  )
}

function MemberContent({ planId, isPaying, skeleton, children }: Omit<Props, 'title'> & { planId: number }) {
  const { agreement, error } = useAgreement()
  if (isPaying) return children(planId)
  if (agreement?.profile_status === 'CREATED') return <Navigate to="/account/manage-subscription" replace />
  if (isOpen(agreement)) return <AlreadySubscribed agreement={agreement} />
  // Where it cannot be learned, the server still refuses a second subscription.
  if (agreement === undefined && !error) return skeleton
  return children(planId)
}

const AlreadySubscribed = ({ agreement }: { agreement: billing.Agreement }) => (
  <EmptyState
    icon={<IconCrown size={24} />}
    title={format(texts.youreOnPlan, { subscription_title: agreement.subscription_title })}
    action={
      <Link to="/account/manage-subscription" className={buttons.button} data-look="primary">
        {texts.manageSubscription}
      </Link>
    }
  >
    {texts.youAlreadyHaveAPlan}
  </EmptyState>
)
