import '../../styles/mantine-forms.css'
import { type billing, invoices, payments, staff, subscriptions } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { useState } from 'react'
import { money } from '../../billing/money.ts'
import { Complaints } from '../../membership/Complaints.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { ask } from '../../platform/api.ts'
import { fullDay } from '../../platform/days.ts'
import { draftOf, keepDraft } from '../../platform/drafts.ts'
import { queryClient } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import css from '../PaymentForms.module.css'
import { amountMask } from './amountMask.ts'
import { isWhole, leftOf, typedAmount, wrongAmount } from './paymentWords.ts'

type Payment = payments.StaffPayment
type Props = { payment: Payment; onClose: () => void }

const renew = () =>
  Promise.all(
    [
      payments.getPayments,
      subscriptions.getSubscriptions,
      subscriptions.getSubscription,
      invoices.getInvoices,
      staff.getDesk,
    ].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/** Asks once more: what was marked as paid is invoiced. */
export function MarkPaid({ payment, onClose }: Props) {
  const { dj_name, plan_name, amount, currency, subscription_id } = payment
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      const { payment } = await ask(payments.markPaid, { subscription_id })
      void toast({ message: `${money(payment.amount, payment.currency)} from ${dj_name} marked as paid` })
      onClose()
      await renew()
    },
  })
  return (
    <Dialog title="Mark as paid?" onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <p>
          Confirm that {money(amount, currency)} from {dj_name} for {plan_name} has arrived. This gives them download
          access and issues an invoice.
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={isBusy} data-autofocus>
            Mark as paid
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Gives money back: all that is left, or less. */
export function Refund({ payment, onClose }: Props) {
  const { dj_name, currency, charge_id } = payment
  const left = leftOf(payment)
  const draft = `refund.${charge_id}`
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { amount: left, reason: draftOf(draft) },
    validate: ({ amount }) => {
      const wrong = wrongAmount(amount, payment)
      return wrong ? { amount: wrong } : {}
    },
    keep: ({ reason }) => keepDraft(draft, reason),
    send: async ({ amount, reason }) => {
      const given = typedAmount(amount)
      await ask(payments.refundPayment, { charge_id: charge_id ?? 0, amount: given, reason })
      keepDraft(draft, '')
      void toast({ message: `${money(given, currency)} refunded to ${dj_name}` })
      onClose()
      await renew()
    },
  })
  const mask = useMaskito({ options: amountMask })
  const { onChange: onAmount, ...amountField } = form.getInputProps('amount')
  return (
    <Dialog title={`Refund ${dj_name}`} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <TextInput
          label={`Amount (${currency})`}
          description={`${money(left, currency)} of ${money(payment.amount, currency)} can be refunded.`}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...amountField}
          ref={mask}
          onInput={onAmount}
        />
        <TextInput
          label="Reason"
          description="For staff only. Saved with the refund."
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('reason')}
        />
        <p className={css.hint}>
          {isWhole(form.values.amount, payment)
            ? 'Full refund: the access this payment covers ends immediately.'
            : 'A partial refund doesn’t affect access. A full refund ends it immediately.'}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" busy={isBusy}>
            Refund
            {wrongAmount(form.values.amount, payment) ? '' : ` ${money(typedAmount(form.values.amount), currency)}`}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const MOST_DAYS = 400

function wrongDays(typed: string): string {
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? '' : `Enter a whole number from 1 to ${MOST_DAYS}.`
}

/** In the sandbox: what would happen in so many days happens now. */
export function MoveClock({ payment: { dj_name, customer_id }, onClose }: Props) {
  const [outcome, setOutcome] = useState('')
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { days: '31' },
    validate: ({ days }) => (wrongDays(days) ? { days: wrongDays(days) } : {}),
    send: async ({ days }) => {
      const { agreement } = await ask(payments.moveClock, { customer_id, days: Number(days) })
      setOutcome(outcomeWords(agreement))
      await renew()
    },
  })
  return (
    <Dialog title={`Advance clock for ${dj_name}`} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <p className={css.hint}>
          Test mode only. Moves this member’s clock forward: renewals, retries and expiries up to that date happen now.
          It can’t be moved back.
        </p>
        <TextInput label="Days" inputMode="numeric" autoComplete="off" data-autofocus {...form.getInputProps('days')} />
        <p role="status" className={css.outcome}>
          {outcome}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            Advance
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function outcomeWords(agreement: billing.Agreement | null): string {
  if (!agreement) return 'Clock advanced. This member has no subscription.'
  const { subscription_title, profile_status, next_payment_date } = agreement
  const next = profile_status === 'Active' && next_payment_date ? `, next payment ${fullDay(next_payment_date)}` : ''
  return `Clock advanced. ${subscription_title}: ${profile_status}${next}.`
}
