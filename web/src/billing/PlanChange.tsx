import { billing } from '@dubplate/contract'
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
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
import { money } from './money.ts'
import { ErrorText } from './PaymentErrors.tsx'
import { Note } from './PaymentPage.tsx'
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
      <Skeleton height={220} radius="lg" aria-busy />
    )
  // A change scheduled for the next period is cancelled by choosing the current plan.
  const { plan_id, next_plan_id, subscription_title } = agreement
  const effectivePlanId = next_plan_id ?? plan_id
  const others = data.plans.filter(({ id }) => id !== effectivePlanId)
  const title = data.plans.find(({ id }) => id === effectivePlanId)?.title ?? subscription_title
  const keep = effectivePlanId === plan_id ? texts.keepPlan : texts.keepScheduledChange
  const plan = others.find(({ id }) => String(id) === chosen)
  if (others.length === 0) return <Note>{texts.noOtherPlansAreAvailable}</Note>
  return (
    <Stack gap="md">
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
          <Quote>{texts.selectAPlanToSee}</Quote>
          <Group mt="sm" justify="flex-end">
            <Button onClick={onClose}>{keep}</Button>
          </Group>
        </>
      )}
    </Stack>
  )
}

const priceOf = ({ price, currency, interval }: billing.Plan) => priceText(money(price, currency), interval)

/** Two lines high, so that the quote appears without moving the buttons. */
const Quote = ({ children, ...status }: { role?: 'status'; 'aria-busy'?: boolean; children: ReactNode }) => (
  <Text inherit component="div" mih="2.8em" c="var(--text-2)" {...status}>
    {children}
  </Text>
)

type ChangeProps = {
  plan: billing.Plan
  /** The label of the button that changes nothing. */
  keep: string
  isKeepingPlan: boolean
  onClose: () => void
}

/** Plan names may be long. */
const WRAPPING = { maxWidth: '100%', height: 'auto', minHeight: 36, paddingBlock: 6, whiteSpace: 'normal' } as const

/** The quote of one plan, and the button that changes to it at the quoted price. */
function ConfirmPlanChange({ plan, keep, isKeepingPlan, onClose }: ChangeProps) {
  const input = { plan_id: plan.id }
  const { data: quote, error, refetch } = useApiQuery(billing.quotePlanChange, input)
  const change = useMutation({
    networkMode: 'always',
    mutationFn: async (due_now: string) => {
      const { url, agreement } = await callApi(billing.changePlan, { ...input, due_now })
      if (url) return continueCheckout({ kind: 'provider', url })
      await refetchSubscription()
      void toast({ message: planChangeMessage(plan, agreement) })
      onClose()
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.code === 'quote_changed')
        await queryClient.invalidateQueries({ queryKey: [billing.quotePlanChange.path] })
    },
  })
  if (!quote && error)
    return (
      <Quote>
        {isWorthRetrying(error) ? (
          <InlineError alert error={error} title={texts.couldntLoadThePriceInline} retry={() => void refetch()} />
        ) : (
          <p role="alert">{error.message}</p>
        )}
      </Quote>
    )
  return (
    <>
      <Quote role="status" aria-busy={!quote}>
        {quote && describeQuote(quote, plan.interval)}
      </Quote>
      <ErrorText>{change.error?.message}</ErrorText>
      <Group gap="sm" mt="sm" justify="flex-end">
        <Button onClick={onClose}>{keep}</Button>
        <Button
          variant="primary"
          style={WRAPPING}
          busy={change.isPending}
          disabled={!quote}
          onClick={() => quote && change.mutate(quote.due_now)}
        >
          {format(isKeepingPlan ? texts.stayOnPlan : texts.switchToPlan, { title: plan.title })}
        </Button>
      </Group>
    </>
  )
}

const planChangeMessage = (plan: billing.Plan, { plan_id }: billing.Agreement) =>
  plan_id === plan.id
    ? format(texts.youreNowOn, { title: plan.title })
    : format(texts.switchWithNextPayment, { title: plan.title })
