import { billing } from '@dubplate/contract'
import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconBuildingBank, IconCreditCard, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { formatDate } from '../format/dates.ts'
import { format, rich } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { refetchSubscription } from './agreement.ts'
import { describeNextPayment, expiresBeforeRenewal } from './agreementTexts.ts'
import css from './Billing.module.css'
import { money } from './money.ts'
import { PlansLink } from './PaymentLinks.tsx'
import { describePaymentMethod, UPDATE_METHOD_HINTS } from './paymentMethodTexts.ts'
import * as texts from './texts.ts'

type Agreement = billing.Agreement
/** Opens a dialog of the screen, once it can be shown. */
export type OpenDialog = (name: 'plans' | 'cancel' | 'card') => Promise<void>
type Props = { agreement: Agreement; onOpen: OpenDialog }

type CardProps = { title: string; badge?: ReactNode; actions?: ReactNode; children: ReactNode }

function SubscriptionCard({ title, badge, actions, children }: CardProps) {
  const id = useId()
  return (
    <Stack
      component="section"
      className={`${css.card} ${css.subscription}`}
      gap={6}
      p="lg"
      c="var(--text-2)"
      aria-labelledby={id}
    >
      <Group component="header" justify="space-between" mih={24}>
        <Text component="h2" id={id} inherit fz="sm" fw={560}>
          {title}
        </Text>
        {badge}
      </Group>
      {children}
      {actions && (
        <Group gap="sm" mt="auto" pt={10}>
          {actions}
        </Group>
      )}
    </Stack>
  )
}

const Fact = ({ children }: { children: string }) => (
  <Text inherit fz="sm">
    {children}
  </Text>
)

const STATUSES: Record<billing.ProfileStatus, { text: string; color: string }> = {
  CREATED: { text: texts.processing, color: 'var(--text-2)' },
  Active: { text: texts.active, color: 'var(--accent-ink)' },
  'Past due': { text: texts.pastDue, color: 'var(--danger)' },
  Cancelled: { text: texts.cancelled, color: 'var(--text-2)' },
  Ended: { text: texts.ended, color: 'var(--text-2)' },
}

/** The plan, its price, its state and its actions. */
export function PlanCard({ agreement, onOpen }: Props) {
  const { subscription_title, plan_id, next_plan_id, plan_price, currency, interval } = agreement
  const { created_at, profile_status, transfer } = agreement
  const next = describeNextPayment(agreement)
  const { text, color } = STATUSES[profile_status]
  const hasScheduledChange = profile_status === 'Active' && next_plan_id !== null && next_plan_id !== plan_id
  return (
    <SubscriptionCard
      title={profile_status === 'Ended' ? texts.previousPlan : texts.currentPlan}
      badge={
        <Badge variant="light" color={color} size="lg" tt="none" fz="xs" fw={650}>
          {text}
        </Badge>
      }
      actions={<PlanActions agreement={agreement} onOpen={onOpen} />}
    >
      <Text c="var(--text)" fz="xl" fw={680} lh={1.25} lts="-0.015em">
        {subscription_title}
      </Text>
      <p>
        {rich(interval === 'year' ? texts.pricePerYear : texts.pricePerMonth, {
          price: (
            <Text component="b" className="num" inherit c="var(--text)" fz="lg" fw={620}>
              {money(plan_price, currency)}
            </Text>
          ),
        })}
      </p>
      <Fact>
        {format(profile_status === 'CREATED' ? texts.orderedOn : texts.since, { date: formatDate(created_at) })}
      </Fact>
      {next && <p>{next}</p>}
      {profile_status === 'CREATED' && <PaymentInProgress agreement={agreement} />}
      {hasScheduledChange && <NextPlan agreement={agreement} planId={next_plan_id} />}
      {transfer && <Transfer {...transfer} currency={currency} due={formatDate(agreement.next_payment_date)} />}
    </SubscriptionCard>
  )
}

/** What a payment is waiting for. A bank transfer shows its own instructions instead. */
function PaymentInProgress({ agreement: { failure_reason, transfer } }: { agreement: Agreement }) {
  if (transfer) return <p>{texts.yourPlanStartsWhenWe}</p>
  return <p role="status">{failure_reason || texts.yourPaymentIsBeingProcessed}</p>
}

type TransferProps = NonNullable<Agreement['transfer']> & {
  currency: string
  /** The date of the next payment; '' for a first payment, which is due at once. */
  due: string
}

/** The details of a bank transfer. */
const Transfer = ({ reference, amount, instructions, currency, due }: TransferProps) => (
  <Stack
    component="section"
    gap="sm"
    mt={4}
    p="10px 12px"
    bdrs="md"
    bg="var(--surface-2)"
    c="var(--text)"
    aria-label={texts.bankTransfer}
  >
    <dl className={css.facts}>
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
    {instructions && <p style={{ whiteSpace: 'pre-line' }}>{instructions}</p>}
  </Stack>
)

