import Stripe from 'stripe'
import { type AtGateway, type GatewayEvent, PaymentDeclinedError, type PlanChange } from '../gateway.ts'
import { fetchedEvents, laterTerms } from '../gateway-plan.ts'
import type { StripeAccount } from './account.ts'
import { invoiceEventFacts } from './events.ts'
import { subscriptionOf } from './fetched-facts.ts'
import { type StripeSubscription, stripeInvoice, stripeSubscription } from './objects.ts'
import { billingOf, couponOf, priceOf } from './plans.ts'

/**
 * Changes the plan. The amount due now was quoted, so it is a separate invoice over exactly that amount, paid before
 * anything is changed; Stripe's own proration would calculate it again, to the second.
 */
export async function changePlan(
  account: StripeAccount,
  at: AtGateway,
  change: PlanChange,
): Promise<{ url: null; events: GatewayEvent[] }> {
  const subscription = stripeSubscription.parse(await account.stripe.subscriptions.retrieve(subscriptionOf(at)))
  const isDue = change.from === 'now' && change.due_now_minor > 0
  const events = isDue ? await chargeDifference(account, at, change, subscription) : []
  await setPlan(account, change, subscription)
  return { url: null, events }
}

const periodEndOf = ({ items, current_period_end }: StripeSubscription): number =>
  items.data[0]?.current_period_end ?? current_period_end ?? 0

async function chargeDifference(
  { stripe }: StripeAccount,
  at: AtGateway,
  { key, terms, due_now_minor }: PlanChange,
  subscription: StripeSubscription,
): Promise<GatewayEvent[]> {
  const customer = subscription.customer ?? ''
  const metadata = {
    reason: 'upgrade',
    subscription_id: `${at.subscription_id}`,
    gateway_ref: subscription.id,
    plan_id: `${terms.plan_id}`,
    period_end: `${periodEndOf(subscription)}`,
  }
  const { id } = await stripe.invoices.create(
    {
      customer,
      subscription: subscription.id,
      auto_advance: false,
      collection_method: 'charge_automatically',
      pending_invoice_items_behavior: 'exclude',
      discounts: '',
      metadata,
    },
    { idempotencyKey: `${key}-invoice` },
  )
  const description = `Change to ${terms.title} (rest of the current period)`
  const currency = terms.currency.toLowerCase()
  await stripe.invoiceItems.create(
    { customer, invoice: id, amount: due_now_minor, currency, description, discountable: false },
    { idempotencyKey: `${key}-item` },
  )
  await stripe.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey: `${key}-finalize` })
  const paid = stripeInvoice.parse(await payOrVoidInvoice(stripe, id, key))
  return fetchedEvents({ at: at.now, ...invoiceEventFacts(paid, 'paid') })
}

/** An unpaid invoice is voided, so that nobody owes it: the plan does not change. */
async function payOrVoidInvoice(stripe: Stripe, invoice: string, key: string) {
  try {
    return await stripe.invoices.pay(invoice, {}, { idempotencyKey: `${key}-pay` })
  } catch (error) {
    const isDeclined = error instanceof Stripe.errors.StripeCardError
    const needsConfirmation =
      error instanceof Stripe.errors.StripeInvalidRequestError &&
      error.code === 'invoice_payment_intent_requires_action'
    if (!isDeclined && !needsConfirmation) throw error
    await stripe.invoices.voidInvoice(invoice, {}, { idempotencyKey: `${key}-void` })
    if (isDeclined) throw error
    throw new PaymentDeclinedError(
      'Your bank requires you to confirm this payment. Enter your card again, then change your plan.',
    )
  }
}

/**
 * Sets the price from the next period on; the current period does not change. A coupon belongs to the product of its
 * plan.
 */
async function setPlan(
  account: StripeAccount,
  { key, terms }: PlanChange,
  subscription: StripeSubscription,
): Promise<void> {
  const laterTermsOfPlan = laterTerms(terms)
  const price = await priceOf(account, laterTermsOfPlan)
  const { coupon } = billingOf(laterTermsOfPlan)
  const discounts = coupon ? [{ coupon: await couponOf(account, laterTermsOfPlan, coupon) }] : undefined
  const item = subscription.items.data[0]
  await account.stripe.subscriptions.update(
    subscription.id,
    {
      items: [{ ...(item ? { id: item.id } : {}), price }],
      proration_behavior: 'none',
      ...(discounts ? { discounts } : {}),
      metadata: { plan_id: `${terms.plan_id}` },
    },
    { idempotencyKey: `${key}-plan` },
  )
}
