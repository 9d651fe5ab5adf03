import { billing } from '@dubplate/contract'
import { useState } from 'react'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import { ask, isWorthRetrying, RefusalError } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { queryClient, useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { askStandingAnew } from './agreement.ts'
import { each, quoteWords } from './agreementWords.ts'
import { goOn } from './checkout.ts'
import css from './Dialogs.module.css'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Props = { agreement: billing.Agreement; onClose: () => void }

/** Another plan: what each would cost from when, and the change to it. */
export const PlanChange = ({ agreement, onClose }: Props) => (
  <Dialog title={texts.changePlan} onClose={onClose}>
    <Plans agreement={agreement} onClose={onClose} />
  </Dialog>
)

function Plans({ agreement, onClose }: Props) {
  const { data, error, refetch } = useAsk(billing.getPlans, {})
  const [chosen, setChosen] = useState('')
  if (!data)
    return error ? (
      <TroubleLine alert error={error} what="plans" retry={() => void refetch()} />
    ) : (
      <div className={css.bone} aria-busy />
    )
  // A change that waits for the next period is taken back by choosing the plan of this one.
  const { plan_id, next_plan_id, subscription_title } = agreement
  const settled = next_plan_id ?? plan_id
  const others = data.plans.filter(({ id }) => id !== settled)
  const title = data.plans.find(({ id }) => id === settled)?.title ?? subscription_title
  const keep = settled === plan_id ? texts.keepPlan : texts.keepScheduledChange
  const plan = others.find(({ id }) => String(id) === chosen)
  if (others.length === 0) return <p className={css.hint}>{texts.noOtherPlansAreAvailable}</p>
  return (
    <div className={css.steps}>
      <ChoiceCards
        title={format(texts.switchFromTo, { title })}
        choices={others.map((each) => ({ value: String(each.id), name: each.title, note: priceOf(each) }))}
        chosen={chosen}
        onChoose={setChosen}
      />
      {plan ? (
        <Change key={plan.id} plan={plan} keep={keep} isStay={plan.id === plan_id} onClose={onClose} />
      ) : (
        <>
          <p className={css.quote}>{texts.selectAPlanToSee}</p>
          <div className={css.actions}>
            <Button onClick={onClose}>{keep}</Button>
          </div>
        </>
      )}
    </div>
  )
}

const priceOf = ({ price, currency, interval }: billing.Plan) => `${money(price, currency)} ${each(interval)}`

type ChangeProps = {
  plan: billing.Plan
  /** What leaving everything as it is is called. */
  keep: string
  isStay: boolean
  onClose: () => void
}

/** The quote of one plan, and the change to it as quoted. */
function Change({ plan, keep, isStay, onClose }: ChangeProps) {
  const input = { plan_id: plan.id }
  const { data: quote, error, refetch } = useAsk(billing.quotePlanChange, input)
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const change = async (due_now: string) => {
    setBusy(true)
    setTrouble('')
    try {
      const reply = await ask(billing.changePlan, { ...input, due_now })
      if (reply.url) return await goOn({ is: 'elsewhere', url: reply.url })
      await askStandingAnew()
      void toast({ message: doneWords(plan, reply.agreement) })
      return onClose()
    } catch (refused) {
      if (refused instanceof RefusalError && refused.code === 'quote_changed')
        await queryClient.invalidateQueries({ queryKey: [billing.quotePlanChange.path] })
      setTrouble(refused instanceof Error ? refused.message : texts.couldntChangeYourPlanTry)
    }
    setBusy(false)
  }
  if (!quote && error)
    return (
      <div className={css.quote}>
        {isWorthRetrying(error) ? (
          <TroubleLine alert error={error} what={texts.thePrice} retry={() => void refetch()} />
        ) : (
          <p role="alert">{error.message}</p>
        )}
      </div>
    )
  return (
    <>
      <p className={css.quote} role="status" aria-busy={!quote || undefined}>
        {quote && quoteWords(quote, plan.interval)}
      </p>
      <p role="alert" className={css.trouble} hidden={!trouble}>
        {trouble}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{keep}</Button>
        <Button
          look="primary"
          busy={isBusy}
          disabled={!quote || isBusy}
          onClick={() => quote && void change(quote.due_now)}
        >
          {isStay ? texts.stayOn : texts.switchTo} {plan.title}
        </Button>
      </div>
    </>
  )
}

const doneWords = (plan: billing.Plan, { plan_id }: billing.Agreement) =>
  plan_id === plan.id
    ? format(texts.youreNowOn, { title: plan.title })
    : format(texts.youllSwitchToWithYour, { title: plan.title })
