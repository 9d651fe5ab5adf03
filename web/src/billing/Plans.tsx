import '../styles/mantine-layout.css'
import { billing } from '@dubplate/contract'
import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import { Link, Navigate, useCanGoBack, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rich } from '../format/message.ts'
import { actionInTab } from '../membership/pendingAction.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useCleaner } from '../platform/Html.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { useAgreement } from './agreement.ts'
import { describeSubscription, planChangeBlocker } from './agreementTexts.ts'
import { isOpen } from './CheckoutGate.tsx'
import { linkToSubscription, SubscriptionLink } from './PaymentLinks.tsx'
import { Note } from './PaymentPage.tsx'
import { PlanSummary } from './PlanSummary.tsx'
import * as texts from './texts.ts'

/** The plans on sale. */
export function Plans() {
  const signedIn = useSession((session) => session.token !== null)
  return signedIn ? <PlansOfMember /> : <PlansOnSale agreement={null} />
}

function PlansOfMember() {
  const { agreement, error } = useAgreement()
  if (agreement?.profile_status === 'CREATED') return <Navigate to="/account/manage-subscription" replace />
  // If the subscription cannot be loaded, plans are offered anyway; the server checks it at the payment.
  return <PlansOnSale agreement={error ? (agreement ?? null) : agreement} />
}

type Agreement = billing.Agreement | null

const GRID = { minColWidth: 'min(100%, 320px)', spacing: 'lg', maw: 1240 } as const

function PlansOnSale({ agreement }: { agreement: Agreement | undefined }) {
  const { data, error, refetch } = useApiQuery(billing.getPlans, {})
  const isCleanerSettled = useCleaner()
  return (
    <Mantine>
      <Page title={texts.plans}>
        {error && !data ? (
          <ErrorState error={error} title={texts.couldntLoadPlans} retry={() => void refetch()} />
        ) : !data || agreement === undefined || !isCleanerSettled ? (
          <SimpleGrid {...GRID} aria-busy>
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} height={400} radius="lg" />
            ))}
          </SimpleGrid>
        ) : data.plans.length === 0 ? (
          <NoPlans />
        ) : (
          <>
            <SubscriptionNotice agreement={agreement} />
            <SimpleGrid component="ul" {...GRID}>
              {data.plans.map((plan) => (
                <PlanOnSale key={plan.id} plan={plan} agreement={agreement} />
              ))}
            </SimpleGrid>
            {data.is_sandbox && <Note isSmall>{texts.testModeNotice}</Note>}
          </>
        )}
      </Page>
    </Mantine>
  )
}

/** Explains why the visitor is here: a download needs a plan, or this is the plan they have now. */
function SubscriptionNotice({ agreement }: { agreement: Agreement }) {
  const isPaid = useSession(({ profile }) => profile?.payment_profile_status === 'paid')
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  if (isOpen(agreement)) {
    return (
      <Note>
        {describeSubscription(agreement)} {linkToSubscription(texts.manageSubscription)}
      </Note>
    )
  }
  if (isPaid) return null
  return (
    <Stack gap={4} maw={720} c="var(--text-2)">
      <Text component="h2" inherit fz="lg" fw={650} c="var(--text)">
        {texts.downloadsNeedAPaidPlan}
      </Text>
      <p>{texts.listeningFavouritesAndYourCrate}</p>
      {agreement && (
        <p>
          {rich(texts.lastSubscriptionStillAvailable, {
            link: linkToSubscription,
          })}
        </p>
      )}
      {canGoBack && <Button onClick={() => history.back()}>{texts.backToSongs}</Button>}
    </Stack>
  )
}

function PlanOnSale({ plan, agreement }: { plan: billing.Plan; agreement: Agreement }) {
  const isOwn = isOpen(agreement) && agreement.plan_id === plan.id
  return (
    // Trials are for members who never paid: after a full refund a member has no access left, but has paid.
    <PlanSummary component="li" plan={plan} hasTrial={agreement === null} isOwn={isOwn}>
      <PlanAction plan={plan} agreement={agreement} isOwn={isOwn} />
    </PlanSummary>
  )
}

type PlanActionProps = { plan: billing.Plan; agreement: Agreement; isOwn: boolean }

const HIDDEN = { span: (inside: ReactNode) => <span className="sr">{inside}</span> }

function PlanAction({ plan, agreement, isOwn }: PlanActionProps) {
  const signedIn = useSession((session) => session.token !== null)
  const { id: planId, title } = plan
  const blocker = !isOwn && planChangeBlocker(agreement)
  if (blocker) return <Note isSmall>{blocker}</Note>
  if (isOpen(agreement))
    return (
      <SubscriptionLink>
        {isOwn ? texts.managePlan : rich(texts.switchToThisPlan, { title, ...HIDDEN })}
      </SubscriptionLink>
    )
  return (
    <Link
      to="/subscription/choose-payment/{-$planId}"
      params={{ planId }}
      // After signing in, the payment of this plan opens.
      search={signedIn ? {} : { dialog: 'sign-in' }}
      onClick={({ ctrlKey, metaKey, shiftKey }) => {
        if (!signedIn && !ctrlKey && !metaKey && !shiftKey) actionInTab.set({ kind: 'plan', args: [], title })
      }}
      className={buttons.button}
      data-look="primary"
    >
      {rich(texts.choose, { title, ...HIDDEN })}
    </Link>
  )
}

const NoPlans = () => (
  <EmptyState
    icon={<IconCrown size={24} />}
    title={texts.noPlansAvailableYet}
    action={
      <Link to="/" className={buttons.button} data-look="primary">
        {texts.goHome}
      </Link>
    }
  >
    {texts.youCanStillListenSave}
  </EmptyState>
)
