import { useId } from 'react'
import { format } from '../../platform/message.ts'
import { Chips } from '../../ui/Chips.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import { CurrencyField, MomentField, TextField, Tick } from '../forms/EntryFields.tsx'
import forms from '../forms/Forms.module.css'
import type { Wrong } from '../forms/useEntry.ts'
import { zoneInWords } from '../moments.ts'
import { AmountField } from './AmountField.tsx'
import css from './CouponForms.module.css'
import type { CouponEntry } from './couponEntry.ts'
import * as texts from './texts.ts'

export type Plan = { plan_id: number; title: string; currency: string }

type Props = {
  typed: CouponEntry
  wrong: Wrong
  plans: readonly Plan[]
  /** The discount cannot be changed, because the coupon has been used. */
  isFixed?: boolean
  onChange: (change: Partial<CouponEntry>) => void
}

/** The discount of a coupon, the number of payments it applies to, its limit, dates and plans. */
export const CouponFields = ({ typed, wrong, plans, isFixed = false, onChange }: Props) => (
  <>
    {!isFixed && <Discount typed={typed} wrong={wrong} onChange={onChange} />}
    <div className={forms.narrow}>
      <TextField
        label={texts.maximumUses}
        path="max_uses"
        wrong={wrong.max_uses}
        note={texts.leaveEmptyForUnlimitedOne}
        inputMode="numeric"
        value={typed.max_uses}
        onChange={(max_uses) => onChange({ max_uses })}
      />
    </div>
    <div className={css.moments}>
      <MomentField
        label={texts.starts}
        path="starts_at"
        value={typed.starts_at}
        wrong={wrong.starts_at}
        onChange={(starts_at) => onChange({ starts_at })}
      />
      <MomentField
        label={texts.ends}
        path="ends_at"
        value={typed.ends_at}
        wrong={wrong.ends_at}
        onChange={(ends_at) => onChange({ ends_at })}
      />
    </div>
    <p className={forms.hint}>{format(texts.timesAreInYourTime, { zoneInWords: zoneInWords() })}</p>
    <ForPlans typed={typed} wrong={wrong} plans={plans} onChange={onChange} />
  </>
)

type PartProps = Pick<Props, 'typed' | 'wrong' | 'onChange'>

function Discount({ typed, wrong, onChange }: PartProps) {
  return (
    <>
      <Chips
        label={texts.discountType}
        choices={[
          { value: 'percent', label: texts.percentage },
          { value: 'amount', label: texts.fixedAmount },
        ]}
        chosen={typed.takes}
        onChoose={(takes) => onChange({ takes })}
      />
      <div className={forms.narrow}>
        {typed.takes === 'percent' ? (
          <TextField
            label={texts.percentOff}
            path="percent"
            wrong={wrong.percent}
            inputMode="numeric"
            maxLength={3}
            value={typed.percent}
            onChange={(percent) => onChange({ percent: percent.replace(/\D/g, '') })}
          />
        ) : (
          <>
            <AmountField
              label={texts.amountOff}
              path="amount"
              value={typed.amount}
              wrong={wrong.amount}
              onChange={(amount) => onChange({ amount })}
            />
            <CurrencyField
              wrong={wrong.currency}
              value={typed.currency}
              onChange={(currency) => onChange({ currency })}
            />
          </>
        )}
        <TextField
          label={texts.numberOfPayments}
          path="payments"
          wrong={wrong.payments}
          note={texts.howManyPaymentsAreDiscounted}
          inputMode="numeric"
          maxLength={3}
          value={typed.payments}
          onChange={(payments) => onChange({ payments })}
        />
      </div>
    </>
  )
}

function ForPlans({ typed: { plan_ids }, wrong, plans, onChange }: Omit<Props, 'isFixed'>) {
  const id = useId()
  const toggle = (id: number, isChosen: boolean) =>
    onChange({ plan_ids: isChosen ? [...plan_ids, id] : plan_ids.filter((each) => each !== id) })
  return (
    <fieldset className={css.plans} aria-describedby={wrong.plan_ids ? id : undefined}>
      <legend>{texts.appliesToPlansNoneSelected}</legend>
      {plans.map(({ plan_id, title }) => (
        <Tick key={plan_id} isTicked={plan_ids.includes(plan_id)} onTick={(isTicked) => toggle(plan_id, isTicked)}>
          {title}
        </Tick>
      ))}
      {wrong.plan_ids && (
        <p id={id} className={fieldStyles.wrong}>
          {wrong.plan_ids}
        </p>
      )}
    </fieldset>
  )
}
