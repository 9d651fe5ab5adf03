import type { billing, ReplyOf } from '@dubplate/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { InlineError } from '../platform/InlineError.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { BillingRows, BillingSkeleton } from './BillingRows.tsx'
import css from './ManageSubscription.module.css'
import * as texts from './texts.ts'

/** The first page holds the newest payments. */
export const RECENT = { page: 1 }
const ROWS = 5

/** The newest payments, with a link to all of them. */
export function RecentBilling({ billingQuery }: { billingQuery: UseQueryResult<ReplyOf<typeof billing.getBilling>> }) {
  const { data, error, refetch } = billingQuery
  const id = useId()
  return (
    <section className={css.recent} aria-labelledby={id}>
      <SectionHead id={id} title={texts.recentBillingHistory}>
        <Link to="/account/billing">{texts.seeAll}</Link>
      </SectionHead>
      {!data && error && (
        <InlineError error={error} title={texts.couldntLoadYourBillingHistoryInline} retry={() => void refetch()} />
      )}
      {!data && !error && <BillingSkeleton count={ROWS} />}
      {data?.billing_history.length === 0 && <p className={css.meta}>{texts.noPaymentsYetNote}</p>}
      {data && data.billing_history.length > 0 && (
        <BillingRows label={texts.recentBillingHistory} rows={data.billing_history.slice(0, ROWS)} />
      )}
    </section>
  )
}
