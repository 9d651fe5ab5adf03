import { amountOf } from '../gateways/amounts.ts'
import { Declined, type Gateway, ProviderAway, type RenewalOrder } from '../gateways/gateway.ts'
import { periodEnd } from '../gateways/periods.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { untangled } from '../platform/untangled.ts'
import { chargesOf } from './charges.ts'
import { abandon } from './checkout.ts'
import { timeOf } from './clock.ts'
import { happens } from './happenings.ts'
import { applyEvents, applyWaiting } from './ledger.ts'
import type { Paying } from './paying.ts'
import { goesOnThere, settle } from './settle.ts'
import {
  atGateway,
  holdSubscription,
  paidPeriods,
  readSubscription,
  type Subscription,
  termsOfSubscription,
} from './subscriptions.ts'
import { nextTry, periodName, triesOf } from './timetable.ts'

const AT_ONCE = 50

/** Looks at subscriptions for which the time has come; answers whether there may be more. */
export async function lookAtDue(paying: Paying): Promise<boolean> {
  const { sql } = paying
  // Only the sandbox has clocks of its own; everywhere else it is a walk over the index.
  const clocks = paying.gateways.has('sandbox')
  const due = await sql<{ subscription_id: number }[]>`
    select subscription_id from subscription s ${clocks ? sql`left join sandbox_clock c using (customer_id)` : sql``}
    where look_at <= ${paying.now()}::timestamptz
      ${clocks ? sql`+ make_interval(secs => coalesce(c.ahead_seconds, 0))` : sql``}
    order by look_at limit ${AT_ONCE}`
  for (const { subscription_id } of due) {
    await lookAt(paying, subscription_id).catch(async (error) => {
      // The outage itself is logged once, by gateway-health.ts.
      if (!(error instanceof ProviderAway) && !(error instanceof Refusal && error.code === 'provider_unavailable'))
        paying.log.error({ subscription_id, err: error }, 'Could not process a due subscription; will retry')
      await postpone(paying, subscription_id)
    })
  }
  return due.length === AT_ONCE
}

/** What cannot be done now holds nobody else up. */
const LATER_MINUTES = 10

async function postpone({ sql, now }: Paying, subscriptionId: number): Promise<void> {
  await sql`
    update subscription set look_at = greatest(look_at, ${now()}::timestamptz) + make_interval(mins => ${LATER_MINUTES})
    where subscription_id = ${subscriptionId}`
}

/** Does what the time asks of one subscription: a payment, a letter, an end. Several at once do it once. */
export async function lookAt(paying: Paying, subscriptionId: number): Promise<void> {
  const { sql, gateways } = paying
  const subscription = await readSubscription(sql, subscriptionId)
  if (!subscription) return
  const now = await timeOf(sql, paying, subscription.customer_id)
  const gateway = gateways.get(subscription.gateway)
  // Before time ends something, its provider is asked: a payment may be there that nobody told of.
  if (gateway?.renews === 'gateway' && (subscription.gateway_ref || subscription.payer_ref)) {
    await askAgain(paying, subscription, now)
  }
  if (await hasStartedCharge(sql, subscriptionId)) await askAgain(paying, subscription, now)
  if (subscription.status === 'pending' && now >= subscription.checkout_ends_at) await abandon(paying, subscription)
  const { settled, order } = await untangled(sql, async (sql) => {
    const held = await holdSubscription(sql, subscriptionId)
    if (held) await applyWaiting(sql, paying, held, now)
    const settled = await settle(sql, paying, subscriptionId, now)
    const order = gateway?.charge ? await orderRenewal(sql, settled, { now, isPushed: false }) : undefined
    return { settled, order }
  })
  if (order) await pay(paying, subscriptionId, order, now)
  if (gateway) await endThere(paying, gateway, settled, now)
}

const hasStartedCharge = async (sql: Sql, subscriptionId: number): Promise<boolean> =>
  (await sql`select 1 from charge where subscription_id = ${subscriptionId} and status = 'started'`).length > 0

/** What has ended here ends at its provider, too, so that nothing is charged for it any more. */
async function endThere(paying: Paying, gateway: Gateway, subscription: Subscription, now: Date): Promise<void> {
  if (!goesOnThere(gateway, subscription, subscription)) return
  await applyEvents(paying, gateway.name, await gateway.cancel(await atGateway(paying.sql, subscription, now)))
}

async function askAgain(paying: Paying, subscription: Subscription, now: Date): Promise<void> {
  const gateway = paying.gateways.get(subscription.gateway)
  if (!gateway) return
  try {
    await applyEvents(paying, gateway.name, await gateway.fetch(await atGateway(paying.sql, subscription, now)))
  } catch (error) {
    // Whatever the provider says or does not say, time goes on here: nobody is let in for ever by an error.
    const { subscription_id } = subscription
    if (error instanceof ProviderAway)
      paying.log.debug({ subscription_id, detail: error.detail }, 'Payment provider is not responding')
    else paying.log.error({ subscription_id, err: error }, 'Could not read data from the payment provider')
  }
}

/** Tries the payment that is owed now, whatever the timetable says: another card was just given. */
export async function payNow(paying: Paying, subscriptionId: number, now: Date): Promise<void> {
  const order = await untangled(paying.sql, async (sql) => {
    const held = await holdSubscription(sql, subscriptionId)
    const isOurs = held && paying.gateways.get(held.gateway)?.charge !== undefined
    return isOurs ? orderRenewal(sql, held, { now, isPushed: true }) : undefined
  })
  if (order) await pay(paying, subscriptionId, order, now)
}

