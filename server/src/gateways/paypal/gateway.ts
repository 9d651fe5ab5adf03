import * as z from 'zod/mini'
import type { Sql } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import {
  type AtGateway,
  beforeMaking,
  type Checkout,
  Declined,
  type Fact,
  type Gateway,
  type GatewayEvent,
  type PlanChange,
  ProviderAway,
  UnreadableEvent,
} from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'
import { foundEvent, foundEvents, keyOf, laterTerms } from '../plan-at-gateway.ts'
import { type PaypalCall, PaypalRefused, paypalApi } from './api.ts'
import { chargeFact, freePeriods, type PaypalAnswers, readEvent, subscriptionSaid } from './events.ts'
import {
  linkTo,
  type PaypalSubscription,
  paypalEvent,
  paypalRefund,
  paypalRevision,
  paypalSale,
  paypalSubscription,
  paypalTransactions,
} from './objects.ts'
import { moneyOf, type PaypalAccount, planOf, termsOfPlan } from './plans.ts'
import { type PaypalCheck, paypalCheck } from './signature.ts'

type Speaking = PaypalAccount & { answers: PaypalAnswers; check: PaypalCheck }

/** PayPal: approved on its own page, ended by the pool after the return; PayPal asks for each period's money by itself. */
export function paypalGateway(given: { sql: Sql; config: PaypalConfig; fetch?: typeof fetch }): Gateway {
  const account = speakingWith(given)
  return {
    name: 'paypal',
    methods: ['paypal'],
    renews: 'gateway',
    cards: 'hosted',
    // A change of plan is approved at PayPal, which bills it from the next period on.
    upgrades: 'next_period',
    check: () => check(account),
    start: (checkout) => start(account, checkout),
    complete: (at) => complete(account, at),
    fetch: (at) => factsAtPaypal(account, at),
    cancel: (at) => cancel(account, at),
    abandon: (at) => abandon(account, at),
    changePlan: (at, change) => changePlan(account, at, change),
    refund: (at, order) => refund(account, at, order),
    readWebhook: async (raw, headers) => {
      await account.check(raw, headers)
      return [await readWebhook(account, raw)]
    },
  }
}

async function readWebhook(account: Speaking, raw: Buffer): Promise<GatewayEvent> {
  const sent = paypalEvent.safeParse(parsedOf(raw))
  if (!sent.success)
    throw new Refusal('invalid_request', 'This is not an event of PayPal’s that this version can read.')
  const { id: event_id, event_type: type, create_time } = sent.data
  try {
    return await readEvent(sent.data, account.answers)
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error
    throw new UnreadableEvent({ event_id, type, at: new Date(create_time) }, error)
  }
}

function parsedOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

function speakingWith({ sql, config, fetch: fetchFrom = fetch }: Parameters<typeof paypalGateway>[0]): Speaking {
  const account = { sql, call: paypalApi(config, fetchFrom), api: config.api, clientId: config.clientId }
  const answers: PaypalAnswers = {
    subscription: (id) => subscriptionAt(account.call, id),
    termsOf: async ({ plan_id }) => (plan_id ? termsOfPlan(account, plan_id) : undefined),
    subscriptionPaidBy: (sale) => subscriptionPaidBy(account, sale),
  }
  return { ...account, answers, check: paypalCheck(config, fetchFrom) }
}

const subscriptionAt = async (call: PaypalCall, id: string): Promise<PaypalSubscription> =>
  paypalSubscription.parse(await call('GET', `/v1/billing/subscriptions/${encodeURIComponent(id)}`))

/** Whose payment it was: as the pool knows, else as PayPal does. */
async function subscriptionPaidBy({ sql, call }: PaypalAccount, sale: string): Promise<string | null> {
  const [known] = await sql<{ gateway_ref: string | null }[]>`
    select s.gateway_ref from charge c join subscription s using (subscription_id)
    where c.gateway = 'paypal' and c.gateway_ref = ${sale}`
  if (known) return known.gateway_ref
  try {
    const reply = await call('GET', `/v1/payments/sale/${encodeURIComponent(sale)}`)
    return paypalSale.parse(reply).billing_agreement_id ?? null
  } catch (error) {
    if (error instanceof PaypalRefused) return null
    throw error
  }
}

function refOfSubscription({ gateway_ref, subscription_id }: AtGateway): string {
  if (!gateway_ref) throw new Error(`Subscription ${subscription_id} does not exist at PayPal yet`)
  return gateway_ref
}

