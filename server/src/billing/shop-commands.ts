import { isAccepted } from '../gateways/currencies.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { ApiError } from '../platform/api-error.ts'
import type { CouponParams, PlanParams } from './shop.ts'

/** The input for a plan or a coupon is invalid; the message says why. */
export class ShopError extends Error {}

type CommandFlags = Record<string, string | boolean | undefined>

function amount(name: string, text: string): number {
  try {
    return toMinor(text)
  } catch (error) {
    throw error instanceof ApiError ? new ShopError(`--${name}: ${error.message}`) : error
  }
}

function currency(text: string): string {
  if (isAccepted(text.toUpperCase())) return text.toUpperCase()
  throw new ShopError(`--currency must be a currency with two decimals such as EUR, not "${text}".`)
}

/** `set-plan TITLE --price 14.99` and its options. Throws ShopError. */
export function readPlan(title: string, flags: CommandFlags): PlanParams {
  if (typeof flags.price !== 'string') throw new ShopError('Missing price, for example: --price 14.99')
  const price_minor = amount('price', flags.price)
  const trial_price_minor = typeof flags.trial === 'string' ? amount('trial', flags.trial) : 0
  if (price_minor === 0)
    throw new ShopError('The price must be greater than zero. Use a coupon to offer a plan for free.')
  if (trial_price_minor >= price_minor) throw new ShopError('The trial price must be lower than the plan price.')
  return {
    title,
    price_minor,
    trial_price_minor,
    currency: currency(String(flags.currency ?? 'USD')),
    interval: flags.yearly ? 'year' : 'month',
    is_premium: flags.premium === true,
    description: String(flags.description ?? ''),
    is_published: flags.off !== true,
  }
}

/** `set-coupon CODE --percent 20` and its options. Throws ShopError. */
export function readCoupon(code: string, flags: CommandFlags): CouponParams {
  const [percent, off] = [flags.percent, flags.amount]
  if ((percent === undefined) === (off === undefined)) {
    throw new ShopError('Missing discount: use --percent 20 or --amount 5.00.')
  }
  return {
    code: code.toUpperCase(),
    percent: percent === undefined ? null : parseInteger('percent', percent, 100),
    amount_minor: off === undefined ? null : amount('amount', String(off)),
    currency: off === undefined ? null : currency(String(flags.currency ?? 'USD')),
    payments: flags.payments === 'all' ? null : parseInteger('payments', flags.payments ?? '1', 120),
    max_uses: flags.uses === undefined ? null : parseInteger('uses', flags.uses, 1_000_000),
    ends_at: flags.ends === undefined ? null : parseEndDate(String(flags.ends)),
  }
}

function parseInteger(name: string, text: string | boolean, max: number): number {
  const number = Number(text)
  if (/^\d+$/.test(String(text)) && number >= 1 && number <= max) return number
  throw new ShopError(`--${name} must be a number from 1 to ${max}, not "${text}".`)
}

/** The end of a day in UTC. */
function parseEndDate(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  if (!day || Number.isNaN(day.getTime()))
    throw new ShopError(`--ends must be a date such as 2027-01-31, not "${text}".`)
  return new Date(day.getTime() + 86_400_000)
}

/** `Standard: 14.99 USD each month, the first one 1.00` */
export const describePlan = ({ title, price_minor, trial_price_minor, currency: unit, interval }: PlanParams): string =>
  `${title}: ${toDecimal(price_minor)} ${unit} per ${interval}${trial_price_minor ? `, first payment ${toDecimal(trial_price_minor)}` : ''}`
