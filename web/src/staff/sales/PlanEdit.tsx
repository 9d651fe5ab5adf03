import { plans } from '@dubplate/contract'
import { useId } from 'react'
import billingCss from '../../billing/Billing.module.css'
import { isAboveZero } from '../../billing/money.ts'
import { PlanSummary } from '../../billing/PlanSummary.tsx'
import { format } from '../../platform/message.ts'
import { RichText } from '../../ui/RichText.tsx'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { ChoiceField, CurrencyField, TextField, Tick } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { Theirs } from '../forms/Theirs.tsx'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import { AmountField } from './AmountField.tsx'
import { agreedWords, priceWords } from './commerceWords.ts'
import css from './PlanEdit.module.css'
import { isRepriced, newPlan, type PlanEntry, planEntryOf, planOnSale, planWish, wrongPlan } from './planEntry.ts'
import { planNow, savePlan } from './plans.ts'
import * as texts from './texts.ts'

type Props = {
  /** Undefined for a new one. */
  plan?: plans.StaffPlan
  /** Default currency of a new plan. */
  currency: string
  onClose: () => void
}

/** Edits a plan, with a preview of what members will see. */
export function PlanEdit({ plan, currency, onClose }: Props) {
  const entry = useEntry<PlanEntry, plans.StaffPlan>({
    draftName: `plan.${plan?.plan_id ?? 'new'}`,
    first: plan ? planEntryOf(plan) : newPlan(currency),
    wrongOf: wrongPlan,
    send: (typed) => savePlan(planWish(typed, plan?.plan_id)),
    meanwhile: plan && { read: () => planNow(plan.plan_id), entryOf: planEntryOf },
    onClose,
  })
  const { typed, wrong, write, theirs } = entry
  return (
    <EntryForm entry={entry} title={plan ? format(texts.editTitleLabel, { title: plan.title }) : texts.newPlan} isWide>
      <div className={css.sides}>
        <div>
          <PlanFields typed={typed} wrong={wrong} onChange={write} />
          {plan && plan.subscribers > 0 && <Concerned plan={plan} typed={typed} />}
        </div>
        <Preview typed={typed} planId={plan?.plan_id ?? 0} />
      </div>
      <EntryEnd entry={entry}>
        {theirs && (
          <Theirs entry={entry}>
            <p>
              {format(texts.someoneElseChangedThisWhileYou, {
                title: theirs.title,
                priceWords: priceWords(theirs),
                status: theirs.is_published ? texts.publishedInSentence : texts.unpublishedInSentence,
              })}
            </p>
          </Theirs>
        )}
      </EntryEnd>
    </EntryForm>
  )
}

type FieldsProps = { typed: PlanEntry; wrong: Wrong; onChange: (change: Partial<PlanEntry>) => void }

const PlanFields = ({ typed, wrong, onChange }: FieldsProps) => (
  <>
    <TextField
      label={texts.name}
      path="title"
      wrong={wrong.title}
      takesFocus
      maxLength={80}
      value={typed.title}
      onChange={(title) => onChange({ title })}
    />
    <TextField
      label={texts.description}
      path="description"
      wrong={wrong.description}
      note={texts.oneOrTwoSentences}
      maxLength={500}
      value={typed.description}
      onChange={(description) => onChange({ description })}
    />
    <RichText
      label={texts.features}
      value={typed.features}
      error={wrong.features}
      onChange={(features) => onChange({ features })}
    />
    <Prices typed={typed} wrong={wrong} onChange={onChange} />
    <Tick isTicked={typed.is_premium} onTick={(is_premium) => onChange({ is_premium })}>
      {texts.premium}
    </Tick>
    <Tick isTicked={typed.is_published} onTick={(is_published) => onChange({ is_published })}>
      {texts.published}
    </Tick>
  </>
)

const INTERVAL_NAMES = { month: texts.perMonth, year: texts.perYear }
const INTERVALS = plans.INTERVALS.map((interval) => [interval, INTERVAL_NAMES[interval]] as const)

const Prices = ({ typed, wrong, onChange }: FieldsProps) => (
  <div className={forms.narrow}>
    <AmountField
      label={texts.price}
      path="price"
      value={typed.price}
      wrong={wrong.price}
      onChange={(price) => onChange({ price })}
    />
    <CurrencyField wrong={wrong.currency} value={typed.currency} onChange={(currency) => onChange({ currency })} />
    <ChoiceField
      label={texts.billingPeriod}
      path="interval"
      wrong={wrong.interval}
      value={typed.interval}
      choices={INTERVALS}
      onChoose={(interval) => onChange({ interval })}
    />
    <AmountField
      label={typed.interval === 'year' ? texts.firstYearPrice : texts.firstMonthPrice}
      path="trial_price"
      value={typed.trial_price}
      wrong={wrong.trial_price}
      note={texts.forFirstTimeCustomersLeave}
      onChange={(trial_price) => onChange({ trial_price })}
    />
  </div>
)

/** Which subscribers a change affects. */
const Concerned = ({ plan, typed }: { plan: plans.StaffPlan; typed: PlanEntry }) => (
  <p className={forms.hint} data-warn={isRepriced(typed, plan) || undefined} role="status">
    {agreedWords(plan)} {isRepriced(typed, plan) ? texts.theNewPriceAppliesTo : texts.priceChangesOnlyAffectNew}
  </p>
)

/** The plan as members see it. */
function Preview({ typed, planId }: { typed: PlanEntry; planId: number }) {
  const id = useId()
  const plan = planOnSale(typed, planId)
  return (
    <section className={css.preview} aria-labelledby={id}>
      <h3 id={id}>{texts.preview}</h3>
      <div className={billingCss.card} data-quiet={!typed.is_published || undefined}>
        <PlanSummary plan={plan} hasTrial={isAboveZero(plan.trial_price)}>
          <p className={forms.hint}>
            {typed.is_published ? texts.publishedMembersCanBuyThis : texts.unpublishedMembersCantSeeThis}
          </p>
        </PlanSummary>
      </div>
    </section>
  )
}
