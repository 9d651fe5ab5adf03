import type { billing } from '@dubplate/contract'
import type { ReactNode } from 'react'
import { format } from '../format/message.ts'
import { Html } from '../platform/Html.tsx'
import css from './Billing.module.css'
import { money } from './money.ts'
import { PremiumBadge, Price } from './PlanDetails.tsx'
import plansCss from './Plans.module.css'
import * as texts from './texts.ts'

type Props = {
  plan: billing.Plan
  hasTrial: boolean
  isOwn?: boolean
  /** The button of the plan. */
  children: ReactNode
}

/** A plan on sale as members see it: name, price and description. */
export const PlanSummary = ({ plan, hasTrial, isOwn = false, children }: Props) => (
  <>
    <div className={plansCss.head}>
      <h2>{plan.title}</h2>
      <PremiumBadge plan={plan} />
      {isOwn && <span className={css.yours}>{texts.currentPlan}</span>}
    </div>
    <div className={plansCss.price}>
      <Price plan={plan} />
      {hasTrial && (
        <p className={plansCss.trial}>
          {format(plan.interval === 'year' ? texts.firstYear : texts.firstMonth, {
            price: money(plan.trial_price, plan.currency),
          })}
        </p>
      )}
    </div>
    <div className={plansCss.words}>
      {plan.description && <p className={css.text}>{plan.description}</p>}
      {plan.features && <Html html={plan.features} className={plansCss.features} />}
    </div>
    <div className={plansCss.foot}>
      <p className={css.small}>
        {plan.interval === 'year' ? texts.renewsYearlyCancelAnytime : texts.renewsMonthlyCancelAnytime}
      </p>
      {children}
    </div>
  </>
)
