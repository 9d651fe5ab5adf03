import { payments } from '@dubplate/contract'
import { IconCheck, IconShieldCheck, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../platform/dates.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { formatExactDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import lists from '../Lists.module.css'
import commerce from './Commerce.module.css'
import type { Decision } from './DecideReview.tsx'
import css from './Payments.module.css'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

type Review = payments.PaymentReview

/** Loaded when staff decide. */
const DecideReview = lazyOnDemand(() => import('./DecideReview.tsx').then(({ DecideReview }) => DecideReview))

const REASONS: Record<Review['reason'], string> = {
  amount: texts.differentAmount,
  currency: texts.differentCurrency,
  period: texts.differentBillingPeriod,
  plan: texts.differentPlan,
  mode: texts.testPayment,
  unlinked: texts.notPaidInACheckout,
  unreadable: texts.eventCouldNotBeRead,
}

/** Payments that have no effect until staff decide on them. */
export function PaymentReviews({ page }: { page: number }) {
  const { data, error, refetch } = useApiQuery(payments.getPaymentReviews, { page }, { keepPrevious: true })
  if (error && !data)
    return <ErrorState error={error} subject={texts.paymentsInSentence} retry={() => void refetch()} />
  if (!data) return <div className={css.bone} aria-busy />
  if (data.reviews.length === 0) {
    return (
      <EmptyState icon={<IconShieldCheck size={24} />} title={texts.noPaymentsNeedReview}>
        {texts.paymentsThatDifferFromWhat}
      </EmptyState>
    )
  }
  return (
    <>
      <ol className={lists.cards} aria-label={texts.paymentsThatNeedReview}>
        {data.reviews.map((review) => (
          <ReviewCard key={review.review_id} review={review} />
        ))}
      </ol>
      <Pagination pagination={data.pagination} />
    </>
  )
}

function ReviewCard({ review }: { review: Review }) {
  const [decision, setDecision] = useState<Decision>()
  const { reason, detail, can_accept } = review
  return (
    <li className={css.card}>
      <header className={css.who}>
        <div>
          <h2>{REASONS[reason]}</h2>
          <Member review={review} />
        </div>
        {review.amount && (
          <p>
            <b className="num">{money(review.amount, review.currency)}</b>
          </p>
        )}
      </header>
      <p className={css.trouble}>{detail}</p>
      <Facts review={review} />
      <div className={css.actions}>
        {can_accept && (
          <Button onClick={() => setDecision('accept')}>
            <IconCheck size={16} aria-hidden />
            {texts.accept}
          </Button>
        )}
        <Button onClick={() => setDecision('handled')}>
          <IconX size={16} aria-hidden />
          {texts.markAsHandledMenuItem}
        </Button>
      </div>
      {decision && <DecideReview review={review} decision={decision} onClose={() => setDecision(undefined)} />}
    </li>
  )
}

const Member = ({ review: { customer_id, dj_name } }: { review: Review }) =>
  customer_id === null ? null : (
    <Link
      to="/staff/members/$customerId"
      params={{ customerId: customer_id }}
      className={`${commerce.link} ${css.name}`}
    >
      {dj_name}
    </Link>
  )

function Facts({ review }: { review: Review }) {
  const { gateway, ref, gateway_ref, subscription_id, plan_name, period_start, period_end, at } = review
  return (
    <dl className={css.what}>
      {subscription_id !== null && (
        <Fact name={texts.subscription}>
          <Link
            to="/staff/subscriptions/$subscriptionId"
            params={{ subscriptionId: subscription_id }}
            className={commerce.link}
          >
            {plan_name}
          </Link>
        </Fact>
      )}
      {period_start && period_end && (
        <Fact name={texts.paidPeriod}>
          {format(texts.to, { period_start: formatDate(period_start), period_end: formatDate(period_end) })}
        </Fact>
      )}
      <Fact name={format(texts.idAt, { gatewayName: gatewayName(gateway) })}>
        {ref}
        {gateway_ref && gateway_ref !== ref && ` · ${gateway_ref}`}
      </Fact>
      <Fact name={texts.received}>
        <time dateTime={at} title={formatExactDate(at)}>
          {formatDate(at)}
        </time>
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
