import { billing } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { goTo } from '../platform/address.ts'
import { ask } from '../platform/api.ts'
import { fullDay } from '../platform/days.ts'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import look from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { toast, toastTrouble } from '../ui/toast.ts'
import { askStandingAnew } from './agreement.ts'
import { each, nextWords } from './agreementWords.ts'
import css from './ManageSubscription.module.css'
import type { Opened } from './ManageSubscription.tsx'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Agreement = billing.Agreement
type Open = (which: Opened) => Promise<void>

const STATUS_WORDS: Record<billing.ProfileStatus, string> = {
  CREATED: 'Processing',
  Active: 'Active',
  'Past due': texts.pastDue,
  Cancelled: 'Cancelled',
  Ended: 'Ended',
}

/** The plan, what it costs, how it stands, and what can be done. */
export function PlanCard({ agreement, onOpen }: { agreement: Agreement; onOpen: Open }) {
  const { subscription_title, plan_id, next_plan_id, plan_price, currency, interval } = agreement
  const { created_at, profile_status, transfer } = agreement
  const id = useId()
  const next = nextWords(agreement)
  const changes = profile_status === 'Active' && next_plan_id !== null && next_plan_id !== plan_id
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
        <b className="num">{money(plan_price, currency)}</b> {each(interval)}
      </p>
      <p className={css.meta}>
        {profile_status === 'CREATED' ? texts.ordered : 'Since'} {fullDay(created_at)}
      </p>
      {next && <p>{next}</p>}
      {profile_status === 'CREATED' && <UnderWay agreement={agreement} />}
      {changes && <NextPlan agreement={agreement} planId={next_plan_id} />}
      {transfer && <Transfer {...transfer} currency={currency} due={fullDay(agreement.next_payment_date)} />}
      <div className={css.actions}>
        <Actions agreement={agreement} onOpen={onOpen} />
      </div>
    </section>
  )
}

/** What a payment waits for, where it is no transfer: that one says itself what is to be done. */
function UnderWay({ agreement: { trouble, transfer } }: { agreement: Agreement }) {
  if (transfer) return <p>{texts.yourPlanStartsWhenWe}</p>
  return <p role="status">{trouble || PROCESSING}</p>
}

const PROCESSING = texts.yourPaymentIsBeingProcessed

/** What a bank transfer needs to be recognised by. */
const Transfer = ({ reference, amount, instructions, currency, due }: TransferProps) => (
  <section className={css.transfer} aria-label={texts.bankTransfer}>
    <dl>
      {due && (
        <>
          <dt>{texts.due}</dt>
          <dd>{due}</dd>
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
  /** The day of the next payment; '' for a first one, which is due at once. */
  due: string
}

function NextPlan({ agreement, planId }: { agreement: Agreement; planId: number }) {
  const { data } = useAsk(billing.getPlan, { plan_id: planId })
  return (
    <p>
      {texts.switchesTo} {data?.plan.title ?? 'another plan'}{' '}
      {format(texts.on, { next_payment_date: fullDay(agreement.next_payment_date) })}
    </p>
  )
}

function Actions({ agreement, onOpen }: { agreement: Agreement; onOpen: Open }) {
  const { profile_status, can_resume, can_update_card } = agreement
  if (profile_status === 'CREATED') return <CallOff />
  if (profile_status === 'Ended') return <Subscribe isMain />
  const cancel = <Button onClick={() => void onOpen('cancel')}>{texts.cancelPlan}</Button>
  if (profile_status === 'Active')
    return (
      <>
        <Button look="primary" onClick={() => void onOpen('plans')}>
          {texts.upgradePlan}
        </Button>
        {cancel}
      </>
    )
  if (profile_status === 'Cancelled')
    return (
      <>
        {can_resume && <Resume />}
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

function UpdateDetails({ onOpen }: { onOpen: Open }) {
  const [isBusy, setBusy] = useState(false)
  const open = async () => {
    setBusy(true)
    await onOpen('card')
    setBusy(false)
  }
  return (
    <Button look="primary" busy={isBusy} onClick={() => void open()}>
      {texts.updatePaymentDetails}
    </Button>
  )
}

/** A payment that somebody began and does not want any more: it is called off, and they choose again. */
function CallOff() {
  const [isBusy, setBusy] = useState(false)
  const callOff = async () => {
    setBusy(true)
    try {
      const { profile_status } = await ask(billing.cancelBilling, {})
      await askStandingAnew()
      // Paid in the very moment: then it is a plan that was cancelled, and stands here.
      if (profile_status === 'Ended') return goTo('/subscription/plans')
    } catch (error) {
      void toastTrouble(texts.couldntCancelThePayment, error)
      await askStandingAnew()
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

function Resume() {
  const [isBusy, setBusy] = useState(false)
  const resume = async () => {
    setBusy(true)
    try {
      await ask(billing.resumeBilling, {})
      void toast({ message: texts.yourPlanHasBeenResumed })
    } catch (error) {
      void toastTrouble(texts.couldntResumeYourPlan, error)
    }
    await askStandingAnew()
    setBusy(false)
  }
  return (
    <Button look="primary" busy={isBusy} onClick={() => void resume()}>
      {texts.resumePlan}
    </Button>
  )
}
