import { billing } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { formatDate } from '../format/dates.ts'
import { format, rich } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { useApiQuery } from '../platform/queries.ts'
import look from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { refetchSubscription } from './agreement.ts'
import { describeNextPayment } from './agreementTexts.ts'
import css from './ManageSubscription.module.css'
import type { SubscriptionPanel } from './ManageSubscription.tsx'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Agreement = billing.Agreement
type OpenPanel = (which: SubscriptionPanel) => Promise<void>

const STATUS_WORDS: Record<billing.ProfileStatus, string> = {
  CREATED: texts.processing,
  Active: texts.active,
  'Past due': texts.pastDue,
  Cancelled: texts.cancelled,
  Ended: texts.ended,
}

/** The plan, its price, its state and its actions. */
export function PlanCard({ agreement, onOpen }: { agreement: Agreement; onOpen: OpenPanel }) {
  const { subscription_title, plan_id, next_plan_id, plan_price, currency, interval } = agreement
  const { created_at, profile_status, transfer } = agreement
  const id = useId()
  const next = describeNextPayment(agreement)
  const hasScheduledChange = profile_status === 'Active' && next_plan_id !== null && next_plan_id !== plan_id
  return (
    <section className={css.card} aria-labelledby={id}>
      <header>
        <h2 id={id}>{profile_status === 'Ended' ? texts.previousPlan : texts.currentPlan}</h2>
        <span className={css.status} data-status={profile_status}>
          {STATUS_WORDS[profile_status]}
        </span>
      </header>
      <p className={css.name}>{subscription_title}</p>
      <p className={css.price}>
        {rich(interval === 'year' ? texts.pricePerYear : texts.pricePerMonth, {
          price: <b className="num">{money(plan_price, currency)}</b>,
        })}
      </p>
      <p className={css.meta}>
        {format(profile_status === 'CREATED' ? texts.orderedOn : texts.since, { date: formatDate(created_at) })}
      </p>
      {next && <p>{next}</p>}
      {profile_status === 'CREATED' && <PaymentInProgress agreement={agreement} />}
      {hasScheduledChange && <NextPlan agreement={agreement} planId={next_plan_id} />}
      {transfer && <Transfer {...transfer} currency={currency} due={formatDate(agreement.next_payment_date)} />}
      <div className={css.actions}>
        <Actions agreement={agreement} onOpen={onOpen} />
      </div>
    </section>
  )
}

/** What a payment is waiting for. A bank transfer shows its own instructions instead. */
function PaymentInProgress({ agreement: { failure_reason: errorMessage, transfer } }: { agreement: Agreement }) {
  if (transfer) return <p>{texts.yourPlanStartsWhenWe}</p>
  return <p role="status">{errorMessage || PROCESSING}</p>
}

const PROCESSING = texts.yourPaymentIsBeingProcessed

/** The details of a bank transfer. */
const Transfer = ({ reference, amount, instructions, currency, due: dueAmount }: TransferProps) => (
  <section className={css.transfer} aria-label={texts.bankTransfer}>
    <dl>
      {dueAmount && (
        <>
          <dt>{texts.due}</dt>
          <dd>{dueAmount}</dd>
        </>
      )}
      <dt>{texts.amount}</dt>
      <dd className="num">{money(amount, currency)}</dd>
      <dt>{texts.reference}</dt>
      <dd>{reference}</dd>
    </dl>
    {instructions && <p className={css.said}>{instructions}</p>}
  </section>
)

type TransferProps = NonNullable<Agreement['transfer']> & {
  currency: string
  /** The date of the next payment; '' for a first payment, which is due at once. */
  due: string
}

function NextPlan({ agreement, planId }: { agreement: Agreement; planId: number }) {
  const { data } = useApiQuery(billing.getPlan, { plan_id: planId })
  const title = data?.plan.title
  const date = formatDate(agreement.next_payment_date)
  return (
    <p>{title ? format(texts.switchesToOn, { title, date }) : format(texts.switchesToAnotherPlanOnDate, { date })}</p>
  )
}

function Actions({ agreement, onOpen }: { agreement: Agreement; onOpen: OpenPanel }) {
  const { profile_status, can_resume, can_update_card } = agreement
  if (profile_status === 'CREATED') return <CallOffButton />
  if (profile_status === 'Ended') return <Subscribe isMain />
  const cancel = <Button onClick={() => void onOpen('cancel')}>{texts.cancelPlan}</Button>
  if (profile_status === 'Active')
    return (
      <>
        <Button variant="primary" onClick={() => void onOpen('plans')}>
          {texts.upgradePlan}
        </Button>
        {cancel}
      </>
    )
  if (profile_status === 'Cancelled')
    return (
      <>
        {can_resume && <ResumeButton />}
        <Subscribe isMain={!can_resume} />
      </>
    )
  return (
    <>
      {can_update_card && <UpdateDetails onOpen={onOpen} />}
      <Subscribe />
      {cancel}
    </>
  )
}

const Subscribe = ({ isMain = false }: { isMain?: boolean }) => (
  <Link to="/subscription/plans" className={look.button} data-look={isMain ? 'primary' : 'plain'}>
    {texts.subscribe}
  </Link>
)

function UpdateDetails({ onOpen }: { onOpen: OpenPanel }) {
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    await onOpen('card')
    setBusy(false)
  }
  return (
    <Button variant="primary" busy={isBusy} onClick={() => void open()}>
      {texts.updatePaymentDetails}
    </Button>
  )
}

/** Cancels a payment that was started but is no longer wanted, so that the member can choose again. */
function CallOffButton() {
  const [isBusy, setBusy] = useState(false)
  const callOff = async () => {
    setBusy(true)
    try {
      const { profile_status } = await callApi(billing.cancelBilling, {})
      await refetchSubscription()
      // If it was paid at the same moment, the plan has been cancelled instead and is shown here.
      if (profile_status === 'Ended') return goTo('/subscription/plans')
    } catch (error) {
      void toastError(texts.couldntCancelThePayment, error)
      await refetchSubscription()
    }
    setBusy(false)
  }
  return (
    <>
      <Button disabled>{texts.paymentProcessing}</Button>
      <Button busy={isBusy} onClick={() => void callOff()}>
        {texts.cancelPayment}
      </Button>
    </>
  )
}

function ResumeButton() {
  const [isBusy, setBusy] = useState(false)
  const resume = async () => {
    setBusy(true)
    try {
      await callApi(billing.resumeBilling, {})
      void toast({ message: texts.yourPlanHasBeenResumed })
    } catch (error) {
      void toastError(texts.couldntResumeYourPlan, error)
    }
    await refetchSubscription()
    setBusy(false)
  }
  return (
    <Button variant="primary" busy={isBusy} onClick={() => void resume()}>
      {texts.resumePlan}
    </Button>
  )
}
