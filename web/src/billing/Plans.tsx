import { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Link, Navigate, useCanGoBack, useRouter } from '@tanstack/react-router'
import { rich } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useCleaner } from '../platform/Html.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useAgreement } from './agreement.ts'
import { describeSubscription, planChangeBlocker } from './agreementTexts.ts'
import css from './Billing.module.css'
import { isOpen } from './CheckoutGate.tsx'
import { isAboveZero } from './money.ts'
import { PlanSummary } from './PlanSummary.tsx'
import plansCss from './Plans.module.css'
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

function PlansOnSale({ agreement }: { agreement: Agreement | undefined }) {
  const { data, error, refetch } = useApiQuery(billing.getPlans, {})
  const isCleanerSettled = useCleaner()
  return (
    <Page title={texts.plans}>
      {error && !data ? (
        <ErrorState error={error} title={texts.couldntLoadPlans} retry={() => void refetch()} />
      ) : !data || agreement === undefined || !isCleanerSettled ? (
        <Skeleton />
      ) : data.plans.length === 0 ? (
        <NoPlans />
      ) : (
        <>
          <PlanChangeNotice agreement={agreement} />
          <ul className={plansCss.plans}>
            {data.plans.map((plan) => (
              <PlanOnSale key={plan.id} plan={plan} agreement={agreement} />
            ))}
          </ul>
          {data.is_sandbox && <p className={css.small}>{texts.testModeNotice}</p>}
        </>
      )}
    </Page>
  )
}

/** Explains why the visitor is here: a download needs a plan, or this is the plan they have now. */
function PlanChangeNotice({ agreement }: { agreement: Agreement }) {
  const isPaid = useSession(({ profile }) => profile?.payment_profile_status === 'paid')
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  if (isOpen(agreement)) {
    return (
      <p className={css.text}>
        {describeSubscription(agreement)}{' '}
        <Link to="/account/manage-subscription" className={css.link}>
          {texts.manageSubscription}
        </Link>
      </p>
    )
  }
  if (isPaid) return null
  return (
    <div className={plansCss.why}>
      <h2>{texts.downloadsNeedAPaidPlan}</h2>
      <p className={css.text}>{texts.listeningFavouritesAndYourCrate}</p>
      {agreement && (
        <p className={css.text}>
          {rich(texts.lastSubscriptionStillAvailable, {
            link: (inside) => (
              <Link to="/account/manage-subscription" className={css.link}>
                {inside}
              </Link>
            ),
          })}
        </p>
      )}
      {canGoBack && <Button onClick={() => history.back()}>{texts.backToSongs}</Button>}
    </div>
  )
}

function PlanOnSale({ plan, agreement }: { plan: billing.Plan; agreement: Agreement }) {
  const isOwn = isOpen(agreement) && agreement.plan_id === plan.id
  // Trials are for members who never paid: after a full refund a member has no access left, but has paid.
  const hasTrial = isAboveZero(plan.trial_price) && agreement === null
  return (
    <li className={`${css.card} ${plansCss.plan}`} data-own={isOwn || undefined} aria-label={plan.title}>
      <PlanSummary plan={plan} hasTrial={hasTrial} isOwn={isOwn}>
        <PlanAction plan={plan} agreement={agreement} isOwn={isOwn} />
      </PlanSummary>
    </li>
  )
}

type PlanActionProps = { plan: billing.Plan; agreement: Agreement; isOwn: boolean }

function PlanAction({ plan, agreement, isOwn }: PlanActionProps) {
  const signedIn = useSession((session) => session.token !== null)
  const blocker = !isOwn && planChangeBlocker(agreement)
  if (blocker) return <p className={css.small}>{blocker}</p>
  if (isOpen(agreement)) {
    return (
      <Link to="/account/manage-subscription" className={buttons.button}>
        {isOwn
          ? texts.managePlan
          : rich(texts.switchToThisPlan, {
              title: plan.title,
              span: (inside) => <span className="sr">{inside}</span>,
            })}
      </Link>
    )
  }
  return (
    <Link
      to="/subscription/choose-payment/{-$planId}"
      params={{ planId: plan.id }}
      // After signing in, the payment of this plan opens.
      search={signedIn ? {} : { dialog: 'sign-in' }}
      className={buttons.button}
      data-look="primary"
    >
      {rich(texts.choose, { title: plan.title, span: (inside) => <span className="sr">{inside}</span> })}
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

const Skeleton = () => (
  <div className={plansCss.plans} aria-busy>
    {[1, 2, 3].map((n) => (
      <div key={n} className={`${css.bone} ${plansCss.bone}`} />
    ))}
  </div>
)
