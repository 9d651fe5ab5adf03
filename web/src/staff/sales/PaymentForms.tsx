import { type billing, invoices, payments, staff, subscriptions } from '@dubplate/contract'
import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { type ReactNode, useState } from 'react'
import { amountMask } from '../../admin/amountMask.ts'
import { money } from '../../billing/money.ts'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { formatDate } from '../../platform/dates.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import { isWhole, leftOf, typedAmount, wrongAmount } from './paymentWords.ts'
import * as texts from './texts.ts'

type Props = { payment: payments.StaffPayment; onClose: () => void }

/** The calls whose replies show a payment. */
const invalidates = [
  ...[payments.getPayments, subscriptions.getSubscriptions, subscriptions.getSubscription],
  ...[invoices.getInvoices, staff.getDashboard],
]

/** Asks for confirmation, because a payment marked as paid is invoiced. */
export function MarkPaid({ payment, onClose }: Props) {
  const { dj_name, plan_name, subscription_id } = payment
  const amount = money(payment.amount, payment.currency)
  const markPaid = useApiMutation(payments.markPaid, {
    success: () => ({ message: format(texts.fromMarkedAsPaid, { amount, dj_name }) }),
    invalidates,
  })
  return (
    <ConfirmDialog
      title={texts.markAsPaidQuestion}
      what={format(texts.confirmThatFromForHas, { amount, dj_name, plan_name })}
      confirmLabel={texts.markAsPaid}
      onConfirm={() => markPaid.mutateAsync({ subscription_id })}
      onClose={onClose}
    />
  )
}

type FormDialogProps = {
  title: string
  messages: string[]
  submit: ReturnType<typeof useDialogForm>['submit']
  buttons: ReactNode
  onClose: () => void
  children: ReactNode
}

const FormDialog = ({ title, messages, submit, buttons, onClose, children }: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <form noValidate onSubmit={submit}>
      <Stack gap="lg">
        <ErrorMessages messages={messages} />
        {children}
        <Group justify="flex-end" gap="sm">
          {buttons}
        </Group>
      </Stack>
    </form>
  </Dialog>
)

/** Refunds the rest of a payment, or part of it. */
export function Refund({ payment, onClose }: Props) {
  const { dj_name, currency, charge_id } = payment
  const left = leftOf(payment)
  const draft = `refund.${charge_id}`
  const refund = useApiMutation(payments.refundPayment, {
    success: (_, { amount }) => ({
      message: format(texts.refundedTo, { given: money(amount ?? left, currency), dj_name }),
    }),
    invalidates,
  })
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { amount: left, reason: getDraft(draft) },
    validate: ({ amount }) => {
      const error = wrongAmount(amount, payment)
      return error ? { amount: error } : {}
    },
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async ({ amount, reason }) => {
      await refund.mutateAsync({ charge_id: charge_id ?? 0, amount: typedAmount(amount), reason })
      saveDraft(draft, '')
      onClose()
    },
  })
  const mask = useMaskito({ options: amountMask })
  const { onChange: onAmount, ...amountField } = form.getInputProps('amount')
  const { amount } = form.values
  return (
    <FormDialog
      title={format(texts.refundMemberTitle, { dj_name })}
      messages={complaints}
      submit={submit}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="danger" busy={isBusy}>
            {wrongAmount(amount, payment)
              ? texts.refund
              : format(texts.refundAmount, { amount: money(typedAmount(amount), currency) })}
          </Button>
        </>
      }
    >
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
      <Text c="dimmed">
        {isWhole(amount, payment) ? texts.fullRefundTheAccessThis : texts.aPartialRefundDoesntAffect}
      </Text>
    </FormDialog>
  )
}

const MOST_DAYS = 400

function wrongDays(typed: string): string {
  const days = Number(typed)
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS
    ? ''
    : format(texts.enterAWholeNumberFrom, { MOST_DAYS })
}

/** In test mode: advances the clock of a member by a number of days. */
export function MoveClock({ payment: { dj_name, customer_id }, onClose }: Props) {
  const [outcome, setOutcome] = useState('')
  const moveClock = useApiMutation(payments.moveClock, { invalidates })
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { days: '31' },
    validate: ({ days }) => (wrongDays(days) ? { days: wrongDays(days) } : {}),
    send: async ({ days }) => {
      const { agreement } = await moveClock.mutateAsync({ customer_id, days: Number(days) })
      setOutcome(outcomeWords(agreement))
    },
  })
  return (
    <FormDialog
      title={format(texts.advanceClockFor, { dj_name })}
      messages={complaints}
      submit={submit}
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.close}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.advance}
          </Button>
        </>
      }
    >
      <Text c="dimmed">{texts.testModeOnlyMovesThis}</Text>
      <TextInput
        label={texts.days}
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('days')}
      />
      <Text role="status" c="var(--ok)">
        {outcome}
      </Text>
    </FormDialog>
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
