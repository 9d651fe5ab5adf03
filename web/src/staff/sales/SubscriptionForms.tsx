import '../../styles/mantine-forms.css'
import { invoices, payments, plans, staff, subscriptions } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useMaskito } from '@maskito/react'
import { type ReactNode, useState } from 'react'
import { amountMask, wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero, money, toMinorUnits } from '../../billing/money.ts'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { ApiError, callApi } from '../../platform/api.ts'
import { formatDate } from '../../platform/dates.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { askMembersAnew } from '../members/memberDeeds.ts'
import css from './PaymentForms.module.css'
import * as texts from './texts.ts'

type Subscription = subscriptions.SubscriptionDetails
type Props = { subscription: Subscription; onClose: () => void }

/** Reloads the subscription here and in every other list that shows it. */
async function renew(subscription?: Subscription) {
  if (subscription) {
    const { subscription_id } = subscription
    queryClient.setQueryData(apiQuery(subscriptions.getSubscription, { subscription_id }).queryKey, { subscription })
  }
  const { getSubscription, getSubscriptions } = subscriptions
  const calls = [getSubscriptions, payments.getPayments, plans.getPlans, invoices.getInvoices, staff.getDashboard]
  await Promise.all([
    ...[...calls, ...(subscription ? [] : [getSubscription])].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
    askMembersAnew(),
  ])
}

const noReason = ({ reason }: { reason: string }): { reason?: string } =>
  reason.trim() === '' ? { reason: texts.enterAReasonYourColleagues } : {}

type Values = { reason: string; refund: string }

type DeedProps = Props & {
  title: string
  label: string
  look?: 'primary' | 'danger'
  wrong?: (values: Values) => { refund?: string }
  send: (values: Values) => Promise<string>
  children: (form: ReturnType<typeof useDialogForm<Values>>['form']) => ReactNode
}

/** An action with a reason. When someone else was faster, staff are told and see the current state. */
function Deed({ subscription, title, label, look = 'primary', wrong, send, onClose, children }: DeedProps) {
  const draft = `subscription.${subscription.subscription_id}`
  const { form, submit, isBusy, complaints } = useDialogForm<Values>({
    initialValues: { reason: getDraft(draft), refund: '' },
    validate: (values) => ({ ...noReason(values), ...wrong?.(values) }),
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async (values) => {
      try {
        const message = await send(values)
        saveDraft(draft, '')
        void toast({ message })
        onClose()
      } catch (error) {
        if (error instanceof ApiError && error.status < 500) await renew()
        throw error
      }
    },
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        {children(form)}
        <TextInput
          label={texts.reason}
          description={texts.savedWithTheSubscriptionAnd}
          maxLength={500}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('reason')}
        />
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.goBack}</Button>
          <Button type="submit" variant={look} busy={isBusy}>
            {label}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Cancels a subscription for a member. */
export function CancelFor({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, access_until } = subscription
  const isOrder = seen === 'pending'
  const isPastDue = seen === 'past_due'
  return (
    <Deed
      subscription={subscription}
      onClose={onClose}
      title={isOrder ? format(texts.cancelTheOrderOf, { dj_name }) : format(texts.cancelSSubscription, { dj_name })}
      label={isOrder ? texts.cancelOrder : texts.cancelSubscription}
      send={async ({ reason }) => {
        const { subscription } = await callApi(subscriptions.cancelSubscription, { subscription_id, seen, reason })
        await renew(subscription)
        return isOrder
          ? format(texts.sOrderCancelled, { dj_name })
          : format(texts.sSubscriptionCancelledWeveEmailed, { dj_name })
      }}
    >
      {() => (
        <p>
          {isOrder
            ? format(texts.canNoLongerBePaid, { plan_name })
            : isPastDue
              ? format(texts.endsNowBecauseTheLast, { plan_name })
              : format(texts.wontRenewDownloadsStayAvailable, {
                  plan_name,
                  paid_until: formatDate(subscription.paid_until ?? access_until),
                })}
        </p>
      )}
    </Deed>
  )
}

/** Undoes a cancellation for a member. */
export function ResumeFor({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, paid_until } = subscription
  return (
    <Deed
      subscription={subscription}
      onClose={onClose}
      title={format(texts.resumeSSubscription, { dj_name })}
      label={texts.resumeSubscription}
      send={async ({ reason }) => {
        const { subscription } = await callApi(subscriptions.resumeSubscription, { subscription_id, seen, reason })
        await renew(subscription)
        return format(texts.sSubscriptionResumed, { dj_name, plan_name })
      }}
    >
      {() => <p>{format(texts.continuesAndRenewsOnOnly, { plan_name, paid_until: formatDate(paid_until) })}</p>}
    </Deed>
  )
}

type Back = 'nothing' | 'unused' | 'all' | 'other'

/** Ends a subscription at once, with or without a refund. */
export function EndNow({ subscription, onClose }: Props) {
  const { subscription_id, status: seen, dj_name, plan_name, refundable, unused, currency } = subscription
  const [back, setBack] = useState<Back>('nothing')
  const refundOf = ({ refund }: Values): string =>
    ({ nothing: '0.00', unused, all: refundable, other: wholeAmount(refund) || '0.00' })[back]
  const wrong = (values: Values): { refund?: string } => {
    if (back !== 'other') return {}
    const refund = refundOf(values)
    if (!isAboveZero(refund)) return { refund: texts.enterAnAmount }
    return toMinorUnits(refund) > toMinorUnits(refundable)
      ? { refund: format(texts.youCanRefundUpToRefundable, { refundable: money(refundable, currency) }) }
      : {}
  }
  const choices: { value: Back; label: string }[] = [
    { value: 'nothing', label: texts.noRefund },
    { value: 'unused', label: format(texts.unusedDays, { unused: money(unused, currency) }) },
    { value: 'all', label: format(texts.fullAmount, { refundable: money(refundable, currency) }) },
    { value: 'other', label: texts.customAmount },
  ]
  return (
    <Deed
      subscription={subscription}
      onClose={onClose}
      title={format(texts.endSSubscriptionNow, { dj_name })}
      label={texts.endNow}
      look="danger"
      wrong={wrong}
      send={async (values) => {
        const refund = refundOf(values)
        const { reason } = values
        const wish = { subscription_id, seen, reason, ...(isAboveZero(refund) ? { refund } : {}) }
        const { subscription, refund_error } = await callApi(subscriptions.endSubscription, wish)
        await renew(subscription)
        if (refund_error) return format(texts.sSubscriptionEndedButThe, { dj_name, refund_error })
        return isAboveZero(refund)
          ? format(texts.sSubscriptionEndedRefunded, { dj_name, refund: money(refund, currency) })
          : format(texts.sSubscriptionEnded, { dj_name })
      }}
    >
      {(form) => (
        <>
          <p>{format(texts.andDownloadAccessEndImmediately, { plan_name })}</p>
          {isAboveZero(refundable) && (
            <>
              <p className={css.hint}>{texts.refundForTheCurrentPeriod}</p>
              <Chips label={texts.refund} choices={choices} chosen={back} onChoose={setBack} />
            </>
          )}
          {back === 'other' && <OtherAmount form={form} currency={currency} refundable={refundable} />}
        </>
      )}
    </Deed>
  )
}

type OtherProps = {
  form: ReturnType<typeof useDialogForm<Values>>['form']
  currency: string
  refundable: string
}

function OtherAmount({ form, currency, refundable }: OtherProps) {
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
