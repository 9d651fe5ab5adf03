import type { coupons } from '@dubplate/contract'
import { useState } from 'react'
import { formatList } from '../../platform/formatList.ts'
import { format, rich } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import css from './Commerce.module.css'
import type { Plan } from './CouponFields.tsx'
import { COUPON_STATE_WORDS, limitWords, sumWords } from './commerceWords.ts'
import { endCoupon } from './coupons.ts'
import rows from './Rows.module.css'
import * as texts from './texts.ts'

type Props = { coupon: coupons.Coupon; plans: readonly Plan[]; onEdit: () => void }

export function CouponRow({ coupon, plans, onEdit }: Props) {
  const { code, description, plan_ids, state, discounts, promotion } = coupon
  const [isAsking, setAsking] = useState(false)
  const { text, tone } = COUPON_STATE_WORDS[state]
  const forPlans = plan_ids
    ? formatList(plans.flatMap(({ plan_id, title }) => (plan_ids.includes(plan_id) ? [title] : [])))
    : texts.allPlans
  return (
    <li className={rows.row} data-deeds aria-label={code}>
      <div>
        <h2 className={rows.mono}>{code}</h2>
        <p>
          {description} · {forPlans}
          {promotion && ` · ${promotion.title}`}
        </p>
      </div>
      <div>
        <span className={css.tone} data-tone={tone}>
          {text}
        </span>
        <p className="num">{limitWords(coupon)}</p>
      </div>
      <span className={rows.end}>
        {rich(texts.inDiscounts, {
          sum: sumWords(discounts, '–'),
          b: (inside) => (
            <>
              <b className="num">{inside}</b>
              <br />
            </>
          ),
        })}
      </span>
      <div className={css.deeds}>
        <Button aria-label={format(texts.editCodeLabel, { code })} onClick={onEdit}>
          {texts.edit}
        </Button>
        {state !== 'ended' && (
          <Button aria-label={format(texts.deactivateCodeLabel, { code })} onClick={() => setAsking(true)}>
            {texts.deactivate}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={format(texts.deactivateCodeQuestion, { code })}
          what={texts.newCustomersCantUseIt}
          confirmLabel={texts.deactivate}
          isDanger
          onConfirm={() => endCoupon(coupon)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
