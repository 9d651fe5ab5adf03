import { type coupons, decimalsOf } from '@dubplate/contract'
import { wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero } from '../../billing/money.ts'
import { isoOf, localOf } from '../../format/moments.ts'
import * as texts from './texts.ts'

/** The terms of a coupon, or of the codes of a promotion, in a form. */
export type CouponTerms = {
  discount: 'percent' | 'amount'
  percent: string
  amount: string
  currency: string
  /** The number of payments it applies to; '' for all. */
  payments: string
  /** '' for unlimited. */
  max_uses: string
  /** Times as a form field holds them; '' for none. */
  starts_at: string
  ends_at: string
  /** Empty for all plans. */
  plan_ids: string[]
}

export const newTerms = (currency: string): CouponTerms => ({
  ...{ discount: 'percent', percent: '20', amount: '', currency, payments: '1', max_uses: '' },
  ...{ starts_at: '', ends_at: '', plan_ids: [] },
})

const textOf = (n: number | null): string => (n === null ? '' : String(n))

export const termsOf = (coupon: coupons.Coupon, currency: string): CouponTerms => ({
  discount: coupon.percent === null ? 'amount' : 'percent',
  percent: textOf(coupon.percent),
  amount: coupon.amount ?? '',
  currency: coupon.currency ?? currency,
  payments: textOf(coupon.payments),
  max_uses: textOf(coupon.max_uses),
  starts_at: localOf(coupon.starts_at),
  ends_at: localOf(coupon.ends_at),
  plan_ids: (coupon.plan_ids ?? []).map(String),
})

/** The terms as the API takes them. An unchanged time of `coupon` keeps its seconds. */
export function termsInput(terms: CouponTerms, coupon?: coupons.Coupon) {
  const isAmount = terms.discount === 'amount'
  const timeOf = (name: 'starts_at' | 'ends_at') =>
    coupon && localOf(coupon[name]) === terms[name] ? coupon[name] : isoOf(terms[name])
  return {
    percent: isAmount ? null : terms.percent,
    amount: isAmount ? wholeAmount(terms.amount) : null,
    currency: isAmount ? terms.currency : null,
    payments: terms.payments.trim() || null,
    max_uses: terms.max_uses.trim() || null,
    starts_at: timeOf('starts_at'),
    ends_at: timeOf('ends_at'),
    plan_ids: terms.plan_ids.length > 0 ? terms.plan_ids : null,
  }
}

/** Errors that the schema cannot find, by field. */
export function validateTerms({ discount, amount, currency, starts_at, ends_at }: CouponTerms) {
  const isAmount = discount === 'amount'
  return {
    ...(isAmount && !isAboveZero(wholeAmount(amount) || '0') ? { amount: texts.enterAnAmountAboveZero } : {}),
    ...(isAmount && decimalsOf(currency) !== 2 ? { currency: texts.enterAThreeLetterCurrency } : {}),
    ...(starts_at && ends_at && starts_at >= ends_at ? { ends_at: texts.theEndMustBeAfter } : {}),
  }
}