/** With the token that is kept; one that was taken back is asked for again, with the pool's keys. */
const check = ({ call }: Speaking): Promise<void> =>
  inOurWords(async () => {
    await call('GET', '/v1/billing/plans?page_size=1')
  })

async function start(account: Speaking, checkout: Checkout) {
  const plan_id = await beforeMaking(() => inOurWords(() => planOf(account, checkout.terms)))
  const body = {
    plan_id,
    custom_id: customIdOf(checkout),
    subscriber: { email_address: checkout.customer.email },
    // CONTINUE: nothing is paid before the pool says so, once the member is back.
    application_context: { user_action: 'CONTINUE', ...backTo(checkout) },
  }
  // Pools number their checkouts alike, and may share an account: what is paid for is part of the key.
  const key = keyOf(`${checkout.key} ${JSON.stringify(body)}`)
  const made = paypalSubscription.parse(
    await inOurWords(() => account.call('POST', '/v1/billing/subscriptions', { key, body })),
  )
  return { gateway_ref: made.id, url: linkTo(made.links, 'approve') ?? null, events: [] }
}

const customIdOf = ({ subscription_id, checkout_key }: Pick<AtGateway, 'subscription_id' | 'checkout_key'>): string =>
  `${subscription_id}:${checkout_key}`

const backTo = ({ return_url, cancel_url }: { return_url: string; cancel_url: string }) => ({
  shipping_preference: 'NO_SHIPPING',
  payment_method: { payer_selected: 'PAYPAL', payee_preferred: 'IMMEDIATE_PAYMENT_REQUIRED' },
  return_url,
  cancel_url,
})

/** The first payment is asked for when an approved subscription is made active. */
async function complete(account: Speaking, at: AtGateway): Promise<GatewayEvent[]> {
  const id = refOfSubscription(at)
  const { status, custom_id } = await account.answers.subscription(id)
  // Those created before checkouts had keys carry the number alone.
  const isOurs = custom_id === customIdOf(at) || custom_id === `${at.subscription_id}`
  if (!isOurs) throw new Declined('This payment belongs to another account.')
  if (status === 'APPROVAL_PENDING') throw new Declined('You haven’t approved this payment at PayPal yet.')
  if (status !== 'APPROVED' && status !== 'ACTIVE')
    throw new Declined('This payment was cancelled at PayPal. Start again.')
  if (status === 'APPROVED')
    await inOurWords(() =>
      unlessDone(() =>
        account.call('POST', `/v1/billing/subscriptions/${id}/activate`, {
          body: { reason: 'Confirmed by the member' },
        }),
      ),
    )
  return factsAtPaypal(account, at)
}

/**
 * How it stands, and every payment. What was given back is not in PayPal's list: its events say so, and the answer to a
 * refund of the pool's own.
 */
async function factsAtPaypal(account: Speaking, at: AtGateway): Promise<GatewayEvent[]> {
  if (!at.gateway_ref) return []
  const subscription = await account.answers.subscription(at.gateway_ref)
  const terms = (await account.answers.termsOf(subscription)) ?? at.terms
  const { gateway_ref, subscription_id, now } = at
  const wasPaid = subscription.status !== 'APPROVAL_PENDING' && subscription.status !== 'APPROVED'
  const charges = wasPaid ? await chargesOf(account, subscription, terms, now) : []
  const facts = [...charges, ...freePeriods(subscription, terms, now), ...subscriptionSaid(subscription, terms).facts]
  return foundEvents({ at: now, gateway_ref, subscription_id, facts })
}

const DAY_MS = 86_400_000
const PAID = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']

async function chargesOf(
  { call }: Speaking,
  subscription: PaypalSubscription,
  terms: Parameters<typeof chargeFact>[1],
  now: Date,
): Promise<Fact[]> {
  const began = new Date(subscription.create_time ?? subscription.start_time ?? 0)
  const range = new URLSearchParams({
    start_time: new Date(began.getTime() - DAY_MS).toISOString(),
    end_time: new Date(now.getTime() + DAY_MS).toISOString(),
  })
  const reply = await call('GET', `/v1/billing/subscriptions/${subscription.id}/transactions?${range}`)
  const { transactions } = paypalTransactions.parse(reply)
  return (transactions ?? [])
    .filter(({ status }) => PAID.includes(status ?? ''))
    .map(({ id, time, amount_with_breakdown }) => {
      const amount = amount_with_breakdown.gross_amount
      return chargeFact(subscription, terms, { charge_ref: id, status: 'paid', amount, time, trouble: '' })
    })
}