/**
 * Writes down that a payment is about to be tried, before it is: a process that ends in between finds it, and asks with
 * the same key again. Undefined where none is due.
 */
async function orderRenewal(
  sql: Sql,
  subscription: Subscription,
  { now, isPushed }: { now: Date; isPushed: boolean },
): Promise<RenewalOrder | undefined> {
  const { subscription_id, paid_until, status } = subscription
  if (!paid_until || now < paid_until || (status !== 'past_due' && status !== 'active')) {
    await giveUpStarted(sql, subscription)
    return undefined
  }
  const charges = await chargesOf(sql, subscription_id)
  const paid = paidPeriods(charges)
  const anchor = paid[0]?.period_start
  if (!anchor) return undefined
  const charge_ref = `${subscription.gateway}-${subscription_id}-${paid.length + 1}`
  const started = charges.find((charge) => charge.gateway_ref === charge_ref && charge.status === 'started')
  const tries = await triesOf(sql, subscription_id, paid_until)
  if (!started) {
    const due = await nextTry(sql, subscription, { status, paid_until })
    if (!isPushed && (!due || now < due)) return undefined
    const about = `${periodName(paid_until)} ${tries + 1}`
    const detail = isPushed ? 'manual' : ''
    if (!(await happens(sql, subscription_id, { what: 'try', about, detail, now }))) return undefined
  }
  const terms = termsOfSubscription(subscription, paid_until)
  const order: RenewalOrder = {
    key: `${charge_ref}-${started ? tries : tries + 1}`,
    charge_ref,
    reason: 'renewal',
    plan_id: terms.plan_id,
    ...amountOf(terms, paid.length + 1),
    period_start: paid_until,
    period_end: endAfter(anchor, subscription.interval, paid_until),
  }
  await keepStarted(sql, subscription, order, now)
  return order
}

/** A try whose end nobody saw, of a period nobody wants any more: what the gateway took is taken in, and nothing more asked. */
async function giveUpStarted(sql: Sql, { subscription_id }: Subscription): Promise<void> {
  await sql`
    update charge set status = 'failed', trouble = 'Cancelled before payment.'
    where subscription_id = ${subscription_id} and status = 'started'`
}

/** The first end of a period, counted from the first day, that comes after a moment. */
function endAfter(anchor: Date, interval: 'month' | 'year', after: Date): Date {
  for (let n = 1; ; n += 1) {
    const end = periodEnd(anchor, interval, n)
    if (end > after) return end
  }
}

async function keepStarted(sql: Sql, subscription: Subscription, order: RenewalOrder, now: Date): Promise<void> {
  const { subscription_id, customer_id, gateway, method, currency } = subscription
  const { plan_id, charge_ref, reason, amount_minor, discount_minor, period_start, period_end } = order
  const charge = {
    ...{ subscription_id, customer_id, plan_id, gateway, method, currency, reason, amount_minor, discount_minor },
    ...{ gateway_ref: charge_ref, status: 'started', period_start, period_end, at: now },
  }
  await sql`
    insert into charge ${sql(charge)}
    on conflict (gateway, gateway_ref) do update set status = 'started', at = excluded.at where charge.status = 'failed'`
  await sql`update subscription set look_at = ${now} where subscription_id = ${subscription_id}`
}

async function pay(paying: Paying, subscriptionId: number, order: RenewalOrder, now: Date): Promise<void> {
  const subscription = await readSubscription(paying.sql, subscriptionId)
  const gateway = subscription && paying.gateways.get(subscription.gateway)
  if (!subscription || !gateway?.charge) return
  try {
    const at = await atGateway(paying.sql, subscription, now)
    await applyEvents(paying, gateway.name, await gateway.charge(at, order))
  } catch (error) {
    if (!(error instanceof ProviderAway) && !(error instanceof Declined)) throw error
    paying.log.warn({ subscription_id: subscriptionId, err: error }, 'Could not attempt a payment; will retry')
  }
}

/** Reads every open subscription from its provider, and takes in what nobody told: once a day. */
export async function reconcile(paying: Paying): Promise<void> {
  const open = await paying.sql<{ subscription_id: number }[]>`
    select subscription_id from subscription
    where (gateway_ref is not null or payer_ref is not null)
      and (status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')
        or created_at > ${paying.now()}::timestamptz - make_interval(days => ${READ_AGAIN_DAYS}))
    order by subscription_id`
  for (const { subscription_id } of open) {
    await reconcileOne(paying, subscription_id).catch((error) =>
      paying.log.error({ subscription_id, err: error }, 'Could not reconcile a subscription with the payment provider'),
    )
  }
}

/** A checkout that failed here may have been paid there; it is read again for so long. */
const READ_AGAIN_DAYS = 7

async function reconcileOne(paying: Paying, subscriptionId: number): Promise<void> {
  const subscription = await readSubscription(paying.sql, subscriptionId)
  if (!subscription) return
  const now = await timeOf(paying.sql, paying, subscription.customer_id)
  await askAgain(paying, subscription, now)
  await lookAt(paying, subscriptionId)
}

/** Providers tell an event again for a month at most; one of nothing we know is of no use later either. */
const EVENTS_KEPT_DAYS = 180

export const sweepPaymentEvents = async ({ sql }: Paying): Promise<void> => {
  await sql`delete from payment_event where received_at < now() - make_interval(days => ${EVENTS_KEPT_DAYS})`
}
