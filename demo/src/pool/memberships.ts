import { between, pick, type Random, seededRandom } from '../random.ts'

/** The subscription of a background member, from the first payment on. It renews monthly. */
export type DemoSubscription = {
  plan: 'Standard' | 'Premium'
  method: 'credit_card' | 'mobile_wallet' | 'paypal'
  card: { brand: string; last_four: string }
  /** The code of a coupon, or ''. */
  coupon: string
  started_at: Date
  /** When the member cancelled it: it ends with the period that is paid then. */
  cancelled_at?: Date
  /** Staff ended it at once, and refunded the last payment or not. */
  ended?: { at: Date; reason: string; isRefunded: boolean }
  /** Which payment the card declines: the first one, or the newest renewal. */
  declined?: 'first' | 'renewal'
  refunds: readonly DemoRefund[]
}

export type DemoRefund = {
  /** Counted from 1. */
  payment: number
  /** In the smallest unit. */
  amount_minor: number
  at: Date
  reason: string
}

/** How a person became a member, and what they have paid for. */
export type DemoMembership = {
  applied_at: Date
  approved_at: Date
  /** The index of the member who recommended them. */
  referrer: number | undefined
  suspended?: { at: Date; reason: string }
  /** Undefined if they have never subscribed. */
  subscription?: DemoSubscription
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How long ago the pool opened. */
export const OPENED_DAYS_AGO = 280
const FIRST_APPROVAL_DAYS_AGO = 272
const LAST_APPROVAL_DAYS_AGO = 2

/** The sandbox's test cards that pay. */
const CARDS = [
  { brand: 'Visa', last_four: '4242' },
  { brand: 'Mastercard', last_four: '4444' },
  { brand: 'American Express', last_four: '0005' },
] as const
const NO_CARD = { brand: '', last_four: '' }

/** Members who cancelled, by index, with the number of months they stayed. */
const LEAVERS = new Map([
  [6, 3],
  [9, 2],
  [13, 4],
  [17, 1],
  [22, 3],
  [28, 1],
  [33, 2],
  [38, 1],
])
/** Members whose subscription is cancelled but still runs, by index, with the days since. */
const LEAVING = new Map([
  [41, 4],
  [47, 1],
])
const NEVER_SUBSCRIBED = [56, 59]
const SUSPENDED = { index: 25, days_ago: 40, reason: 'Shared their downloads on a public file host, twice.' }
const ENDED_BY_STAFF = {
  index: 30,
  days_ago: 42,
  reason: 'Moved abroad and stopped DJing; wrote the day after the renewal.',
}
const DECLINED_AT_FIRST = 52
const PAST_DUE = 44
const PAST_DUE_HOURS = 20

/** The n-th of the members has been a member for this long. */
const approvalDaysAgo = (index: number, members: number): number =>
  FIRST_APPROVAL_DAYS_AGO - (index * (FIRST_APPROVAL_DAYS_AGO - LAST_APPROVAL_DAYS_AGO)) / Math.max(1, members - 1)

/** Builds the memberships of the background members, the longest first. The same time always gives the same ones. */
export function buildMemberships(members: number, now: Date): DemoMembership[] {
  const random = seededRandom(9)
  return Array.from({ length: members }, (_, index) => buildMembership(index, members, now, random))
}

function buildMembership(index: number, members: number, now: Date, random: Random): DemoMembership {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const daysAgo = approvalDaysAgo(index, members) + random() - 0.5
  const started_at = index === PAST_DUE ? dueAnchor(ago(PAST_DUE_HOURS * HOUR)) : undefined
  const approved_at = started_at ? new Date(started_at.getTime() - DAY) : ago(daysAgo * DAY)
  const membership = {
    applied_at: new Date(approved_at.getTime() - between(random, 3, 44) * HOUR),
    approved_at,
    referrer: index > 3 && random() < 0.6 ? Math.floor(random() * (index - 1)) : undefined,
    ...(index === SUSPENDED.index
      ? { suspended: { at: ago(SUSPENDED.days_ago * DAY), reason: SUSPENDED.reason } }
      : {}),
  }
  const firstPayment = started_at ?? new Date(approved_at.getTime() + (0.2 + 40 * random()) * HOUR)
  const subscription = buildSubscription(index, firstPayment, now, random)
  return NEVER_SUBSCRIBED.includes(index) ? membership : { ...membership, subscription }
}

function buildSubscription(index: number, started_at: Date, now: Date, random: Random): DemoSubscription {
  const ago = (days: number) => new Date(now.getTime() - days * DAY)
  const after = (days: number) => new Date(started_at.getTime() + days * DAY)
  const [planDraw, methodDraw, card, couponDraw] = [random(), random(), pick(random, CARDS), random()]
  const leaveDays = between(random, 4, 15)
  const months = LEAVERS.get(index)
  const leavingDays = LEAVING.get(index)
  const method = methodDraw < 0.7 ? 'credit_card' : methodDraw < 0.88 ? 'paypal' : 'mobile_wallet'
  const subscription: DemoSubscription = {
    plan: planDraw < 0.68 ? 'Standard' : 'Premium',
    method,
    card: method === 'credit_card' ? card : NO_CARD,
    coupon: couponDraw < 0.12 ? 'WELCOME20' : couponDraw < 0.2 ? 'THREE5' : '',
    started_at,
    ...(months ? { cancelled_at: after(months * 30 - leaveDays) } : {}),
    ...(leavingDays ? { cancelled_at: ago(leavingDays) } : {}),
    refunds: [],
  }
  return { ...subscription, ...exceptionOf(index, started_at, now) }
}

/** What happened to the subscriptions of single members. */
function exceptionOf(index: number, started_at: Date, now: Date): Partial<DemoSubscription> {
  // The fourth payment is due 89 to 92 days after the first.
  const afterFourth = new Date(started_at.getTime() + 93 * DAY)
  const ago = (days: number) => new Date(now.getTime() - days * DAY)
  const ofVisa = (last_four: string) => ({ method: 'credit_card', card: { brand: 'Visa', last_four } }) as const
  switch (index) {
    case 12:
      return { coupon: '', refunds: [{ payment: 4, amount_minor: 500, at: afterFourth, reason: 'Slow downloads' }] }
    case 35:
      return { coupon: '', refunds: [{ payment: 4, amount_minor: 700, at: ago(5), reason: 'Ill for half a month' }] }
    case SUSPENDED.index:
      return { ended: { at: ago(SUSPENDED.days_ago), reason: SUSPENDED.reason, isRefunded: false } }
    case ENDED_BY_STAFF.index:
      return {
        coupon: '',
        ended: { at: afterFourth, reason: ENDED_BY_STAFF.reason, isRefunded: true },
      }
    case DECLINED_AT_FIRST:
      return { ...ofVisa('0002'), coupon: '', declined: 'first' }
    case PAST_DUE:
      return { ...ofVisa('0341'), coupon: '', declined: 'renewal' }
    default:
      return {}
  }
}

/**
 * Returns a time whole months before `due`, such that a monthly period that is counted from it ends exactly at `due`: a
 * month that is too short for the day is passed over.
 */
function dueAnchor(due: Date): Date {
  for (const months of [2, 1, 3]) {
    const anchor = new Date(due)
    anchor.setUTCMonth(anchor.getUTCMonth() - months)
    if (anchor.getUTCDate() === due.getUTCDate()) return anchor
  }
  return due
}