async function cancel(account: Speaking, at: AtGateway): Promise<GatewayEvent[]> {
  const gateway_ref = refOfSubscription(at)
  await unlessDone(() => endAtPaypal(account, gateway_ref))
  const { subscription_id, now } = at
  const facts: Fact[] = [{ kind: 'cancelled', is_cancelled: true }, { kind: 'over' }]
  return [foundEvent({ at: now, gateway_ref, subscription_id, facts })]
}

const endAtPaypal = ({ call }: Speaking, id: string) =>
  call('POST', `/v1/billing/subscriptions/${id}/cancel`, {
    body: { reason: 'Cancelled by the member' },
  })

/** What was not made active costs nobody anything; it is ended as well where PayPal lets it be. */
async function abandon(account: Speaking, at: AtGateway): Promise<GatewayEvent[]> {
  const { gateway_ref, subscription_id, now } = at
  if (gateway_ref) {
    const { status } = await account.answers.subscription(gateway_ref)
    if (status !== 'APPROVAL_PENDING' && status !== 'APPROVED') return factsAtPaypal(account, at)
    await unlessDone(() => endAtPaypal(account, gateway_ref))
  }
  const trouble = 'The payment was not approved at PayPal.'
  return [foundEvent({ at: now, gateway_ref, subscription_id, facts: [{ kind: 'given_up', trouble }] })]
}

async function changePlan(account: Speaking, at: AtGateway, change: PlanChange) {
  if (change.due_now_minor > 0)
    throw new Error('PayPal applies the plan change from the next period: nothing is due now')
  const plan_id = await planOf(account, laterTerms(change.terms))
  const reply = await inOurWords(() =>
    account.call('POST', `/v1/billing/subscriptions/${refOfSubscription(at)}/revise`, {
      key: keyOf(`${change.key} revise`),
      body: { plan_id, application_context: backTo(change) },
    }),
  )
  return { url: linkTo(paypalRevision.parse(reply).links, 'approve') ?? null, events: [] }
}

/** A payment of a subscription is given back as a capture; its id is the same in the older words and in the newer. */
async function refund(
  { call }: Speaking,
  at: AtGateway,
  order: Parameters<Gateway['refund']>[1],
): Promise<GatewayEvent[]> {
  const body = {
    amount: moneyOf(order.currency, order.amount_minor),
    ...(order.reason ? { note_to_payer: order.reason.replace(/\s+/g, ' ').slice(0, 255) } : {}),
  }
  const path = `/v2/payments/captures/${encodeURIComponent(order.charge_ref)}/refund`
  const made = paypalRefund.parse(
    await inOurWords(() => call('POST', path, { key: keyOf(`${order.key} refund`), body })),
  )
  if (made.status && made.status !== 'COMPLETED' && made.status !== 'PENDING')
    throw new Declined('PayPal couldn’t refund this payment. See your PayPal dashboard for details.')
  const { gateway_ref, subscription_id, now } = at
  const { charge_ref, amount_minor } = order
  const facts: Fact[] = [{ kind: 'refund', refund_ref: made.id, charge_ref, amount_minor }]
  return [foundEvent({ at: now, gateway_ref, subscription_id, facts })]
}

/** What cannot be done because it has been, or has no state for it any more, is done. */
async function unlessDone(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof PaypalRefused) || error.issue !== 'SUBSCRIPTION_STATUS_INVALID') throw error
  }
}

const SENTENCES: Record<string, string> = {
  CAPTURE_FULLY_REFUNDED: 'This payment has already been refunded.',
  REFUND_AMOUNT_EXCEEDED: 'The amount is higher than what can still be refunded.',
  INSTRUMENT_DECLINED: 'PayPal couldn’t process this payment. Check your PayPal account.',
}

/** What PayPal says no to is the member's to know; a call it does not understand is a mistake of ours. */
async function inOurWords<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PaypalRefused)) throw error
    if (error.status !== 422)
      throw new ProviderAway(`PayPal rejected a request: ${error.issue}: ${error.message}`, {
        ...{ reason: 'request_rejected', isCertain: true, cause: error },
      })
    throw new Declined(SENTENCES[error.issue] ?? `PayPal rejected the request: ${error.message}`, { cause: error })
  }
}
