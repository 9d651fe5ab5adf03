import { subscriptions } from '@dubplate/contract'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { describePaymentMethod } from '../../billing/paymentMethodTexts.ts'
import { ApiError } from '../../platform/api.ts'
import { formatDate } from '../../platform/dates.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import buttonCss from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import css from './Commerce.module.css'
import { nextWords, priceWords, STATE_WORDS } from './commerceWords.ts'
import { gatewayName } from './paymentWords.ts'
import { SubscriptionHistory } from './SubscriptionHistory.tsx'
import * as texts from './texts.ts'

const load = () => import('./SubscriptionForms.tsx')
const CancelFor = lazyOnDemand(() => load().then((code) => code.CancelFor))
const ResumeFor = lazyOnDemand(() => load().then((code) => code.ResumeFor))
const EndNow = lazyOnDemand(() => load().then((code) => code.EndNow))

/** One subscription: its state, history and actions. */
export function SubscriptionPage() {
  const { subscriptionId } = useParams({ from: '/staff/subscriptions/$subscriptionId' })
  return (
    <StaffPage title={format(texts.subscriptionPageTitle, { subscriptionId })}>
      <Whole key={subscriptionId} subscriptionId={subscriptionId} />
    </StaffPage>
  )
}

function Whole({ subscriptionId }: { subscriptionId: number }) {
  const { data, error, refetch } = useApiQuery(subscriptions.getSubscription, { subscription_id: subscriptionId })
  if (error instanceof ApiError && error.code === 'unknown_subscription') return <NoSuch />
  if (!data) {
    return error ? (
      <ErrorState error={error} subject={texts.thisSubscription} retry={() => void refetch()} />
    ) : (
      <div className={lists.bone} style={{ height: 260 }} aria-busy />
    )
  }
  return (
    <>
      <Standing subscription={data.subscription} />
      <section className={css.card} aria-label={texts.activity}>
        <h2>{texts.activity}</h2>
        <SubscriptionHistory happenings={data.subscription.history} currency={data.subscription.currency} />
      </section>
    </>
  )
}

type Props = { subscription: subscriptions.SubscriptionDetails }

const bold = (inside: ReactNode) => <b>{inside}</b>

function Standing({ subscription }: Props) {
  const { subscription_id, customer_id, dj_name, email, plan_name, status, coupon_code, next_plan_name } = subscription
  const { gateway, gateway_ref, method, paid_until, access_until, created_at, failure_reason } = subscription
  const { text, tone } = STATE_WORDS[status]
  const next = nextWords(subscription)
  return (
    <section className={css.card} aria-label={format(texts.sSubscription, { dj_name, plan_name })}>
      <header className={css.head}>
        <h2>
          <Link to="/staff/members/$customerId" params={{ customerId: customer_id }} className={css.link}>
            {dj_name}
          </Link>
        </h2>
        <b className={css.tone} data-tone={tone}>
          {text}
        </b>
      </header>
      <dl className={css.facts}>
        <Fact name={texts.email}>{email}</Fact>
        <Fact name={texts.plan}>
          {next_plan_name
            ? rich(texts.planSwitchingTo, { plan_name, price: priceWords(subscription), next_plan_name, b: bold })
            : rich(texts.planAndPrice, { plan_name, price: priceWords(subscription), b: bold })}
        </Fact>
        {coupon_code && <Fact name={texts.coupon}>{coupon_code}</Fact>}
        {next && <Fact name={status === 'cancel_scheduled' ? texts.active : texts.nextPayment}>{next}</Fact>}
        {paid_until && <Fact name={texts.paidUntil}>{formatDate(paid_until)}</Fact>}
        {access_until && <Fact name={texts.accessUntil}>{formatDate(access_until)}</Fact>}
        <Fact name={texts.paymentMethod}>
          {describePaymentMethod(method)} · {gatewayName(gateway)}
        </Fact>
        {gateway_ref && <Fact name={texts.reference}>{gateway_ref}</Fact>}
        <Fact name={texts.started}>{formatDate(created_at)}</Fact>
      </dl>
      {failure_reason && <p className={lists.trouble}>{failure_reason}</p>}
      <Deeds subscription={subscription} />
      <p className={lists.facts}>
        <Link to="/staff/payments" search={{ subscription: subscription_id }} className={css.link}>
          {texts.payments}
        </Link>
        <Link to="/staff/invoices" search={{ member: customer_id }} className={css.link}>
          {texts.invoices}
        </Link>
        <Link to="/staff/subscriptions" search={{ member: customer_id }} className={css.link}>
          {texts.allSubscriptions}
        </Link>
      </p>
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

type Form = 'cancel' | 'resume' | 'end'

function Deeds({ subscription }: Props) {
  const [form, setForm] = useState<Form>()
  const { can_cancel, can_resume, can_end, status } = subscription
  const common = { subscription, onClose: () => setForm(undefined) }
  if (!can_cancel && !can_resume && !can_end) return null
  return (
    <div className={lists.actions}>
      {can_resume && <Button onClick={() => setForm('resume')}>{texts.resume}</Button>}
      {can_cancel && (
        <Button onClick={() => setForm('cancel')}>
          {status === 'pending' ? texts.cancelOrderMenuItem : texts.cancelMenuItem}
        </Button>
      )}
      {can_end && (
        <Button variant="danger" onClick={() => setForm('end')}>
          {texts.endNowMenuItem}
        </Button>
      )}
      {form === 'cancel' && <CancelFor {...common} />}
      {form === 'resume' && <ResumeFor {...common} />}
      {form === 'end' && <EndNow {...common} />}
    </div>
  )
}

const NoSuch = () => (
  <EmptyState
    icon={<IconRepeat size={24} />}
    title={texts.subscriptionNotFound}
    action={
      <Link to="/staff/subscriptions" className={buttonCss.button}>
        {texts.backToSubscriptions}
      </Link>
    }
  >
    {texts.thisSubscriptionDoesntExistOr}
  </EmptyState>
)
