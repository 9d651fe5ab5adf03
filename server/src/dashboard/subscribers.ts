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
export async function readSubscribers(sql: Sql, from: Date, to: Date): Promise<Subscribers> {
  const spans = await sql<SubscriberSpan[]>`
    with paid as materialized (
      select customer_id, paid_since, access_until, paid_since <= ${from} and access_until > ${to} as is_throughout
      from subscription where access_until > ${from} and access_until > paid_since),
    throughout as (select distinct customer_id from paid where is_throughout),
    spans as (
      select 0 as customer_id, count(*)::int as members, tstzrange(${from}, null) as span from throughout
      union all
      select customer_id, 1, unnest(range_agg(tstzrange(paid_since, access_until))) from paid
      where not is_throughout and customer_id not in (select customer_id from throughout) group by customer_id)
    select customer_id, members, extract(epoch from lower(span))::float8 * 1000 as start,
      coalesce(extract(epoch from upper(span)), 'infinity')::float8 * 1000 as "end"
    from spans`
  return new Subscribers(spans)
}

/** When which members were subscribers. */
export class Subscribers {
  readonly #starts: RunningTotal
  readonly #ends: RunningTotal
  readonly #byEnd: readonly SubscriberSpan[]
  readonly #ofMember = new Map<number, SubscriberSpan[]>()

  constructor(spans: readonly SubscriberSpan[]) {
    this.#byEnd = [...spans].sort((a, b) => a.end - b.end)
    this.#starts = new RunningTotal(spans.map(({ start, members }) => [start, members]))
    this.#ends = new RunningTotal(spans.map(({ end, members }) => [end, members]))
    for (const span of spans) {
      const others = this.#ofMember.get(span.customer_id)
      if (others) others.push(span)
      else this.#ofMember.set(span.customer_id, [span])
    }
  }

  /** The number of subscribers at a time. The spans of one member do not overlap. */
  countAt(date: Date): number {
    return this.#starts.until(date.getTime()) - this.#ends.until(date.getTime())
  }

  /** How many of the subscribers at `from` were not subscribers at `to`. */
  lostBetween(from: Date, to: Date): number {
    const [first, last] = [from.getTime(), to.getTime()]
    let lost = 0
    for (let n = this.#ends.indexAfter(first); n < this.#byEnd.length; n++) {
      const span = this.#byEnd[n] as SubscriberSpan
      if (span.end > last) break
      if (span.start <= first && !this.#isSubscriberAt(span.customer_id, last)) lost += span.members
    }
    return lost
  }

  #isSubscriberAt(customerId: number, at: number): boolean {
    return (this.#ofMember.get(customerId) ?? []).some(({ start, end }) => start <= at && at < end)
  }

  /**
   * The churn: the share of the subscribers at the beginning of a period who are not subscribers at its end,
   * `lost / at_start`; null when there were none at the beginning. Members who subscribed and left within the period are
   * not counted. This is the customer defection rate of F. Reichheld and W. E. Sasser, Zero Defections: Quality Comes to
   * Services, Harvard Business Review 68 (1990), no. 5, pp. 105–111.
   */
  churnBetween(from: Date, to: Date): number | null {
    const atStart = this.countAt(from)
    return atStart === 0 ? null : this.lostBetween(from, to) / atStart
  }
}

/** Adds up numbers by time, for the totals until any time. */
class RunningTotal {
  readonly #times: readonly number[]
  /** The total before each time; the last element is that of all. */
  readonly #totals: readonly number[]

  constructor(events: readonly [time: number, n: number][]) {
    const sorted = [...events].sort(([a], [b]) => a - b)
    this.#times = sorted.map(([time]) => time)
    let total = 0
    this.#totals = [0, ...sorted.map(([, n]) => (total += n))]
  }

  /** The index of the first event after a time; of several at one time the order is undefined. */
  indexAfter(time: number): number {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#times[middle] as number) <= time) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The total of the events until a time, including it. */
  until(time: number): number {
    return this.#totals[this.indexAfter(time)] as number
  }
}
