import { invoices, members, payments, plans, staff, subscriptions } from '@dubplate/contract'
import { Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { type ReactNode, useState } from 'react'
import { amountMask, wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero, money, toMinorUnits } from '../../billing/money.ts'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { ApiError } from '../../platform/api.ts'
import { formatDate } from '../../platform/dates.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import * as texts from './texts.ts'

type Props = { subscription: subscriptions.SubscriptionDetails; onClose: () => void }
type Values = { reason: string; refund: string }
type DialogForm = ReturnType<typeof useDialogForm<Values>>['form']

/** The calls whose replies show the state of a subscription. */
const invalidates = [
  ...[subscriptions.getSubscription, subscriptions.getSubscriptions, payments.getPayments, plans.getPlans],
  ...[invoices.getInvoices, staff.getDashboard, members.getMembers, members.getMember, members.whyNoDownload],
]

type ActionFormProps = Props & {
  title: string
  text: string
  label: string
  isDanger?: boolean
  /** Errors of the further fields. */
  validate?: (values: Values) => { refund?: string }
  send: (values: Values) => Promise<unknown>
  /** Further fields. */
  children?: (form: DialogForm) => ReactNode
}

/** An action with a reason. If someone else was faster, the error says so and the page shows the current state. */
function ActionForm({
  subscription,
  title,
  text,
  label,
  isDanger,
  validate,
  send,
  onClose,
  children,
}: ActionFormProps) {
  const draft = `subscription.${subscription.subscription_id}`
  const { form, submit, isBusy, complaints } = useDialogForm<Values>({
    initialValues: { reason: getDraft(draft), refund: '' },
    validate: (values) => ({
      ...(values.reason.trim() === '' ? { reason: texts.enterAReasonYourColleagues } : {}),
      ...validate?.(values),
    }),
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async (values) => {
      try {
        await send(values)
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) await refreshReplies(invalidates)
        throw error
      }
      saveDraft(draft, '')
      onClose()
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Stack gap="lg">
          <ErrorMessages messages={complaints} />
          <Text fz="md">{text}</Text>
          {children?.(form)}
          <TextInput
            label={texts.reason}
            description={texts.savedWithTheSubscriptionAnd}
            maxLength={500}
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('reason')}
          />
          <Group justify="flex-end" gap="sm">
            <Button onClick={onClose}>{texts.goBack}</Button>
            <Button type="submit" variant={isDanger ? 'danger' : 'primary'} busy={isBusy}>
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}

/** Cancels a subscription for a member, or an order that was not paid. */
export function CancelForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, paid_until, access_until } = subscription
  const isOrder = seen === 'pending'
  const done = isOrder ? texts.sOrderCancelled : texts.sSubscriptionCancelledWeveEmailed
  const cancel = useApiMutation(subscriptions.cancelSubscription, {
    success: () => ({ message: format(done, { dj_name }) }),
    invalidates,
  })
  const renewal = { plan_name, paid_until: formatDate(paid_until ?? access_until) }
  return (
    <ActionForm
      subscription={subscription}
      onClose={onClose}
      title={format(isOrder ? texts.cancelTheOrderOf : texts.cancelSSubscription, { dj_name })}
      text={
        isOrder
          ? format(texts.canNoLongerBePaid, { plan_name })
          : seen === 'past_due'
            ? format(texts.endsNowBecauseTheLast, { plan_name })
            : format(texts.wontRenewDownloadsStayAvailable, renewal)
      }
      label={isOrder ? texts.cancelOrder : texts.cancelSubscription}
      send={({ reason }) => cancel.mutateAsync({ subscription_id, seen, reason })}
    />
  )
}

/** Undoes a cancellation for a member. */
export function ResumeForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, paid_until } = subscription
  const resume = useApiMutation(subscriptions.resumeSubscription, {
    success: () => ({ message: format(texts.sSubscriptionResumed, { dj_name, plan_name }) }),
    invalidates,
  })
  return (
    <ActionForm
      subscription={subscription}
      onClose={onClose}
      title={format(texts.resumeSSubscription, { dj_name })}
      text={format(texts.continuesAndRenewsOnOnly, { plan_name, paid_until: formatDate(paid_until) })}
      label={texts.resumeSubscription}
      send={({ reason }) => resume.mutateAsync({ subscription_id, seen, reason })}
    />
  )
}

type RefundChoice = 'nothing' | 'unused' | 'all' | 'custom'

/** Ends a subscription at once, with or without a refund. */
export function EndForm({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, refundable, unused, currency } = subscription
  const [choice, setChoice] = useState<RefundChoice>('nothing')
  const refundOf = ({ refund }: Values): string =>
    ({ nothing: '0.00', unused, all: refundable, custom: wholeAmount(refund) || '0.00' })[choice]
  const end = useApiMutation(subscriptions.endSubscription, {
    success: ({ refund_error }, { refund }) => {
      if (refund_error) return { message: format(texts.sSubscriptionEndedButThe, { dj_name, refund_error }) }
      return {
        message: refund
          ? format(texts.sSubscriptionEndedRefunded, { dj_name, refund: money(refund, currency) })
          : format(texts.sSubscriptionEnded, { dj_name }),
      }
    },
    invalidates,
  })
  const validateRefund = (values: Values): { refund?: string } => {
    if (choice !== 'custom') return {}
    const refund = refundOf(values)
    if (!isAboveZero(refund)) return { refund: texts.enterAnAmount }
    return toMinorUnits(refund) > toMinorUnits(refundable)
      ? { refund: format(texts.youCanRefundUpToRefundable, { refundable: money(refundable, currency) }) }
      : {}
  }
  const choices: { value: RefundChoice; label: string }[] = [
    { value: 'nothing', label: texts.noRefund },
    { value: 'unused', label: format(texts.unusedDays, { unused: money(unused, currency) }) },
    { value: 'all', label: format(texts.fullAmount, { refundable: money(refundable, currency) }) },
    { value: 'custom', label: texts.customAmount },
  ]
  return (
    <ActionForm
      subscription={subscription}
      onClose={onClose}
      title={format(texts.endSSubscriptionNow, { dj_name })}
      text={format(texts.andDownloadAccessEndImmediately, { plan_name })}
      label={texts.endNow}
      isDanger
      validate={validateRefund}
      send={(values) => {
        const refund = refundOf(values)
        const { reason } = values
        return end.mutateAsync({ subscription_id, seen, reason, ...(isAboveZero(refund) ? { refund } : {}) })
      }}
    >
      {(form) => (
        <>
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
          {choice === 'custom' && <CustomAmount form={form} currency={currency} refundable={refundable} />}
        </>
      )}
    </ActionForm>
  )
}

type CustomAmountProps = { form: DialogForm; currency: string; refundable: string }

function CustomAmount({ form, currency, refundable }: CustomAmountProps) {
  const mask = useMaskito({ options: amountMask })
  const { onChange, ...field } = form.getInputProps('refund')
  return (
    <TextInput
      label={format(texts.amountInCurrency, { currency })}
      description={format(texts.upToRefundable, { refundable: money(refundable, currency) })}
      inputMode="decimal"
      autoComplete="off"
      {...field}
      ref={mask}
      onInput={onChange}
    />
  )
}
