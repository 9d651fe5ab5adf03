import { isTaken } from '../gateways/currencies.ts'
import { asDecimal, asMinor } from '../gateways/money.ts'
import { Refusal } from '../platform/refusal.ts'
import type { CouponWish, PlanWish } from './shop.ts'

/** What was typed for a plan or a coupon cannot be; the message says why. */
export class ShopError extends Error {}

type Typed = Record<string, string | boolean | undefined>

function amount(name: string, text: string): number {
  try {
    return asMinor(text)
  } catch (error) {
    throw error instanceof Refusal ? new ShopError(`--${name}: ${error.message}`) : error
  }
}

function currency(text: string): string {
  if (isTaken(text.toUpperCase())) return text.toUpperCase()
  throw new ShopError(`--currency must be a currency with two decimals such as EUR, not "${text}".`)
}

/** `set-plan TITLE --price 14.99` and its options. Throws ShopError. */
export function readPlan(title: string, typed: Typed): PlanWish {
  if (typeof typed.price !== 'string') throw new ShopError('Missing price, for example: --price 14.99')
  const price_minor = amount('price', typed.price)
  const trial_price_minor = typeof typed.trial === 'string' ? amount('trial', typed.trial) : 0
  if (price_minor === 0)
    throw new ShopError('The price must be greater than zero. Use a coupon to offer a plan for free.')
  if (trial_price_minor >= price_minor) throw new ShopError('The trial price must be lower than the plan price.')
  return {
    title,
    price_minor,
    trial_price_minor,
    currency: currency(String(typed.currency ?? 'USD')),
    interval: typed.yearly ? 'year' : 'month',
    is_premium: typed.premium === true,
    description: String(typed.description ?? ''),
    on_sale: typed.off !== true,
  }
}

/** `set-coupon CODE --percent 20` and its options. Throws ShopError. */
export function readCoupon(code: string, typed: Typed): CouponWish {
  const [percent, off] = [typed.percent, typed.amount]
  if ((percent === undefined) === (off === undefined)) {
    throw new ShopError('Missing discount: use --percent 20 or --amount 5.00.')
  }
  return {
    code: code.toUpperCase(),
    percent: percent === undefined ? null : whole('percent', percent, 100),
    amount_minor: off === undefined ? null : amount('amount', String(off)),
    currency: off === undefined ? null : currency(String(typed.currency ?? 'USD')),
    payments: typed.payments === 'all' ? null : whole('payments', typed.payments ?? '1', 120),
    most_uses: typed.uses === undefined ? null : whole('uses', typed.uses, 1_000_000),
    ends_at: typed.ends === undefined ? null : dayAfter(String(typed.ends)),
  }
}

function whole(name: string, text: string | boolean, most: number): number {
  const number = Number(text)
  if (/^\d+$/.test(String(text)) && number >= 1 && number <= most) return number
  throw new ShopError(`--${name} must be a number from 1 to ${most}, not "${text}".`)
}

/** The end of a day in UTC. */
function dayAfter(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (!day || Number.isNaN(day.getTime()))
    throw new ShopError(`--ends must be a date such as 2027-01-31, not "${text}".`)
  return new Date(day.getTime() + 86_400_000)
}

/** `Standard: 14.99 USD each month, the first one 1.00` */
export const planInWords = ({ title, price_minor, trial_price_minor, currency: unit, interval }: PlanWish): string =>
  `${title}: ${asDecimal(price_minor)} ${unit} per ${interval}${trial_price_minor ? `, first payment ${asDecimal(trial_price_minor)}` : ''}`
