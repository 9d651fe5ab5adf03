import type { Sql } from '../platform/db.ts'

/** A time span in which a member had access through a paid plan: [start, end), in milliseconds since 1970. */
export type SubscriberSpan = { customer_id: number; start: number; end: number }

/**
 * Returns when each member was a subscriber: from the first paid period to the end of access, including the grace
 * period (billing/subscription-state.ts). Subscriptions that follow each other without a gap are one span. A fully
 * refunded subscription does not count.
 */
export const readSpans = (sql: Sql): Promise<SubscriberSpan[]> => sql<SubscriberSpan[]>`
  with paid as (
    select s.customer_id, min(c.period_start) as start, s.access_until as "end"
    from subscription s join charge c using (subscription_id)
    where c.status = 'paid' and s.access_until is not null group by s.subscription_id
    having s.access_until > min(c.period_start))
  select customer_id, extract(epoch from lower(span))::float8 * 1000 as start, extract(epoch from upper(span))::float8 * 1000 as "end"
  from (select customer_id, unnest(range_agg(tstzrange(start, "end"))) as span from paid group by customer_id) spans
  order by customer_id, start`

const isActiveAt = ({ start, end }: SubscriberSpan, at: number): boolean => start <= at && at < end

/** Returns the number of subscribers at a time. */
export function subscribersAt(spans: readonly SubscriberSpan[], date: Date): number {
  const at = date.getTime()
  return spans.reduce((n, span) => n + Number(isActiveAt(span, at)), 0)
}

/** Returns how many of the subscribers at `from` were not subscribers at `to`. */
export function lostBetween(spans: readonly SubscriberSpan[], from: Date, to: Date): number {
  const [first, last] = [from.getTime(), to.getTime()]
  const endedSpans = spans.filter((span) => isActiveAt(span, first) && span.end <= last)
  if (endedSpans.length === 0) return 0
  const returned = new Set(spans.filter((span) => isActiveAt(span, last)).map(({ customer_id }) => customer_id))
  return endedSpans.filter(({ customer_id }) => !returned.has(customer_id)).length
}

/**
 * Returns the churn: the share of the subscribers at the beginning of a period who are not subscribers at its end,
 * `lost / at_start`; null when there were none at the beginning. Members who subscribed and left within the period are
 * not counted. This is the customer defection rate of F. Reichheld and W. E. Sasser, Zero Defections: Quality Comes to
 * Services, Harvard Business Review 68 (1990), no. 5, pp. 105–111.
 */
export function churnBetween(spans: readonly SubscriberSpan[], from: Date, to: Date): number | null {
  const atStart = subscribersAt(spans, from)
  return atStart === 0 ? null : lostBetween(spans, from, to) / atStart
}
