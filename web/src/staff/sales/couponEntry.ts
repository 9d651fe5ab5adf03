import { type coupons, decimalsOf, type InputOf } from '@dubplate/contract'
import { wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero } from '../../billing/money.ts'
import { isoOf, localOf } from '../moments.ts'
import * as texts from './texts.ts'

/** A coupon, or the terms of a promotion, being edited. */
export type CouponEntry = {
  code: string
  takes: 'percent' | 'amount'
  percent: string
  amount: string
  currency: string
  /** Number of payments it applies to, or '' for all. */
  payments: string
  /** '' for unlimited. */
  max_uses: string
  /** Times as a form field holds them; '' for none. */
  starts_at: string
  ends_at: string
  /** Empty means all plans. */
  plan_ids: number[]
  version: number
}

export const newCoupon = (currency: string): CouponEntry => ({
  ...{ code: '', takes: 'percent', percent: '20', amount: '', currency, payments: '1', max_uses: '' },
  ...{ starts_at: '', ends_at: '', plan_ids: [], version: 0 },
})

const textOf = (n: number | null): string => (n === null ? '' : String(n))

export const couponEntryOf = (coupon: coupons.Coupon, currency: string): CouponEntry => ({
  code: coupon.code,
  takes: coupon.percent === null ? 'amount' : 'percent',
  percent: textOf(coupon.percent),
  amount: coupon.amount ?? '',
  currency: coupon.currency ?? currency,
  payments: textOf(coupon.payments),
  max_uses: textOf(coupon.max_uses),
  starts_at: localOf(coupon.starts_at),
  ends_at: localOf(coupon.ends_at),
  plan_ids: coupon.plan_ids ?? [],
  version: coupon.version,
})

const isNumber = (text: string, most: number): boolean =>
  /^\d{1,7}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= most

export type WrongCoupon = Partial<Record<keyof CouponEntry | 'title' | 'count' | 'prefix', string>>

/** Errors in the terms, by field. */
export function wrongTerms(entry: CouponEntry): WrongCoupon {
  const { takes, percent, amount, currency, payments, max_uses, starts_at, ends_at } = entry
  const isAmount = takes === 'amount'
  const isCurrency = /^[A-Z]{3}$/.test(currency) && decimalsOf(currency) === 2
  return {
    ...(!isAmount && !isNumber(percent, 100) ? { percent: texts.enterWholePercentage } : {}),
    ...(isAmount && !isAboveZero(wholeAmount(amount) || '0') ? { amount: texts.enterAnAmount } : {}),
    ...(isAmount && !isCurrency ? { currency: texts.enterAThreeLetterCurrency } : {}),
    ...(payments.trim() && !isNumber(payments, 120) ? { payments: texts.enterAWholeNumberFrom1To } : {}),
    ...(max_uses.trim() && !isNumber(max_uses, 1_000_000) ? { max_uses: texts.enterAWholeNumberOf } : {}),
    ...(starts_at && ends_at && starts_at >= ends_at ? { ends_at: texts.theEndMustBeAfter } : {}),
  }
}

const CODE = /^[A-Z0-9][A-Z0-9_-]{2,39}$/

export const wrongCoupon = (entry: CouponEntry): WrongCoupon => ({
  ...(CODE.test(entry.code.trim().toUpperCase()) ? {} : { code: texts.use3To40Letters }),
  ...wrongTerms(entry),
})

type Wish = InputOf<typeof coupons.saveCoupon>
type Terms = Omit<Wish, 'coupon_id' | 'version' | 'code'>

const numberOf = (text: string): number | null => (text.trim() ? Number(text) : null)

/** The terms as the API takes them. */
export function termsOf(entry: CouponEntry): Terms {
  const isAmount = entry.takes === 'amount'
  return {
    percent: isAmount ? null : Number(entry.percent),
    amount: isAmount ? wholeAmount(entry.amount) : null,
    currency: isAmount ? entry.currency : null,
    payments: numberOf(entry.payments),
    max_uses: numberOf(entry.max_uses),
    starts_at: isoOf(entry.starts_at),
    ends_at: isoOf(entry.ends_at),
    plan_ids: entry.plan_ids.length > 0 ? entry.plan_ids : null,
  }
}

/** An unchanged time keeps its stored precision. */
export function couponWish(entry: CouponEntry, coupon: coupons.Coupon | undefined): Wish {
  const terms = termsOf(entry)
  if (!coupon) return { code: entry.code, ...terms }
  const { coupon_id, starts_at, ends_at } = coupon
  return {
    ...{ coupon_id, version: entry.version, code: entry.code, ...terms },
    ...(localOf(starts_at) === entry.starts_at ? { starts_at } : {}),
    ...(localOf(ends_at) === entry.ends_at ? { ends_at } : {}),
  }
}
