import { type ParsedInputOf, subscriptions } from '@dubplate/contract'
import { gatewayOf } from '../gateways/gateways.ts'
import { asDecimal, asMinor } from '../gateways/money.ts'
import { ownEvent } from '../gateways/own-event.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal } from '../platform/refusal.ts'
import { cancel, resume } from './changes.ts'
import { orAway } from './checkout.ts'
import { timeOf } from './clock.ts'
import { happens } from './happenings.ts'
import { applyEvents } from './ledger.ts'
import type { Paying } from './paying.ts'
import { refundCharge } from './refunds.ts'
import { refundableOf, unknownSubscription } from './subscription-desk.ts'
import { atGateway, readSubscription, type Subscription } from './subscriptions.ts'

/** What staff do to a member's subscription, by the functions members use themselves. */

type Wish = ParsedInputOf<typeof subscriptions.cancelSubscription> & { staff_id: number }

/** Refuses `unknown_subscription`, and `conflict` unless it stands as it did when it was looked at. */
async function readSeen(paying: Paying, { subscription_id, seen }: Wish): Promise<Subscription> {
  const subscription = await readSubscription(paying.sql, subscription_id)
  if (!subscription) throw unknownSubscription()
  if (subscription.status === seen) return subscription
  throw new Refusal('conflict', 'This subscription has changed since you opened it. Reload to see its current status.')
}

type Noted = { what: string; customer_id: number; once?: boolean }

/** Notes who did it and why, by the member's time; false where it was noted already. */
async function note(paying: Paying, wish: Wish, { what, customer_id, once = false }: Noted): Promise<boolean> {
  const now = await timeOf(paying.sql, paying, customer_id)
  const about = once ? '' : paying.now().toISOString()
  const { subscription_id, reason: detail, staff_id } = wish
  return happens(paying.sql, subscription_id, { what, about, detail, now, staff_id })
}

/** Cancels as its member would. Refuses what `cancel` does, `unknown_subscription`, `conflict`. */
export async function cancelFor(paying: Paying, wish: Wish): Promise<void> {
  const { customer_id } = await readSeen(paying, wish)
  await cancel(paying, customer_id)
  await note(paying, wish, { what: 'staff_cancelled', customer_id })
}

/** Takes a cancellation back. Refuses what `resume` does, `unknown_subscription`, `conflict`. */
export async function resumeFor(paying: Paying, wish: Wish): Promise<void> {
  const { customer_id } = await readSeen(paying, wish)
  await resume(paying, customer_id)
  await note(paying, wish, { what: 'staff_resumed', customer_id })
}

/**
 * Ends a subscription now, with what is paid of it, and gives back what is asked for. First the end, at the provider too:
 * asked for again because nobody knows what came of it, nothing is given back twice. Answers what was
 * given back, and why not all of it. Refuses `unknown_subscription`, `conflict`, `refund_exceeds_charge`, `provider_unavailable`.
 */
export async function endNow(
  paying: Paying,
  { refund, ...wish }: Wish & { refund?: string | undefined },
): Promise<Done> {
  const subscription = await readSeen(paying, wish)
  if (subscription.status === 'pending' || subscription.status === 'failed' || subscription.status === 'ended') {
    throw new Refusal('conflict', 'This subscription isn’t active.')
  }
  const parts = refund === undefined ? [] : await partsOf(paying, subscription, asMinor(refund))
  await endAtOnce(paying, subscription)
  const { customer_id } = subscription
  const isFirst = await note(paying, wish, { what: 'staff_ended', customer_id, once: true })
  if (!isFirst) throw new Refusal('conflict', 'Someone else already ended this subscription.')
  return giveBack(paying, parts, wish)
}

/** What can be told of the refund while other fields are blank or wrong. Refuses `refund_exceeds_charge`. */
export async function checkEnd(paying: Paying, given: { subscription_id?: unknown; refund?: unknown }): Promise<void> {
  const { subscription_id, refund } = subscriptions.endSubscription.input.shape
  const id = parsed(subscription_id, given.subscription_id)
  const amount = parsed(refund, given.refund)
  const subscription = id === undefined ? undefined : await readSubscription(paying.sql, id)
  if (subscription && amount !== undefined) await partsOf(paying, subscription, asMinor(amount))
}

/** Its end here takes what is paid along; a letter says so. */
async function endAtOnce(paying: Paying, subscription: Subscription): Promise<void> {
  const now = await timeOf(paying.sql, paying, subscription.customer_id)
  const at = await atGateway(paying.sql, subscription, now)
  const gateway = gatewayOf(paying.gateways, subscription)
  const goesOn = !subscription.is_cancelled && !subscription.is_over
  const told = goesOn ? await orAway(gateway.cancel(at)) : []
  await applyEvents(paying, subscription.gateway, [ownEvent(at, [{ kind: 'ended' }]), ...told])
}

type Part = { charge_id: number; amount_minor: number }

/** Which payments of the running period an amount is given back of, the newest first. Refuses `refund_exceeds_charge`. */
async function partsOf(
  paying: Paying,
  { subscription_id, customer_id, currency }: Subscription,
  wanted: number,
): Promise<Part[]> {
  const now = await timeOf(paying.sql, paying, customer_id)
  const running = (await refundableOf(paying.sql, subscription_id)).filter(({ period_end }) => period_end > now)
  const left = running.reduce((sum, { left_minor }) => sum + left_minor, 0)
  if (wanted > left) {
    const sentence = `You can refund up to ${asDecimal(left)} ${currency} of this payment.`
    throw new Refusal('refund_exceeds_charge', sentence, { fields: { refund: sentence } })
  }
  let missing = wanted
  return running.flatMap(({ charge_id, left_minor }) => {
    const amount_minor = Math.min(left_minor, missing)
    missing -= amount_minor
    return amount_minor > 0 ? [{ charge_id, amount_minor }] : []
  })
}

type Done = { refunds: { charge_id: number; refunded: string }[]; trouble: string }

async function giveBack(paying: Paying, parts: readonly Part[], { reason, staff_id }: Wish): Promise<Done> {
  const refunds: Done['refunds'] = []
  for (const { charge_id, amount_minor } of parts) {
    try {
      const wanted = { charge_id, amount_minor, reason: reason.slice(0, LONGEST_REASON), staff_id }
      await refundCharge(paying, wanted)
      refunds.push({ charge_id, refunded: asDecimal(amount_minor) })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { refunds, trouble: error.message }
    }
  }
  return { refunds, trouble: '' }
}

/** As long as the reason of a refund may be. */
const LONGEST_REASON = 200
