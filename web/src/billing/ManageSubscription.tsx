import '../styles/mantine-layout.css'
import { billing, type ReplyOf } from '@dubplate/contract'
import { SimpleGrid, Skeleton, Text } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { Alert } from '../membership/account/Alert.tsx'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { useAgreement } from './agreement.ts'
import { gracePeriodText } from './agreementTexts.ts'
import { BillingRows, BillingSkeleton } from './BillingRows.tsx'
import { PlansLink } from './PaymentLinks.tsx'
import { Note } from './PaymentPage.tsx'
import { MethodCard, type OpenDialog, PlanCard } from './SubscriptionCards.tsx'
import * as texts from './texts.ts'
import { cardUpdated, startCardUpdate } from './updateCard.ts'

const PlanChange = lazyOnDemand(() => import('./PlanChange.tsx').then((code) => code.PlanChange))
const CancelSubscription = lazyOnDemand(() =>
  import('./CancelSubscription.tsx').then((code) => code.CancelSubscription),
)
const UpdateCard = lazyOnDemand(() => import('./UpdateCard.tsx').then((code) => code.UpdateCard))

/** The subscription of a member: its price, payment method, payments and actions. */
export const ManageSubscription = () => (
  <Mantine>
    <AccountPage title={texts.manageSubscription} isWide skeleton={<SubscriptionSkeleton />}>
      {() => <Subscription />}
    </AccountPage>
  </Mantine>
)

const CARDS = { cols: { base: 1, sm: 2 }, spacing: 'lg' } as const

/** The first page holds the newest payments. */
const NEWEST = { page: 1 }
const NEWEST_ROWS = 5

function Subscription() {
  const { agreement, error, retry } = useAgreement()
  useMarkSeen(agreement)
  // Requested in parallel, so that both appear at once.
  const billingQuery = useApiQuery(billing.getBilling, NEWEST)
  if (agreement === null) return <NoSubscription />
  if (!agreement && error) return <ErrorState error={error} title={texts.couldntLoadYourSubscription} retry={retry} />
  return agreement ? (
    <>
      <Agreement agreement={agreement} />
      <RecentBilling billingQuery={billingQuery} />
    </>
  ) : (
    <SubscriptionSkeleton />
  )
}

function Agreement({ agreement }: { agreement: billing.Agreement }) {
  const [openDialog, setOpenDialog] = useState<Parameters<OpenDialog>[0]>()
  const cards = useRef<HTMLDivElement>(null)
  const close = () => {
    setOpenDialog(undefined)
    // The button that opened the dialog may no longer exist.
    setTimeout(() => document.activeElement === document.body && cards.current?.focus({ preventScroll: true }))
  }
  const open: OpenDialog = async (name) => {
    if (name !== 'card' || (await startCardUpdate())) setOpenDialog(name)
  }
  return (
    <>
      <SubscriptionProblem agreement={agreement} />
      <SimpleGrid ref={cards} {...CARDS} tabIndex={-1} style={{ outline: 0 }}>
        <PlanCard agreement={agreement} onOpen={open} />
        <MethodCard agreement={agreement} onOpen={open} />
      </SimpleGrid>
      {openDialog === 'plans' && <PlanChange agreement={agreement} onClose={close} />}
      {openDialog === 'cancel' && <CancelSubscription agreement={agreement} onClose={close} />}
      {openDialog === 'card' && <UpdateCard onClose={close} onSaved={cardUpdated} />}
    </>
  )
}

/** Explains why the next period was not paid, and what still works. */
function SubscriptionProblem({ agreement }: { agreement: billing.Agreement }) {
  const isPaid = useSession(({ profile }) => profile?.payment_profile_status === 'paid')
  if (agreement.profile_status !== 'Past due') return null
  return (
    <Alert tone="danger">
      <p>
        {agreement.failure_reason || (agreement.transfer ? texts.wereWaitingForYourBank : texts.yourLastPaymentFailed)}
      </p>
      <Note>{gracePeriodText(agreement, isPaid)}</Note>
    </Alert>
  )
}

/** The newest payments, with a link to all of them. */
function RecentBilling({ billingQuery }: { billingQuery: UseQueryResult<ReplyOf<typeof billing.getBilling>> }) {
  const { data, error, refetch } = billingQuery
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead
        id={id}
        title={
          <Text inherit fz="lg">
            {texts.recentBillingHistory}
          </Text>
        }
      >
        <Link to="/account/billing">{texts.seeAll}</Link>
      </SectionHead>
      {!data && error && (
        <InlineError error={error} title={texts.couldntLoadYourBillingHistoryInline} retry={() => void refetch()} />
      )}
      {!data && !error && <BillingSkeleton count={NEWEST_ROWS} />}
      {data?.billing_history.length === 0 && <Note isSmall>{texts.noPaymentsYetNote}</Note>}
      {data && data.billing_history.length > 0 && (
        <BillingRows label={texts.recentBillingHistory} rows={data.billing_history.slice(0, NEWEST_ROWS)} />
      )}
    </section>
  )
}

const NoSubscription = () => (
  <EmptyState icon={<IconCrown size={24} />} title={texts.noSubscriptionYet} action={<PlansLink isMain />}>
    {texts.chooseAPlanToStart}
  </EmptyState>
)

const SubscriptionSkeleton = () => (
  <SimpleGrid {...CARDS} aria-busy>
    <Skeleton height={228} radius="lg" />
    <Skeleton height={228} radius="lg" />
  </SimpleGrid>
)
