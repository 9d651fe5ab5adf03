import { amountOf } from '../gateways/amounts.ts'
import { toDecimal } from '../gateways/money.ts'
import { customerReference } from '../membership/emails.ts'
import type { Payer } from '../membership/payment-status.ts'
import { markNotificationSeen, notify } from '../notices/notifications.ts'
import type { Sql } from '../platform/db.ts'
import type { EmailContent } from '../platform/email-template.ts'
import { queueMail } from '../platform/outbox.ts'
import type { BillingContext } from './billing-context.ts'
import type { Charged } from './charges.ts'
import * as emails from './emails.ts'
import { NOTICE_DAYS, periodLabel } from './payment-schedule.ts'
import { recordSubscriptionEvent } from './subscription-events.ts'
import { daysAfter } from './subscription-state.ts'
import { nextAmount, type Subscription, termsOfSubscription } from './subscriptions.ts'

type SubscriptionChange = {
  payer: Payer
  before: Subscription
  after: Subscription
  charges: readonly Charged[]
  now: Date
}

/** The subject of notifications about a subscription; only the newest is shown. */
export const SUBSCRIPTION = 'subscription'

/**
 * Queues the emails and notifications about a change, each once, in the transaction that makes the change. Receipts are
 * sent by receipts.ts.
 */
export async function notifyAboutChange(
  sql: Sql,
  billingCtx: BillingContext,
  change: SubscriptionChange,
): Promise<void> {
  const { before, after, payer } = change
  if (before.status === 'past_due' && after.status === 'active')
    await markNotificationSeen(sql, payer.customer_id, SUBSCRIPTION)
  await notifyCancellation(sql, billingCtx, change)
  await notifyEnd(sql, billingCtx, change)
  await notifyPaymentFailures(sql, billingCtx, change)
  await notifyUpcomingPayment(sql, billingCtx, change)
}

const send = async (sql: Sql, { payer }: SubscriptionChange, email: EmailContent): Promise<void> =>
  queueMail(sql, email, { reference: customerReference(payer.customer_id) })

const MANAGE_PATH = '/account/manage-subscription'

const createNotification = async (
  sql: Sql,
  { payer }: SubscriptionChange,
  text: string,
  address: string,
): Promise<void> => notify(sql, { customer_id: payer.customer_id, kind: 'payment', text, address, about: SUBSCRIPTION })

const emailSenderOf = ({ settings }: BillingContext) => settings.emailSender

async function notifyCancellation(sql: Sql, billingCtx: BillingContext, change: SubscriptionChange): Promise<void> {
  const { before, after, payer, now } = change
  if (after.status !== 'cancel_scheduled' || before.status === 'cancel_scheduled' || !after.paid_until) return
  const reference = (after.cancelled_as_of ?? now).toISOString()
  if (!(await recordSubscriptionEvent(sql, after.subscription_id, { kind: 'cancelled', reference, now }))) return
  await send(
    sql,
    change,
    emails.cancelledEmail(emailSenderOf(billingCtx), payer, {
      plan: after.title,
      until: after.paid_until,
      canResume: !after.has_ended && billingCtx.gateways.get(after.gateway)?.resume !== undefined,
    }),
  )
}

async function notifyEnd(sql: Sql, billingCtx: BillingContext, change: SubscriptionChange): Promise<void> {
  const { before, after, payer, now } = change
  const until = after.paid_until ?? after.ended_at
  if (after.status !== 'ended' || before.status === 'ended' || !until) return
  const reference = periodLabel(until)
  if (!(await recordSubscriptionEvent(sql, after.subscription_id, { kind: 'ended', reference, now }))) return
  const why = before.status === 'past_due' ? 'unpaid' : 'expired'
  await send(sql, change, emails.endedEmail(emailSenderOf(billingCtx), payer, { plan: after.title, why }))
  await createNotification(sql, change, `Your ${after.title} subscription has ended.`, '/subscription/plans')
}

/** For payments that fail without the member being present. */
async function notifyPaymentFailures(sql: Sql, billingCtx: BillingContext, change: SubscriptionChange): Promise<void> {
  const { after, charges, payer, now } = change
  if (after.status !== 'past_due' || !after.access_until || !after.paid_until) return
  for (const charge of charges) {
    if (charge.status !== 'failed' || charge.reason !== 'renewal' || charge.period_start < after.paid_until) continue
    const reference = `${charge.gateway_ref} ${charge.at.toISOString().slice(0, 10)}`
    if (!(await recordSubscriptionEvent(sql, after.subscription_id, { kind: 'payment_failed', reference, now })))
      continue
    const amount = `${toDecimal(charge.amount_minor)} ${after.currency}`
    const { title: plan, access_until: until } = after
    await send(
      sql,
      change,
      emails.paymentFailedEmail(emailSenderOf(billingCtx), payer, {
        plan,
        amount,
        until,
        rests: now >= until,
        why: charge.failure_reason,
      }),
    )
    await createNotification(
      sql,
      change,
      `We couldn’t charge ${amount} for ${plan}. Update your payment details.`,
      MANAGE_PATH,
    )
  }
}

async function notifyUpcomingPayment(sql: Sql, billingCtx: BillingContext, change: SubscriptionChange): Promise<void> {
  const { after, charges, payer, now } = change
  const { paid_until, interval } = after
  if (!paid_until || (after.status !== 'active' && after.status !== 'trialing')) return
  if (now < daysAfter(paid_until, -NOTICE_DAYS[interval]) || now >= paid_until) return
  const event = { kind: 'payment_coming', reference: periodLabel(paid_until), now }
  if (!(await recordSubscriptionEvent(sql, after.subscription_id, event))) return
  const { amount_minor } = nextAmount(after, charges)
  const expires = after.card_expires_on && after.card_expires_on < paid_until ? after.card_expires_on : null
  const amount = `${toDecimal(amount_minor)} ${after.currency}`
  const coming = { plan: after.title, amount, on: paid_until, expires }
  const transfer = after.method === 'bank_transfer' ? billingCtx.config.payments.transferInstructions : undefined
  await send(
    sql,
    change,
    transfer === undefined
      ? emails.paymentUpcomingEmail(emailSenderOf(billingCtx), payer, coming)
      : emails.transferDueEmail(emailSenderOf(billingCtx), payer, {
          ...coming,
          reference: referenceOf(after),
          instructions: transfer,
        }),
  )
  if (expires)
    await createNotification(
      sql,
      change,
      `Your card expires before the next ${after.title} payment. Update your payment details.`,
      MANAGE_PATH,
    )
}

/** The reference that identifies a bank transfer. */
export const referenceOf = ({ subscription_id }: Pick<Subscription, 'subscription_id'>): string =>
  `DUB-${String(subscription_id).padStart(6, '0')}`

/** Tells the member how to pay an order by bank transfer. */
export async function notifyTransferOrder(
  sql: Sql,
  billingCtx: BillingContext,
  { payer, subscription }: { payer: Payer; subscription: Subscription },
): Promise<void> {
  const { amount_minor } = amountOf(termsOfSubscription(subscription), 1)
  const email = emails.transferOrderedEmail(emailSenderOf(billingCtx), payer, {
    plan: subscription.title,
    amount: `${toDecimal(amount_minor)} ${subscription.currency}`,
    reference: referenceOf(subscription),
    instructions: billingCtx.config.payments.transferInstructions,
  })
  await queueMail(sql, email, { reference: customerReference(payer.customer_id) })
}
