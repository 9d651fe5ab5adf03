import type { billing } from '@dubplate/contract'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import css from './Billing.module.css'
import choose from './ChoosePayment.module.css'
import { CouponBox } from './CouponBox.tsx'
import type { Coupon } from './checkout.ts'
import { money } from './money.ts'
import { isPremium, PremiumBadge } from './PlanDetails.tsx'
import { addPeriod } from './period.ts'
import * as texts from './texts.ts'

type Props = {
  plan: billing.Plan
  /** The amount due today. */
  total: string
  /** The amount due today before a discount. */
  firstPrice: string
  coupon: Coupon
  isPaying: boolean
}

/** The chosen plan: what it costs today and later, with a field for a coupon. */
export const ChosenPlan = ({ plan, total, firstPrice, coupon, isPaying }: Props) => (
  <section className={css.card} aria-label={texts.plan}>
    <div className={choose.head}>
      <h2>{plan.title}</h2>
      <PremiumBadge plan={plan} />
    </div>
    {isPremium(plan) && <p className={css.text}>{texts.premiumPlan}</p>}
    <div className={choose.today} aria-live="polite">
      <p className={css.small}>{texts.dueToday}</p>
      <p className={css.amount}>{money(total, plan.currency)}</p>
    </div>
    <p className={css.text}>{describeBilling(plan, { firstPrice, hasCoupon: coupon.applied !== undefined })}</p>
    <p className={css.text}>{texts.cancelAnytime}</p>
    <CouponBox coupon={coupon} currency={plan.currency} disabled={isPaying} />
  </section>
)

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
function describeBilling(plan: billing.Plan, { firstPrice, hasCoupon }: TodaysCharge): string {
  const day = formatDate(addPeriod(new Date(), plan.interval).toISOString())
  const { trial, renewal } = BILLING_TEXTS[plan.interval][hasCoupon ? 'discounted' : 'full']
  const renews = format(renewal, { price: money(plan.price, plan.currency), day })
  if (firstPrice === plan.price) return renews
  return `${format(trial, { price: money(firstPrice, plan.currency) })} ${renews}`
}
