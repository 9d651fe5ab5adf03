import type { billing } from '@dubplate/contract'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Plan = billing.Plan

export const isPremium = ({ is_premium, is_premimum }: Plan) => is_premium === 'yes' || is_premimum === 'yes'

/** What a payment is for: the plan, or its first period at another price. */
export const describeOrder = ({ title, price, interval }: Plan, firstPrice: string) =>
  firstPrice === price ? title : format(interval === 'year' ? texts.planFirstYear : texts.planFirstMonth, { title })

const BILLING_TEXTS = {
  month: {
    full: { trial: texts.firstMonthSentence, renewal: texts.renewsMonthlyFrom },
    discounted: { trial: texts.firstMonthBeforeDiscount, renewal: texts.renewsMonthlyFromMinusDiscount },
  },
  year: {
    full: { trial: texts.firstYearSentence, renewal: texts.renewsYearlyFrom },
    discounted: { trial: texts.firstYearBeforeDiscount, renewal: texts.renewsYearlyFromMinusDiscount },
  },
} as const

type TodaysCharge = { firstPrice: string; hasCoupon: boolean }

/** What is paid later, and from when. */
export function describeBilling(plan: Plan, { firstPrice, hasCoupon }: TodaysCharge): string {
  const day = formatDate(addPeriod(new Date(), plan.interval).toISOString())
  const { trial, renewal } = BILLING_TEXTS[plan.interval][hasCoupon ? 'discounted' : 'full']
  const renews = format(renewal, { price: money(plan.price, plan.currency), day })
  if (firstPrice === plan.price) return renews
  return `${format(trial, { price: money(firstPrice, plan.currency) })} ${renews}`
}

/** The start plus one period; the 31st becomes the last day of a shorter month. */
export function addPeriod(start: Date, interval: Plan['interval']): Date {
  const months = start.getMonth() + (interval === 'year' ? 12 : 1)
  const lastDay = new Date(start.getFullYear(), months + 1, 0).getDate()
  return new Date(start.getFullYear(), months, Math.min(start.getDate(), lastDay))
}
