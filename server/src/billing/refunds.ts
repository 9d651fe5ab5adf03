import { payments } from '@dubplate/contract'
import type { AtGateway, Fact, Gateway } from '../gateways/gateway.ts'
import { requireGateway } from '../gateways/gateways.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { ApiError, fieldError } from '../platform/api-error.ts'
import { createLimiter } from '../platform/concurrency-limiter.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import type { BillingContext } from './billing-context.ts'
import { throwIfUnavailable } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { recordSubscriptionEvent } from './subscription-events.ts'
import { atGateway, readSubscription } from './subscriptions.ts'

type RefundableCharge = {
  charge_id: number
  subscription_id: number
  gateway_ref: string
  amount_minor: number
  refunded_minor: number
  currency: string
  reason: string
  period_end: Date
}

async function readRefundable(sql: Sql, chargeId: number): Promise<RefundableCharge> {
  const [charge] = await sql<RefundableCharge[]>`
    select charge_id, subscription_id, gateway_ref, amount_minor, currency, reason, period_end,
      coalesce((select sum(amount_minor) from refund r where r.charge_id = c.charge_id), 0)::int as refunded_minor
    from charge c where charge_id = ${chargeId} and status = 'paid'`
  if (!charge) throw new ApiError('unknown_payment', 'Payment not found.')
  return charge
}

/** A refund holds a connection while it requests others: as many refunds as connections would wait for each other. */
const refundQueue = createLimiter({ concurrency: 1, maxWaiting: 50 })

/**
 * Refunds a payment through the gateway it was made with. When a payment is refunded in full while its period runs, the
 * subscription ends and nothing more is charged. Two simultaneous requests for the same refund are made once. Throws
 * `unknown_payment`, `refund_exceeds_charge`, `payment_declined`, `provider_unavailable`, and `service_unavailable` if
 * too many are queued.
 */
export async function refundCharge(
  billingCtx: BillingContext,
  { charge_id, amount_minor, reason, staff_id }: RefundParams,
): Promise<void> {
  // Refunds of a payment run one at a time across all processes, so that each sees the result of the last.
  await refundQueue.pass(() =>
    billingCtx.sql.begin(async (lock) => {
      await lock`select pg_advisory_xact_lock(hashtext('refund'), ${charge_id}::int)`
      await refundExclusively(billingCtx, { charge_id, amount_minor, reason, staff_id })
    }),
  )
}

function rejectTooLarge({ amount_minor, refunded_minor, currency }: RefundableCharge, requestedMinor: number): void {
  const refundableMinor = amount_minor - refunded_minor
  if (requestedMinor > 0 && requestedMinor <= refundableMinor) return
  throw fieldError(
    'refund_exceeds_charge',
    'amount',
    `You can refund up to ${toDecimal(refundableMinor)} ${currency} of this payment.`,
  )
}

/** Checks a refund while other fields are invalid. Throws `unknown_payment` or `refund_exceeds_charge`. */
export async function checkRefund(sql: Sql, given: { charge_id?: unknown; amount?: unknown }): Promise<void> {
  const { charge_id, amount } = payments.refundPayment.input.shape
  const chargeId = parsed(charge_id, given.charge_id)
  const requestedMinor = parsed(amount, given.amount)
  if (chargeId !== undefined && requestedMinor !== undefined)
    rejectTooLarge(await readRefundable(sql, chargeId), toMinor(requestedMinor))
}

async function refundExclusively(
  billingCtx: BillingContext,
  { charge_id, amount_minor, reason, staff_id }: RefundParams,
): Promise<void> {
  const { sql } = billingCtx
  const charge = await readRefundable(sql, charge_id)
  const refundableMinor = charge.amount_minor - charge.refunded_minor
  const amount = amount_minor ?? refundableMinor
  rejectTooLarge(charge, amount)
  const subscription = await readSubscription(sql, charge.subscription_id)
  if (!subscription) throw new ApiError('unknown_payment', 'Payment not found.')
  const gateway = requireGateway(billingCtx.gateways, subscription.gateway)
  const now = await currentTimeFor(sql, billingCtx, subscription.customer_id)
  const at = await atGateway(sql, subscription, now)
  const endsSubscription = amount === refundableMinor && charge.period_end > now && charge.reason !== 'upgrade'
  const renews = !subscription.is_cancelled && !subscription.has_ended
  const order = {
    key: `refund-${charge_id}-${charge.refunded_minor}-${amount}`,
    charge_ref: charge.gateway_ref,
    amount_minor: amount,
    currency: charge.currency,
    reason,
  }
  const events = await throwIfUnavailable(gateway.refund(at, order))
  await applyEvents(billingCtx, gateway.name, events)
  // The refund comes before the end, so that a declined refund leaves everything unchanged.
  if (endsSubscription && renews) await endAfterRefund(billingCtx, gateway, at)
  if (endsSubscription && gateway.renews === 'pool')
    await applyEvents(billingCtx, gateway.name, [ownEvent(at, [{ kind: 'terminated' }])])
  await recordRefunds(sql, { events: events.flatMap(({ facts }) => facts), gateway: gateway.name, reason, staff_id })
}

/** If the provider does not respond now, `cancelAtProvider` ends it there later. */
async function endAfterRefund(billingCtx: BillingContext, gateway: Gateway, at: AtGateway): Promise<void> {
  try {
    await applyEvents(billingCtx, gateway.name, await gateway.cancel(at))
  } catch (error) {
    billingCtx.log.warn(
      { subscription_id: at.subscription_id, err: error },
      'Could not cancel the subscription of a refunded payment yet; will retry',
    )
  }
}

type RefundParams = { charge_id: number; amount_minor: number | undefined; reason: string; staff_id: number | null }

/** Records who refunded it, and why. */
async function recordRefunds(
  sql: Sql,
  { events, gateway, reason, staff_id }: { events: Fact[]; gateway: string; reason: string; staff_id: number | null },
): Promise<void> {
  for (const fact of events) {
    if (fact.kind !== 'refund') continue
    await sql`
      update refund set reason = ${reason}, staff_id = ${staff_id}
      where gateway = ${gateway} and gateway_ref = ${fact.refund_ref}`
  }
}

/** Refunds what was paid for a checkout while another subscription was running. */
export async function refundDuplicates(billingCtx: BillingContext): Promise<void> {
  const duplicates = await billingCtx.sql<{ charge_id: number; subscription_id: number }[]>`
    select c.charge_id, c.subscription_id from subscription_event e join charge c using (subscription_id)
    where e.kind = 'paid_double' and c.status = 'paid' and c.amount_minor > 0
      and not exists (
        select 1 from subscription_event t
        where t.subscription_id = e.subscription_id and t.kind = 'refund_attempted' and t.at > ${billingCtx.now()}::timestamptz - interval '1 hour')
      and not exists (select 1 from refund r where r.charge_id = c.charge_id)`
  for (const { charge_id, subscription_id } of duplicates) {
    await recordSubscriptionEvent(billingCtx.sql, subscription_id, {
      kind: 'refund_attempted',
      reference: billingCtx.now().toISOString(),
      now: billingCtx.now(),
    })
    const requestedMinor = { charge_id, amount_minor: undefined, reason: 'Duplicate payment', staff_id: null }
    await refundCharge(billingCtx, requestedMinor).catch((error) =>
      billingCtx.log.error({ charge_id, err: error }, 'Could not refund a duplicate payment; will retry'),
    )
  }
}
