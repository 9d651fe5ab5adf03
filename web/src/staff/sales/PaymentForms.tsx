import { type billing, invoices, payments, staff, subscriptions } from '@dubplate/contract'
import { moveClock, refundPayment } from '@dubplate/contract/schemas/payments'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { AmountInput } from '../../admin/AmountInput.tsx'
import { wholeAmount } from '../../admin/amountMask.ts'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { isFullRefund, refundableAmount, refundError } from './refunds.ts'
import * as texts from './texts.ts'

type Props = { payment: payments.StaffPayment; onClose: () => void }

/** The calls whose replies show a payment, or what it has paid for. */
const invalidates = [
  payments.getPayments,
  subscriptions.getSubscriptions,
  subscriptions.getSubscription,
  invoices.getInvoices,
  staff.getDashboard,
]

/** Asks for confirmation, because a payment marked as paid is invoiced. */
export function MarkPaid({ payment: { dj_name, plan_name, amount, currency, subscription_id }, onClose }: Props) {
  const markPaid = useApiMutation(payments.markPaid, {
    invalidates,
    success: ({ payment: { amount, currency } }) => ({
      message: format(texts.fromMarkedAsPaid, { amount: money(amount, currency), dj_name }),
    }),
  })
  return (
    <ConfirmDialog
      title={texts.markAsPaidQuestion}
      what={format(texts.confirmThatFromForHas, { amount: money(amount, currency), dj_name, plan_name })}
      confirmLabel={texts.markAsPaid}
      onConfirm={() => markPaid.mutateAsync({ subscription_id })}
      onClose={onClose}
    />
  )
}

/** Refunds the rest of a payment, or part of it. */
export function Refund({ payment, onClose }: Props) {
  const { dj_name, currency } = payment
  const charge_id = payment.charge_id ?? 0
  const left = refundableAmount(payment)
  const form = useResourceForm({
    call: refundPayment,
    draftName: `refund.${charge_id}`,
    values: { amount: left, reason: '' },
    toInput: ({ amount, reason }) => ({ charge_id, amount: wholeAmount(amount), reason }),
    validate: ({ amount }) => ({ amount: refundError(amount, payment) }),
    invalidates,
    success: (_, { amount = left }) => ({
      message: format(texts.refundedTo, { amount: money(amount, currency), dj_name }),
    }),
    onSaved: onClose,
  })
  const amount = wholeAmount(form.values.amount)
  const isValid = amount && !refundError(amount, payment)
  return (
    <ActionDialog
      title={format(texts.refundMemberTitle, { dj_name })}
      form={form}
      actionLabel={isValid ? format(texts.refundAmount, { amount: money(amount, currency) }) : texts.refund}
      isDanger
      onClose={onClose}
    >
      <AmountInput
        label={format(texts.amountInCurrency, { currency })}
        data-autofocus
        {...form.field(
          'amount',
          format(texts.ofCanBeRefunded, { left: money(left, currency), amount: money(payment.amount, currency) }),
        )}
      />
      <TextInput
        label={texts.reason}
        maxLength={200}
        autoComplete="off"
        {...form.field('reason', texts.forStaffOnlySavedWith)}
      />
      <Text fz="md" c="var(--text-2)">
        {isFullRefund(amount, payment) ? texts.fullRefundTheAccessThis : texts.aPartialRefundDoesntAffect}
      </Text>
    </ActionDialog>
  )
}

/** In the sandbox: advances the clock by a number of days, and stays open to show what has happened. */
export function MoveClock({ payment: { dj_name, customer_id }, onClose }: Props) {
  const [outcome, setOutcome] = useState('')
  const form = useResourceForm({
    call: moveClock,
    values: { days: '31' },
    toInput: ({ days }) => ({ customer_id, days }),
    invalidates,
    save: async (send) => setOutcome(outcomeText((await send()).agreement)),
  })
  return (
    <ActionDialog
      title={format(texts.advanceClockFor, { dj_name })}
      text={texts.testModeOnlyMovesThis}
      form={form}
      actionLabel={texts.advance}
      closeLabel={texts.close}
      onClose={onClose}
    >
      <TextInput label={texts.days} inputMode="numeric" autoComplete="off" data-autofocus {...form.field('days')} />
      <Text role="status" fz="md" c="var(--ok)">
        {outcome}
      </Text>
    </ActionDialog>
  )
}

function outcomeText(agreement: billing.Agreement | null): string {
  if (!agreement) return texts.clockAdvancedThisMemberHas
  const { subscription_title, profile_status, next_payment_date } = agreement
  if (profile_status !== 'Active' || !next_payment_date)
    return format(texts.clockAdvanced, { subscription_title, status: profile_status })
  const next = formatDate(next_payment_date)
  return format(texts.clockAdvancedNextPayment, { subscription_title, status: profile_status, next })
}
