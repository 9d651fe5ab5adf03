import {
  type Endpoint,
  invoices,
  members,
  payments,
  plans,
  type ReplyOf,
  staff,
  subscriptions,
} from '@dubplate/contract'
import { cancelSubscription, endSubscription, resumeSubscription } from '@dubplate/contract/schemas/subscriptions'
import { Radio, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { AmountInput } from '../../admin/AmountInput.tsx'
import { wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero, money, toMinorUnits } from '../../billing/money.ts'
import { formatDate } from '../../format/dates.ts'
import { format } from '../../format/message.ts'
import { ApiError } from '../../platform/api.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import * as texts from './texts.ts'

type Props = { subscription: subscriptions.SubscriptionDetails; onClose: () => void }

/** The calls whose replies show the state of a subscription. */
const invalidates = [
  ...[subscriptions.getSubscription, subscriptions.getSubscriptions, payments.getPayments, plans.getPlans],
  ...[invoices.getInvoices, staff.getDashboard, members.getMembers, members.getMember, members.whyNoDownload],
]

/** If someone else was faster, the error says so, and the page behind the dialog shows the current state. */
async function saveOrRefresh<E extends Endpoint>(send: () => Promise<ReplyOf<E>>): Promise<ReplyOf<E>> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await refreshReplies(invalidates)
    throw error
  }
}

const draftOf = ({ subscription_id }: Props['subscription']) => `subscription.${subscription_id}`

/** Why staff do it: their colleagues read it later. */
const ReasonInput = <Values extends { reason: string }>({ form }: { form: ResourceFormState<Values> }) => (
  <TextInput
    label={texts.reason}
    maxLength={500}
    autoComplete="off"
    data-autofocus
    {...form.field('reason', texts.savedWithTheSubscriptionAnd)}
  />
)

/** Cancels a subscription for a member, or an order that was not paid. */
export function CancelForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, paid_until, access_until } = subscription
  const isOrder = seen === 'pending'
  const done = isOrder ? texts.sOrderCancelled : texts.sSubscriptionCancelledWeveEmailed
  const form = useResourceForm({
    call: cancelSubscription,
    draftName: draftOf(subscription),
    values: { reason: '' },
    toInput: ({ reason }) => ({ subscription_id, seen, reason }),
    invalidates,
    success: () => ({ message: format(done, { dj_name }) }),
    save: saveOrRefresh<typeof cancelSubscription>,
    onSaved: onClose,
  })
  const renewal = { plan_name, paid_until: formatDate(paid_until ?? access_until) }
  return (
    <ActionDialog
      form={form}
      title={format(isOrder ? texts.cancelTheOrderOf : texts.cancelSSubscription, { dj_name })}
      text={
        isOrder
          ? format(texts.canNoLongerBePaid, { plan_name })
          : seen === 'past_due'
            ? format(texts.endsNowBecauseTheLast, { plan_name })
            : format(texts.wontRenewDownloadsStayAvailable, renewal)
      }
      actionLabel={isOrder ? texts.cancelOrder : texts.cancelSubscription}
      closeLabel={texts.goBack}
      onClose={onClose}
    >
      <ReasonInput form={form} />
    </ActionDialog>
  )
}

/** Undoes a cancellation for a member. */
export function ResumeForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, paid_until } = subscription
  const form = useResourceForm({
    call: resumeSubscription,
    draftName: draftOf(subscription),
    values: { reason: '' },
    toInput: ({ reason }) => ({ subscription_id, seen, reason }),
    invalidates,
    success: () => ({ message: format(texts.sSubscriptionResumed, { dj_name, plan_name }) }),
    save: saveOrRefresh<typeof resumeSubscription>,
    onSaved: onClose,
  })
  return (
    <ActionDialog
      form={form}
      title={format(texts.resumeSSubscription, { dj_name })}
      text={format(texts.continuesAndRenewsOnOnly, { plan_name, paid_until: formatDate(paid_until) })}
      actionLabel={texts.resumeSubscription}
      closeLabel={texts.goBack}
      onClose={onClose}
    >
      <ReasonInput form={form} />
    </ActionDialog>
  )
}

type RefundChoice = 'nothing' | 'unused' | 'all' | 'custom'

/** Ends a subscription at once, with or without a refund. */
export function EndForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, refundable, unused, currency } = subscription
  // Not part of the draft: a refund is chosen each time.
  const [choice, setChoice] = useState<RefundChoice>('nothing')
  const refundOf = ({ refund }: { refund: string }): string =>
    ({ nothing: '0.00', unused, all: refundable, custom: wholeAmount(refund) || '0.00' })[choice]
  const form = useResourceForm({
    call: endSubscription,
    draftName: draftOf(subscription),
    values: { reason: '', refund: '' },
    toInput: (values) => {
      const refund = refundOf(values)
      return { subscription_id, seen, reason: values.reason, ...(isAboveZero(refund) && { refund }) }
    },
    validate: (values): { refund?: string } => {
      if (choice !== 'custom') return {}
      const refund = refundOf(values)
      if (!isAboveZero(refund)) return { refund: texts.enterAnAmount }
      return toMinorUnits(refund) > toMinorUnits(refundable)
        ? { refund: format(texts.youCanRefundUpToRefundable, { refundable: money(refundable, currency) }) }
        : {}
    },
    invalidates,
    success: ({ refund_error }, { refund }) => {
      if (refund_error) return { message: format(texts.sSubscriptionEndedButThe, { dj_name, refund_error }) }
      return {
        message: refund
          ? format(texts.sSubscriptionEndedRefunded, { dj_name, refund: money(refund, currency) })
          : format(texts.sSubscriptionEnded, { dj_name }),
      }
    },
    save: saveOrRefresh<typeof endSubscription>,
    onSaved: onClose,
  })
  const choices: { value: RefundChoice; label: string }[] = [
    { value: 'nothing', label: texts.noRefund },
    { value: 'unused', label: format(texts.unusedDays, { unused: money(unused, currency) }) },
    { value: 'all', label: format(texts.fullAmount, { refundable: money(refundable, currency) }) },
    { value: 'custom', label: texts.customAmount },
  ]
  return (
    <ActionDialog
      form={form}
      title={format(texts.endSSubscriptionNow, { dj_name })}
      text={format(texts.andDownloadAccessEndImmediately, { plan_name })}
      actionLabel={texts.endNow}
      closeLabel={texts.goBack}
      isDanger
      onClose={onClose}
    >
      {isAboveZero(refundable) && (
        <Radio.Group
          label={texts.refundForTheCurrentPeriod}
          value={choice}
          onChange={(value) => setChoice(value as RefundChoice)}
        >
          <Stack gap="sm" mt="sm">
            {choices.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} iconColor="var(--on-accent)" />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {choice === 'custom' && (
        <AmountInput
          label={format(texts.amountInCurrency, { currency })}
          {...form.field('refund', format(texts.upToRefundable, { refundable: money(refundable, currency) }))}
        />
      )}
      <ReasonInput form={form} />
    </ActionDialog>
  )
}
