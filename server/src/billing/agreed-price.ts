import { amountOf, termsOf } from '../gateways/amounts.ts'
import type { Fact, Interval } from '../gateways/gateway.ts'
import { toDecimal } from '../gateways/money.ts'
import { periodEnd } from '../gateways/periods.ts'
import type { Subscription } from './subscriptions.ts'

export type ChargeFact = Extract<Fact, { kind: 'charge' }>

/** How a payment differs from the agreed terms; `detail` is a sentence for staff. */
export type Difference = { reason: 'amount' | 'currency' | 'period' | 'plan' | 'mode'; detail: string }

export type AgreedTerms = {
  subscription: Subscription
  /** The agreed prices of plans that this subscription changed to, by plan id. */
  agreed_prices: Record<string, number>
  /** The start of the first paid period; undefined before the first payment. */
  anchor: Date | undefined
}

/**
 * Compares a payment with what the member agreed to in the checkout or in a later change of plan. Returns undefined
 * when they match: then the payment may pay for its period.
 */
export function findDifference(agreedTerms: AgreedTerms, fact: ChargeFact): Difference | undefined {
  const { currency } = agreedTerms.subscription
  if (fact.is_other_mode) {
    return {
      reason: 'mode',
      detail: 'Paid in a different mode (test or live) from the one this site uses.',
    }
  }
  if (fact.currency !== currency) return { reason: 'currency', detail: `Agreed currency: ${currency}.` }
  if (fact.plan_id !== undefined && !plansOf(agreedTerms).has(fact.plan_id)) {
    return { reason: 'plan', detail: 'Paid for a plan this member did not choose.' }
  }
  return fact.reason === 'upgrade' ? differenceOfUpgrade(agreedTerms, fact) : differenceOfPeriod(agreedTerms, fact)
}

const billedAmount = ({ billed_minor, amount_minor }: ChargeFact): number => billed_minor ?? amount_minor

function differenceOfPeriod(agreedTerms: AgreedTerms, fact: ChargeFact): Difference | undefined {
  const { interval, currency } = agreedTerms.subscription
  if (!isOnePeriod(interval, new Date(fact.period_start), new Date(fact.period_end))) {
    return { reason: 'period', detail: `Agreed: one ${interval} at a time.` }
  }
  const amounts = amountsOf(agreedTerms, fact)
  if (amounts.has(billedAmount(fact))) return undefined
  const expected = [...amounts].map((minor) => `${currency} ${toDecimal(minor)}`)
  return { reason: 'amount', detail: `Agreed: ${expected.join(' or ')}.` }
}

/** The rest of a period on a more expensive plan costs the quoted amount and ends with the period. */
function differenceOfUpgrade({ subscription }: AgreedTerms, fact: ChargeFact): Difference | undefined {
  const { pending_change, next_plan_id, paid_until, currency } = subscription
  const isRequested = pending_change && (fact.plan_id ?? next_plan_id) === next_plan_id
  if (!isRequested) return { reason: 'plan', detail: 'No change of plan was in progress.' }
  const { due_now_minor } = pending_change
  if (billedAmount(fact) !== due_now_minor) {
    return { reason: 'amount', detail: `Agreed: ${currency} ${toDecimal(due_now_minor)}.` }
  }
  const isLonger = !paid_until || new Date(fact.period_end).getTime() > paid_until.getTime() + DAY_MS
  return isLonger ? { reason: 'period', detail: 'The period ends later than agreed.' } : undefined
}

const DAY_MS = 86_400_000
/** Providers bill some hours early, and the first period may start while its page is open. */
const PERIOD_DAYS: Record<Interval, { shortest: number; longest: number }> = {
  month: { shortest: 27, longest: 32 },
  year: { shortest: 364, longest: 367 },
}

function isOnePeriod(interval: Interval, start: Date, end: Date): boolean {
  const days = (end.getTime() - start.getTime()) / DAY_MS
  return days >= PERIOD_DAYS[interval].shortest && days <= PERIOD_DAYS[interval].longest
}

const plansOf = ({ subscription: { plan_id, next_plan_id }, agreed_prices }: AgreedTerms): Set<number> =>
  new Set([plan_id, ...(next_plan_id ? [next_plan_id] : []), ...Object.keys(agreed_prices).map(Number)])

/** The amounts this payment may have. */
function amountsOf(agreedTerms: AgreedTerms, fact: ChargeFact): Set<number> {
  const { subscription } = agreedTerms
  const { first_price_minor, coupon_terms } = subscription
  if (fact.reason === 'first') {
    return new Set([discountedAmount(first_price_minor, coupon_terms, 1)])
  }
  const n = paymentNumber(subscription, agreedTerms.anchor, new Date(fact.period_start))
  // A provider counts a coupon in its own months, which may end one period earlier or later than the pool counts.
  const payments = [n - 1, n, n + 1].filter((each) => each >= 2)
  const amounts = agreedPrices(agreedTerms, fact.plan_id).flatMap(({ price_minor, keepsCoupon }) =>
    payments.map((each) => discountedAmount(price_minor, keepsCoupon ? coupon_terms : null, each)),
  )
  return new Set(amounts)
}

function discountedAmount(price_minor: number, coupon: Subscription['coupon_terms'], payment: number): number {
  const plan = { plan_id: 0, title: '', currency: '', interval: 'month' as const, price_minor, trial_price_minor: 0 }
  return amountOf(termsOf(plan, { isNew: false, coupon: coupon ?? undefined }), payment).amount_minor
}

/**
 * While a change waits for confirmation by its provider, both prices are valid: that of the current plan and that of
 * the next one.
 */
function agreedPrices({ subscription, agreed_prices }: AgreedTerms, planId: number | undefined) {
  const { plan_id, price_minor, next_plan_id, next_price_minor, next_keeps_coupon } = subscription
  const prices = [{ plan_id, price_minor, keepsCoupon: true }]
  if (next_plan_id && next_price_minor !== null) {
    prices.push({ plan_id: next_plan_id, price_minor: next_price_minor, keepsCoupon: next_keeps_coupon })
  }
  for (const [plan, price_minor] of Object.entries(agreed_prices)) {
    prices.push({ plan_id: Number(plan), price_minor, keepsCoupon: true })
  }
  return prices.filter((each) => planId === undefined || each.plan_id === planId)
}

/** The number of the payment for the period that starts then; 2 is the first renewal. */
function paymentNumber({ interval, created_at }: Subscription, anchor: Date | undefined, start: Date): number {
  let n = 2
  while (periodEnd(anchor ?? created_at, interval, n).getTime() - DAY_MS <= start.getTime()) n += 1
  return n
}
