import { subscriptions } from '@dubplate/contract'
import { Alert, Breadcrumbs, Button, Container, DataList, Grid, Group, Skeleton, Title } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Status } from '../../admin/cells.tsx'
import { Fact, PageSection } from '../../admin/PageSection.tsx'
import { describePaymentMethod } from '../../billing/paymentMethodTexts.ts'
import { formatDate } from '../../format/dates.ts'
import { format, rich } from '../../format/message.ts'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useTabTitle } from '../../platform/Page.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { gatewayName } from './refunds.ts'
import { SubscriptionHistory } from './SubscriptionHistory.tsx'
import { describeNextPayment, formatPrice, STATUS_TEXTS } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

const loadForms = () => import('./SubscriptionForms.tsx')
const CancelForm = lazyOnDemand(() => loadForms().then((code) => code.CancelForm))
const ResumeForm = lazyOnDemand(() => loadForms().then((code) => code.ResumeForm))
const EndForm = lazyOnDemand(() => loadForms().then((code) => code.EndForm))

type Props = { subscription: subscriptions.SubscriptionDetails }

/** One subscription: its state, history and actions. */
export function SubscriptionPage() {
  const { subscriptionId } = useParams({ from: '/staff/subscriptions/$subscriptionId' })
  const query = useApiQuery(subscriptions.getSubscription, { subscription_id: subscriptionId })
  const subscription = query.data?.subscription
  const name = subscription?.dj_name ?? format(texts.subscriptionPageTitle, { subscriptionId })
  useTabTitle(`${name} · ${texts.subscriptions}`)
  return (
    <Container size={1240} px={{ base: 'lg', sm: 'xl' }} py="lg">
      <Breadcrumbs fz="sm" c="dimmed" mb="sm">
        <Link to="/staff/subscriptions">{texts.subscriptions}</Link>
        <span>{name}</span>
      </Breadcrumbs>
      <Group justify="space-between" mb="lg">
        <Group gap="md">
          <Title order={1}>
            {subscription ? (
              <Link to="/staff/members/$customerId" params={{ customerId: subscription.customer_id }}>
                {name}
              </Link>
            ) : (
              name
            )}
          </Title>
          {subscription && (
            <Status tone={STATUS_TEXTS[subscription.status].tone}>{STATUS_TEXTS[subscription.status].text}</Status>
          )}
        </Group>
        {subscription && <Actions key={subscriptionId} subscription={subscription} />}
      </Group>
      {isUnknown(query.error) ? (
        <NotFound />
      ) : subscription ? (
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: 5 }}>
            <Details subscription={subscription} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, lg: 7 }}>
            <PageSection title={texts.activity}>
              <SubscriptionHistory events={subscription.history} currency={subscription.currency} />
            </PageSection>
          </Grid.Col>
        </Grid>
      ) : query.error ? (
        <ErrorState error={query.error} subject={texts.thisSubscription} retry={() => void query.refetch()} />
      ) : (
        <Skeleton height={320} radius="lg" aria-busy />
      )}
    </Container>
  )
}

const isUnknown = (error: Error | null) => error instanceof ApiError && error.code === 'unknown_subscription'

const bold = (inside: ReactNode) => <b>{inside}</b>

function Details({ subscription }: Props) {
  const { subscription_id, customer_id, dj_name, email, plan_name, status, coupon_code, next_plan_name } = subscription
  const { gateway, gateway_ref, method, paid_until, access_until, created_at, failure_reason } = subscription
  const next = describeNextPayment(subscription)
  const plan = { plan_name, price: formatPrice(subscription), b: bold }
  return (
    <PageSection title={format(texts.sSubscription, { dj_name, plan_name })}>
      {failure_reason && <Alert color="var(--danger)">{failure_reason}</Alert>}
      <DataList labelWidth="124px" gap={10}>
        <Fact label={texts.email}>{email}</Fact>
        <Fact label={texts.plan}>
          {next_plan_name ? rich(texts.planSwitchingTo, { ...plan, next_plan_name }) : rich(texts.planAndPrice, plan)}
        </Fact>
        {coupon_code && <Fact label={texts.coupon}>{coupon_code}</Fact>}
        {next && <Fact label={status === 'cancel_scheduled' ? texts.active : texts.nextPayment}>{next}</Fact>}
        {paid_until && <Fact label={texts.paidUntil}>{formatDate(paid_until)}</Fact>}
        {access_until && <Fact label={texts.accessUntil}>{formatDate(access_until)}</Fact>}
        <Fact label={texts.paymentMethod}>
          {describePaymentMethod(method)} · {gatewayName(gateway)}
        </Fact>
        {gateway_ref && <Fact label={texts.reference}>{gateway_ref}</Fact>}
        <Fact label={texts.started}>{formatDate(created_at)}</Fact>
      </DataList>
      <Group gap="xl" fz="sm" c="var(--accent-ink)">
        <Link to="/staff/payments" search={{ subscription: subscription_id }}>
          {texts.payments}
        </Link>
        <Link to="/staff/invoices" search={{ member: customer_id }}>
          {texts.invoices}
        </Link>
        <Link to="/staff/subscriptions" search={{ member: customer_id }}>
          {texts.allSubscriptions}
        </Link>
      </Group>
    </PageSection>
  )
}

function Actions({ subscription }: Props) {
  const [OpenForm, setOpenForm] = useState<{ Form: typeof CancelForm }>()
  const { can_cancel, can_resume, can_end, status } = subscription
  return (
    <Group gap="sm">
      {can_resume && (
        <Button variant="default" onClick={() => setOpenForm({ Form: ResumeForm })}>
          {texts.resume}
        </Button>
      )}
      {can_cancel && (
        <Button variant="default" onClick={() => setOpenForm({ Form: CancelForm })}>
          {status === 'pending' ? texts.cancelOrderMenuItem : texts.cancelMenuItem}
        </Button>
      )}
      {can_end && (
        <Button variant="default" c="var(--danger)" onClick={() => setOpenForm({ Form: EndForm })}>
          {texts.endNowMenuItem}
        </Button>
      )}
      {OpenForm && <OpenForm.Form subscription={subscription} onClose={() => setOpenForm(undefined)} />}
    </Group>
  )
}

function NotFound() {
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={<IconRepeat size={24} />}
      title={texts.subscriptionNotFound}
      action={
        <Button variant="default" onClick={() => void navigate({ to: '/staff/subscriptions' })}>
          {texts.backToSubscriptions}
        </Button>
      }
    >
      {texts.thisSubscriptionDoesntExistOr}
    </EmptyState>
  )
}
