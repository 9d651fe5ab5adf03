import { billing } from '@dubplate/contract'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import { ApiError, callApi, isWorthRetrying } from '../platform/api.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { refetchSubscription } from './agreement.ts'
import { describeQuote, priceText } from './agreementTexts.ts'
import { continueCheckout } from './checkout.ts'
import css from './Dialogs.module.css'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Props = { agreement: billing.Agreement; onClose: () => void }

/** Compares the other plans (what each would cost, and from when) and changes to one of them. */
export const PlanChange = ({ agreement, onClose }: Props) => (
  <Dialog title={texts.changePlan} onClose={onClose}>
    <Plans agreement={agreement} onClose={onClose} />
  </Dialog>
)

function Plans({ agreement, onClose }: Props) {
  const { data, error, refetch } = useApiQuery(billing.getPlans, {})
  const [chosen, setChosen] = useState('')
  if (!data)
    return error ? (
      <InlineError alert error={error} title={texts.couldntLoadPlansInline} retry={() => void refetch()} />
    ) : (
      <div className={css.bone} aria-busy />
    )
  // A change scheduled for the next period is cancelled by choosing the current plan.
  const { plan_id, next_plan_id, subscription_title } = agreement
  const effectivePlanId = next_plan_id ?? plan_id
  const others = data.plans.filter(({ id }) => id !== effectivePlanId)
  const title = data.plans.find(({ id }) => id === effectivePlanId)?.title ?? subscription_title
  const keep = effectivePlanId === plan_id ? texts.keepPlan : texts.keepScheduledChange
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
        <ConfirmPlanChange
          key={plan.id}
          plan={plan}
          keep={keep}
          isKeepingPlan={plan.id === plan_id}
          onClose={onClose}
        />
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

const priceOf = ({ price, currency, interval }: billing.Plan) => priceText(money(price, currency), interval)

type ChangeProps = {
  plan: billing.Plan
  /** The label of the button that changes nothing. */
  keep: string
  isKeepingPlan: boolean
  onClose: () => void
}

/** The quote of one plan, and the button that changes to it at the quoted price. */
function ConfirmPlanChange({ plan, keep, isKeepingPlan, onClose }: ChangeProps) {
  const input = { plan_id: plan.id }
  const { data: quote, error, refetch } = useApiQuery(billing.quotePlanChange, input)
  const [isBusy, setBusy] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  const change = async (due_now: string) => {
    setBusy(true)
    setErrorMessage('')
    try {
      const reply = await callApi(billing.changePlan, { ...input, due_now })
      if (reply.url) return await continueCheckout({ kind: 'provider', url: reply.url })
      await refetchSubscription()
      void toast({ message: planChangeMessage(plan, reply.agreement) })
      return onClose()
    } catch (caught) {
      if (caught instanceof ApiError && caught.code === 'quote_changed')
        await queryClient.invalidateQueries({ queryKey: [billing.quotePlanChange.path] })
      setErrorMessage(caught instanceof Error ? caught.message : texts.couldntChangeYourPlanTry)
    }
    setBusy(false)
  }
  if (!quote && error)
    return (
      <div className={css.quote}>
        {isWorthRetrying(error) ? (
          <InlineError alert error={error} title={texts.couldntLoadThePriceInline} retry={() => void refetch()} />
        ) : (
          <p role="alert">{error.message}</p>
        )}
      </div>
    )
  return (
    <>
      <p className={css.quote} role="status" aria-busy={!quote || undefined}>
        {quote && describeQuote(quote, plan.interval)}
      </p>
      <p role="alert" className={css.error} hidden={!errorMessage}>
        {errorMessage}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{keep}</Button>
        <Button
          variant="primary"
          busy={isBusy}
          disabled={!quote || isBusy}
          onClick={() => quote && void change(quote.due_now)}
        >
          {format(isKeepingPlan ? texts.stayOnPlan : texts.switchToPlan, { title: plan.title })}
        </Button>
      </div>
    </>
  )
}

const planChangeMessage = (plan: billing.Plan, { plan_id }: billing.Agreement) =>
  plan_id === plan.id
    ? format(texts.youreNowOn, { title: plan.title })
    : format(texts.switchWithNextPayment, { title: plan.title })
