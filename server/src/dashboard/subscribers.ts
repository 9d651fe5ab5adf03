import type { Sql } from '../platform/db.ts'

/**
 * A time span in which members had access through a paid plan: [start, end), in milliseconds since 1970. Those who had
 * it all the time between the dates that were asked for are one span, with 0 for `customer_id`.
 */
export type SubscriberSpan = { customer_id: number; members: number; start: number; end: number }

/**
 * Returns who was a subscriber when, for dates from `from` to `to`: from the first paid period to the end of access,
 * including the grace period (billing/subscription-state.ts). Subscriptions that follow each other without a gap are
 * one span. A fully refunded subscription does not count.
 */
export const readSpans = (sql: Sql, from: Date, to: Date): Promise<SubscriberSpan[]> => sql<SubscriberSpan[]>`
  with paid as materialized (
    select s.customer_id, first_paid.start, s.access_until as "end"
    from subscription s cross join lateral (
      select min(period_start) as start from charge c where c.subscription_id = s.subscription_id and c.status = 'paid') first_paid
    where s.access_until > ${from} and s.access_until > first_paid.start),
  throughout as (select distinct customer_id from paid where start <= ${from} and "end" > ${to}),
  spans as (
    select 0 as customer_id, count(*)::int as members, tstzrange(${from}, null) as span from throughout
    union all
    select customer_id, 1, unnest(range_agg(tstzrange(start, "end"))) from paid
    where customer_id not in (select customer_id from throughout) group by customer_id)
  select customer_id, members, extract(epoch from lower(span))::float8 * 1000 as start,
    coalesce(extract(epoch from upper(span)), 'infinity')::float8 * 1000 as "end"
  from spans order by customer_id, start`

const isActiveAt = ({ start, end }: SubscriberSpan, at: number): boolean => start <= at && at < end

const countMembers = (spans: readonly SubscriberSpan[]): number => spans.reduce((n, { members }) => n + members, 0)

/** Returns the number of subscribers at a time. */
export function subscribersAt(spans: readonly SubscriberSpan[], date: Date): number {
  const at = date.getTime()
  return countMembers(spans.filter((span) => isActiveAt(span, at)))
}

/** Returns how many of the subscribers at `from` were not subscribers at `to`. */
export function lostBetween(spans: readonly SubscriberSpan[], from: Date, to: Date): number {
  const [first, last] = [from.getTime(), to.getTime()]
  const endedSpans = spans.filter((span) => isActiveAt(span, first) && span.end <= last)
  if (endedSpans.length === 0) return 0
  const returned = new Set(spans.filter((span) => isActiveAt(span, last)).map(({ customer_id }) => customer_id))
  return countMembers(endedSpans.filter(({ customer_id }) => !returned.has(customer_id)))
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
