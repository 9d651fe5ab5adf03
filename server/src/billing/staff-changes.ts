import { type ParsedInputOf, subscriptions } from '@dubplate/contract'
import { gatewayOf } from '../gateways/gateways.ts'
import { toDecimal, toMinor } from '../gateways/money.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { ApiError } from '../platform/api-error.ts'
import { parsed } from '../platform/parse-input.ts'
import type { BillingContext } from './billing-context.ts'
import { throwIfUnavailable } from './checkout.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { cancel, resume } from './member-changes.ts'
import { refundCharge } from './refunds.ts'
import { listRefundable, unknownSubscriptionError } from './staff-subscriptions.ts'
import { recordSubscriptionEvent } from './subscription-events.ts'
import { atGateway, readSubscription, type Subscription } from './subscriptions.ts'

/** Changes of a member's subscription by staff, using the functions that members use themselves. */

type StaffChangeParams = ParsedInputOf<typeof subscriptions.cancelSubscription> & { staff_id: number }

/** Throws `unknown_subscription`, and `conflict` if it changed since staff opened it. */
async function readIfUnchanged(
  billingCtx: BillingContext,
  { subscription_id, seen }: StaffChangeParams,
): Promise<Subscription> {
  const subscription = await readSubscription(billingCtx.sql, subscription_id)
  if (!subscription) throw unknownSubscriptionError()
  if (subscription.status === seen) return subscription
  throw new ApiError('conflict', 'This subscription has changed since you opened it. Reload to see its current status.')
}

type NoteOptions = { kind: string; customer_id: number; once?: boolean }

/** Records who made the change and why, at the member's time; returns false if it was recorded before. */
async function recordStaffChange(
  billingCtx: BillingContext,
  params: StaffChangeParams,
  { kind, customer_id, once = false }: NoteOptions,
): Promise<boolean> {
  const now = await currentTimeFor(billingCtx.sql, billingCtx, customer_id)
  const reference = once ? '' : billingCtx.now().toISOString()
  const { subscription_id, reason: detail, staff_id } = params
  return recordSubscriptionEvent(billingCtx.sql, subscription_id, { kind, reference, detail, now, staff_id })
}

/** Cancels a subscription as its member would. Throws the errors of `cancel`, `unknown_subscription` or `conflict`. */
export async function cancelForMember(billingCtx: BillingContext, params: StaffChangeParams): Promise<void> {
  const { customer_id } = await readIfUnchanged(billingCtx, params)
  await cancel(billingCtx, customer_id)
  await recordStaffChange(billingCtx, params, { kind: 'staff_cancelled', customer_id })
}

/** Resumes a cancelled subscription. Throws the errors of `resume`, `unknown_subscription` or `conflict`. */
export async function resumeForMember(billingCtx: BillingContext, params: StaffChangeParams): Promise<void> {
  const { customer_id } = await readIfUnchanged(billingCtx, params)
  await resume(billingCtx, customer_id)
  await recordStaffChange(billingCtx, params, { kind: 'staff_resumed', customer_id })
}

/**
 * Ends a subscription now, including its paid period, and refunds the requested amount. It ends first, at the provider
 * too, so that a retry after an unknown result refunds nothing twice. Returns what was refunded, and why not all of it.
 * Throws `unknown_subscription`, `conflict`, `refund_exceeds_charge` or `provider_unavailable`.
 */
export async function endNow(
  billingCtx: BillingContext,
  { refund, ...params }: StaffChangeParams & { refund?: string | undefined },
): Promise<EndResult> {
  const subscription = await readIfUnchanged(billingCtx, params)
  if (subscription.status === 'pending' || subscription.status === 'failed' || subscription.status === 'ended') {
    throw new ApiError('conflict', 'This subscription isn’t active.')
  }
  const parts = refund === undefined ? [] : await splitRefund(billingCtx, subscription, toMinor(refund))
  await endImmediately(billingCtx, subscription)
  const { customer_id } = subscription
  const isFirst = await recordStaffChange(billingCtx, params, { kind: 'staff_ended', customer_id, once: true })
  if (!isFirst) throw new ApiError('conflict', 'Someone else already ended this subscription.')
  return refundParts(billingCtx, parts, params)
}

/** Checks the refund while other fields are blank or invalid. Throws `refund_exceeds_charge`. */
export async function checkRawEnd(
  billingCtx: BillingContext,
  rawInput: { subscription_id?: unknown; refund?: unknown },
): Promise<void> {
  const { subscription_id, refund } = subscriptions.endSubscription.input.shape
  const id = parsed(subscription_id, rawInput.subscription_id)
  const amount = parsed(refund, rawInput.refund)
  const subscription = id === undefined ? undefined : await readSubscription(billingCtx.sql, id)
  if (subscription && amount !== undefined) await splitRefund(billingCtx, subscription, toMinor(amount))
}

/** Ends the subscription with its paid period; an email says so. */
async function endImmediately(billingCtx: BillingContext, subscription: Subscription): Promise<void> {
  const now = await currentTimeFor(billingCtx.sql, billingCtx, subscription.customer_id)
  const at = await atGateway(billingCtx.sql, subscription, now)
  const gateway = gatewayOf(billingCtx.gateways, subscription)
  const isStillRenewing = !subscription.is_cancelled && !subscription.has_ended
  const cancelEvents = isStillRenewing ? await throwIfUnavailable(gateway.cancel(at)) : []
  await applyEvents(billingCtx, subscription.gateway, [ownEvent(at, [{ kind: 'ended' }]), ...cancelEvents])
}

type RefundPart = { charge_id: number; amount_minor: number }

/** Distributes a refund over the payments of the running period, newest first. Throws `refund_exceeds_charge`. */
async function splitRefund(
  billingCtx: BillingContext,
  { subscription_id, customer_id, currency }: Subscription,
  wanted: number,
): Promise<RefundPart[]> {
  const now = await currentTimeFor(billingCtx.sql, billingCtx, customer_id)
  const running = (await listRefundable(billingCtx.sql, subscription_id)).filter(({ period_end }) => period_end > now)
  const left = running.reduce((sum, { left_minor }) => sum + left_minor, 0)
  if (wanted > left) {
    const sentence = `You can refund up to ${toDecimal(left)} ${currency} of this payment.`
    throw new ApiError('refund_exceeds_charge', sentence, { fields: { refund: sentence } })
  }
  let missing = wanted
  return running.flatMap(({ charge_id, left_minor }) => {
    const amount_minor = Math.min(left_minor, missing)
    missing -= amount_minor
    return amount_minor > 0 ? [{ charge_id, amount_minor }] : []
  })
}

type EndResult = { refunds: { charge_id: number; refunded: string }[]; failure_reason: string }

async function refundParts(
  billingCtx: BillingContext,
  parts: readonly RefundPart[],
  { reason, staff_id }: StaffChangeParams,
): Promise<EndResult> {
  const refunds: EndResult['refunds'] = []
  for (const { charge_id, amount_minor } of parts) {
    try {
      const wanted = { charge_id, amount_minor, reason: reason.slice(0, MAX_REASON_LENGTH), staff_id }
      await refundCharge(billingCtx, wanted)
      refunds.push({ charge_id, refunded: toDecimal(amount_minor) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { refunds, failure_reason: error.message }
    }
  }
  return { refunds, failure_reason: '' }
}

/** Maximum length of the reason of a refund. */
const MAX_REASON_LENGTH = 200
