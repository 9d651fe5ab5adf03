import '../../styles/mantine-forms.css'
import { type billing, invoices, payments, staff, subscriptions } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { useState } from 'react'
import { amountMask } from '../../admin/amountMask.ts'
import { money } from '../../billing/money.ts'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { callApi } from '../../platform/api.ts'
import { formatDate } from '../../platform/dates.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import css from './PaymentForms.module.css'
import { isWhole, leftOf, typedAmount, wrongAmount } from './paymentWords.ts'
import * as texts from './texts.ts'

type Payment = payments.StaffPayment
type Props = { payment: Payment; onClose: () => void }

const renew = () =>
  Promise.all(
    [
      payments.getPayments,
      subscriptions.getSubscriptions,
      subscriptions.getSubscription,
      invoices.getInvoices,
      staff.getDashboard,
    ].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

/** Asks for confirmation, because a payment marked as paid is invoiced. */
export function MarkPaid({ payment, onClose }: Props) {
  const { dj_name, plan_name, amount, currency, subscription_id } = payment
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      const { payment } = await callApi(payments.markPaid, { subscription_id })
      void toast({
        message: format(texts.fromMarkedAsPaid, { amount: money(payment.amount, payment.currency), dj_name }),
      })
      onClose()
      await renew()
    },
  })
  return (
    <Dialog title={texts.markAsPaidQuestion} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <p>{format(texts.confirmThatFromForHas, { amount: money(amount, currency), dj_name, plan_name })}</p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy} data-autofocus>
            {texts.markAsPaid}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Refunds the rest of a payment, or part of it. */
export function Refund({ payment, onClose }: Props) {
  const { dj_name, currency, charge_id } = payment
  const left = leftOf(payment)
  const draft = `refund.${charge_id}`
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { amount: left, reason: getDraft(draft) },
    validate: ({ amount }) => {
      const wrong = wrongAmount(amount, payment)
      return wrong ? { amount: wrong } : {}
    },
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async ({ amount, reason }) => {
      const given = typedAmount(amount)
      await callApi(payments.refundPayment, { charge_id: charge_id ?? 0, amount: given, reason })
      saveDraft(draft, '')
      void toast({ message: format(texts.refundedTo, { given: money(given, currency), dj_name }) })
      onClose()
      await renew()
    },
  })
  const mask = useMaskito({ options: amountMask })
  const { onChange: onAmount, ...amountField } = form.getInputProps('amount')
  return (
    <Dialog title={format(texts.refundMemberTitle, { dj_name })} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <TextInput
          label={format(texts.amountInCurrency, { currency })}
          description={format(texts.ofCanBeRefunded, {
            left: money(left, currency),
            amount: money(payment.amount, currency),
          })}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...amountField}
          ref={mask}
          onInput={onAmount}
        />
        <TextInput
          label={texts.reason}
          description={texts.forStaffOnlySavedWith}
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('reason')}
        />
        <p className={css.hint}>
          {isWhole(form.values.amount, payment) ? texts.fullRefundTheAccessThis : texts.aPartialRefundDoesntAffect}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {wrongAmount(form.values.amount, payment)
              ? texts.refund
              : format(texts.refundAmount, { amount: money(typedAmount(form.values.amount), currency) })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const MOST_DAYS = 400

function wrongDays(typed: string): string {
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS
    ? ''
    : format(texts.enterAWholeNumberFrom, { MOST_DAYS })
}

/** In the sandbox: advances the clock by a number of days. */
export function MoveClock({ payment: { dj_name, customer_id }, onClose }: Props) {
  const [outcome, setOutcome] = useState('')
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { days: '31' },
    validate: ({ days }) => (wrongDays(days) ? { days: wrongDays(days) } : {}),
    send: async ({ days }) => {
      const { agreement } = await callApi(payments.moveClock, { customer_id, days: Number(days) })
      setOutcome(outcomeWords(agreement))
      await renew()
    },
  })
  return (
    <Dialog title={format(texts.advanceClockFor, { dj_name })} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <p className={css.hint}>{texts.testModeOnlyMovesThis}</p>
        <TextInput
          label={texts.days}
          inputMode="numeric"
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('days')}
        />
        <p role="status" className={css.outcome}>
          {outcome}
        </p>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.close}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.advance}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function outcomeWords(agreement: billing.Agreement | null): string {
  if (!agreement) return texts.clockAdvancedThisMemberHas
  const { subscription_title, profile_status, next_payment_date } = agreement
  if (profile_status !== 'Active' || !next_payment_date)
    return format(texts.clockAdvanced, { subscription_title, profile_status })
  const next = formatDate(next_payment_date)
  return format(texts.clockAdvancedNextPayment, { subscription_title, profile_status, next })
}
