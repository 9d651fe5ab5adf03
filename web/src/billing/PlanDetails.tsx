import type { billing } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { rich } from '../format/message.ts'
import css from './Billing.module.css'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Plan = billing.Plan

export const isPremium = ({ is_premium, is_premimum }: Plan) => is_premium === 'yes' || is_premimum === 'yes'

export const PremiumBadge = ({ plan }: { plan: Plan }) =>
  isPremium(plan) ? (
    <span className={css.premium}>
      <IconCrown size={14} stroke={2} aria-hidden />
      {texts.premium}
    </span>
  ) : null

/** '$19.99 / month'. */
export const Price = ({ plan }: { plan: Plan }) => (
  <p className={css.amount}>
    {rich(plan.interval === 'year' ? texts.amountPerYear : texts.amountPerMonth, {
      price: money(plan.price, plan.currency),
      small: (inside) => <small>{inside}</small>,
    })}
  </p>
)
