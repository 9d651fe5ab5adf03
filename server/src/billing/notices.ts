import { amountOf } from '../gateways/amounts.ts'
import { asDecimal } from '../gateways/money.ts'
import { ofCustomer } from '../membership/letters.ts'
import type { Payer } from '../membership/payment-status.ts'
import { noticeSeen, notify } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'
import type { Letter } from '../platform/letter.ts'
import { queueMail } from '../platform/outbox.ts'
import type { Charged } from './charges.ts'
import { happens } from './happenings.ts'
import * as letters from './letters.ts'
import type { Paying } from './paying.ts'
import { daysAfter } from './standing.ts'
import { nextAmount, type Subscription, termsOfSubscription } from './subscriptions.ts'
import { NOTICE_DAYS, periodName } from './timetable.ts'

type Change = {
  payer: Payer
  before: Subscription
  after: Subscription
  charges: readonly Charged[]
  now: Date
}

/** What the notices about a subscription are about: the newest counts. */
export const SUBSCRIPTION = 'subscription'

/**
 * Writes the letters and notices a change asks for, each once, in the transaction that makes it. Receipts are receipts.ts's.
 */
export async function tellAbout(sql: Sql, paying: Paying, change: Change): Promise<void> {
  const { before, after, payer } = change
  if (before.status === 'past_due' && after.status === 'active') await noticeSeen(sql, payer.customer_id, SUBSCRIPTION)
  await tellOfCancellation(sql, paying, change)
  await tellOfEnd(sql, paying, change)
  await tellOfFailures(sql, paying, change)
  await tellOfPaymentComing(sql, paying, change)
}

const send = async (sql: Sql, { payer }: Change, letter: Letter): Promise<void> =>
  queueMail(sql, letter, { whose: ofCustomer(payer.customer_id) })

const MANAGE = '/account/manage-subscription'

const ring = async (sql: Sql, { payer }: Change, text: string, address: string): Promise<void> =>
  notify(sql, { customer_id: payer.customer_id, kind: 'payment', text, address, about: SUBSCRIPTION })

const senderOf = ({ settings }: Paying) => settings.letterhead

async function tellOfCancellation(sql: Sql, paying: Paying, change: Change): Promise<void> {
  const { before, after, payer, now } = change
  if (after.status !== 'cancel_scheduled' || before.status === 'cancel_scheduled' || !after.paid_until) return
  const about = (after.cancelled_as_of ?? now).toISOString()
  if (!(await happens(sql, after.subscription_id, { what: 'cancelled', about, now }))) return
  await send(
    sql,
    change,
    letters.cancelled(senderOf(paying), payer, {
      plan: after.title,
      until: after.paid_until,
      canResume: !after.is_over && paying.gateways.get(after.gateway)?.resume !== undefined,
    }),
  )
}

async function tellOfEnd(sql: Sql, paying: Paying, change: Change): Promise<void> {
  const { before, after, payer, now } = change
  const until = after.paid_until ?? after.ended_at
  if (after.status !== 'ended' || before.status === 'ended' || !until) return
  const about = periodName(until)
  if (!(await happens(sql, after.subscription_id, { what: 'ended', about, now }))) return
  const why = before.status === 'past_due' ? 'unpaid' : 'over'
  await send(sql, change, letters.ended(senderOf(paying), payer, { plan: after.title, why }))
  await ring(sql, change, `Your ${after.title} subscription has ended.`, '/subscription/plans')
}

/** Of payments that fail while nobody sits at the screen. */
async function tellOfFailures(sql: Sql, paying: Paying, change: Change): Promise<void> {
  const { after, charges, payer, now } = change
  if (after.status !== 'past_due' || !after.access_until || !after.paid_until) return
  for (const charge of charges) {
    if (charge.status !== 'failed' || charge.reason !== 'renewal' || charge.period_start < after.paid_until) continue
    const about = `${charge.gateway_ref} ${charge.at.toISOString().slice(0, 10)}`
    if (!(await happens(sql, after.subscription_id, { what: 'payment_failed', about, now }))) continue
    const amount = `${asDecimal(charge.amount_minor)} ${after.currency}`
    const { title: plan, access_until: until } = after
    await send(
      sql,
      change,
      letters.paymentFailed(senderOf(paying), payer, { plan, amount, until, rests: now >= until, why: charge.trouble }),
    )
    await ring(sql, change, `We couldn’t charge ${amount} for ${plan}. Update your payment details.`, MANAGE)
  }
}

async function tellOfPaymentComing(sql: Sql, paying: Paying, change: Change): Promise<void> {
  const { after, charges, payer, now } = change
  const { paid_until, interval } = after
  if (!paid_until || (after.status !== 'active' && after.status !== 'trialing')) return
  if (now < daysAfter(paid_until, -NOTICE_DAYS[interval]) || now >= paid_until) return
  const told = { what: 'payment_coming', about: periodName(paid_until), now }
  if (!(await happens(sql, after.subscription_id, told))) return
  const { amount_minor } = nextAmount(after, charges)
  const expires = after.card_expires_on && after.card_expires_on < paid_until ? after.card_expires_on : null
  const amount = `${asDecimal(amount_minor)} ${after.currency}`
  const coming = { plan: after.title, amount, on: paid_until, expires }
  const transfer = after.method === 'bank_transfer' ? paying.config.payments.transferInstructions : undefined
  await send(
    sql,
    change,
    transfer === undefined
      ? letters.paymentComing(senderOf(paying), payer, coming)
      : letters.transferDue(senderOf(paying), payer, {
          ...coming,
          reference: referenceOf(after),
          instructions: transfer,
        }),
  )
  if (expires)
    await ring(
      sql,
      change,
      `Your card expires before the next ${after.title} payment. Update your payment details.`,
      MANAGE,
    )
}

/** What a bank transfer is told apart by. */
export const referenceOf = ({ subscription_id }: Pick<Subscription, 'subscription_id'>): string =>
  `DUB-${String(subscription_id).padStart(6, '0')}`

/** How to pay what was ordered by bank transfer. */
export async function tellOfOrder(
  sql: Sql,
  paying: Paying,
  { payer, subscription }: { payer: Payer; subscription: Subscription },
): Promise<void> {
  const { amount_minor } = amountOf(termsOfSubscription(subscription), 1)
  const letter = letters.transferOrdered(senderOf(paying), payer, {
    plan: subscription.title,
    amount: `${asDecimal(amount_minor)} ${subscription.currency}`,
    reference: referenceOf(subscription),
    instructions: paying.config.payments.transferInstructions,
  })
  await queueMail(sql, letter, { whose: ofCustomer(payer.customer_id) })
}