function NextPlan({ agreement, planId }: { agreement: Agreement; planId: number }) {
  const { data } = useApiQuery(billing.getPlan, { plan_id: planId })
  const title = data?.plan.title
  const date = formatDate(agreement.next_payment_date)
  return (
    <p>{title ? format(texts.switchesToOn, { title, date }) : format(texts.switchesToAnotherPlanOnDate, { date })}</p>
  )
}

function PlanActions({ agreement: { profile_status, can_resume, can_update_card }, onOpen }: Props) {
  const cancel = <Button onClick={() => void onOpen('cancel')}>{texts.cancelPlan}</Button>
  switch (profile_status) {
    case 'CREATED':
      return <CancelPaymentButton />
    case 'Active':
      return (
        <>
          <Button variant="primary" onClick={() => void onOpen('plans')}>
            {texts.upgradePlan}
          </Button>
          {cancel}
        </>
      )
    case 'Past due':
      return (
        <>
          {can_update_card && <UpdateCardButton isMain label={texts.updatePaymentDetails} onOpen={onOpen} />}
          <PlansLink>{texts.subscribe}</PlansLink>
          {cancel}
        </>
      )
    default:
      return (
        <>
          {can_resume && <ResumeButton />}
          <PlansLink isMain={!can_resume}>{texts.subscribe}</PlansLink>
        </>
      )
  }
}

/** Cancels a payment that was started but is no longer wanted, so that the member can choose again. */
function CancelPaymentButton() {
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => callApi(billing.cancelBilling, {}),
    onSuccess: async ({ profile_status }) => {
      await refetchSubscription()
      // If it was paid at the same moment, the plan has been cancelled instead and is shown here.
      if (profile_status === 'Ended') goTo('/subscription/plans')
    },
    onError: (error) => {
      void toastError(texts.couldntCancelThePayment, error)
      return refetchSubscription()
    },
  })
  return (
    <>
      <Button disabled>{texts.paymentProcessing}</Button>
      <Button busy={isPending} onClick={() => mutate()}>
        {texts.cancelPayment}
      </Button>
    </>
  )
}

function ResumeButton() {
  const { mutate, isPending } = useMutation({
    networkMode: 'always',
    mutationFn: () => callApi(billing.resumeBilling, {}),
    onSuccess: () => void toast({ message: texts.yourPlanHasBeenResumed }),
    onError: (error) => void toastError(texts.couldntResumeYourPlan, error),
    onSettled: refetchSubscription,
  })
  return (
    <Button variant="primary" busy={isPending} onClick={() => mutate()}>
      {texts.resumePlan}
    </Button>
  )
}

const METHOD_ICONS = {
  credit_card: IconCreditCard,
  paypal: IconCreditCard,
  mobile_wallet: IconDeviceMobile,
  bank_transfer: IconBuildingBank,
}

/** The payment method of the subscription, with the way to change it. */
export function MethodCard({ agreement, onOpen }: Props) {
  const { payment_method, profile_status, can_update_card } = agreement
  const { kind, expires } = payment_method
  const Icon = METHOD_ICONS[kind]
  const isChangeable = profile_status !== 'CREATED' && profile_status !== 'Ended'
  return (
    <SubscriptionCard
      title={texts.paymentMethod}
      actions={isChangeable && can_update_card && <UpdateCardButton label={texts.updateCard} onOpen={onOpen} />}
    >
      <Group gap={10} wrap="nowrap" mih={30} c="var(--text-3)">
        <Icon size={22} stroke={1.6} style={{ flex: 'none' }} aria-hidden />
        <Text component="b" className="num" inherit fw={580} c="var(--text)">
          {describePaymentMethod(payment_method)}
        </Text>
      </Group>
      {expires && <Fact>{format(texts.expires, { expires })}</Fact>}
      {expiresBeforeRenewal(agreement) && (
        <Group gap="sm" wrap="nowrap" align="flex-start" c="var(--warn)">
          <IconAlertTriangle size={16} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
          <p>{texts.cardExpiresBeforeNextPayment}</p>
        </Group>
      )}
      {isChangeable && !can_update_card && <Fact>{UPDATE_METHOD_HINTS[kind]}</Fact>}
    </SubscriptionCard>
  )
}

type UpdateCardProps = { label: string; isMain?: boolean; onOpen: OpenDialog }

function UpdateCardButton({ label, isMain = false, onOpen }: UpdateCardProps) {
  const { mutate, isPending } = useMutation({ networkMode: 'always', mutationFn: () => onOpen('card') })
  return (
    <Button variant={isMain ? 'primary' : 'plain'} busy={isPending} onClick={() => mutate()}>
      {label}
    </Button>
  )
}
