import type { Sql } from '../platform/db.ts'

/** A time in which somebody could download by a plan they paid for: [start, end), in milliseconds since 1970. */
export type SubscriberSpan = { customer_id: number; start: number; end: number }

/**
 * Who was a subscriber when: from the first period that was paid to the end of access (billing/subscription-state.ts,
 * with its days of grace). Subscriptions that follow each other without a gap are one time. A subscription that was
 * given back whole paid for nothing, and never was.
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

/** How many there were at a moment. */
export function subscribersAt(spans: readonly SubscriberSpan[], date: Date): number {
  const at = date.getTime()
  return spans.reduce((n, span) => n + Number(isActiveAt(span, at)), 0)
}

/** Of those who were subscribers at `from`, how many were none at `to`. */
export function lostBetween(spans: readonly SubscriberSpan[], from: Date, to: Date): number {
  const [first, last] = [from.getTime(), to.getTime()]
  const endedSpans = spans.filter((span) => isActiveAt(span, first) && span.end <= last)
  if (endedSpans.length === 0) return 0
  const returned = new Set(spans.filter((span) => isActiveAt(span, last)).map(({ customer_id }) => customer_id))
  return endedSpans.filter(({ customer_id }) => !returned.has(customer_id)).length
}

/**
 * Churn: of the subscribers at the beginning of a time the share that is none at its end, `lost / at_start`; null where
 * there was nobody to lose. Who came and went in between is in neither. It is the customer defection rate of F.
 * Reichheld and W. E. Sasser, Zero Defections: Quality Comes to Services, Harvard Business Review 68 (1990), no. 5, pp.
 * 105–111.
 */
export function churnBetween(spans: readonly SubscriberSpan[], from: Date, to: Date): number | null {
  const atStart = subscribersAt(spans, from)
  return atStart === 0 ? null : lostBetween(spans, from, to) / atStart
}
