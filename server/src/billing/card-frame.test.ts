import { checkout } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, applyEvents } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { type Gateway, type GatewayEvent, PaymentDeclinedError, ProviderUnavailableError } from '../gateways/gateway.ts'
import { ownEvent } from '../gateways/pool-event.ts'

let pool: TestPool
let plan: number
/** The events that the provider returns for the checkout. */
let known: (subscription_id: number) => GatewayEvent[]
let frame: NonNullable<Gateway['frame']> | undefined

const now = new Date()
const webhookGateway =
  (...facts: GatewayEvent['facts']) =>
  (subscription_id: number) => [ownEvent({ subscription_id, gateway_ref: null, now }, facts)]

/** A provider with its own frames for entering cards. */
const frameGateway: Gateway = {
  name: 'stripe',
  methods: ['credit_card'],
  renews: 'gateway',
  cards: 'hosted',
  upgrades: 'now',
  start: async ({ subscription_id }) => ({
    gateway_ref: null,
    url: `https://pool.example/subscription/card/${subscription_id}`,
    events: webhookGateway({ kind: 'payer', payer_ref: `cus_${subscription_id}` })(subscription_id),
  }),
  get frame() {
    return frame
  },
  fetch: async ({ subscription_id }) => known(subscription_id),
  cancel: async () => [],
  abandon: async ({ subscription_id }) => webhookGateway({ kind: 'abandoned', failure_reason: '' })(subscription_id),
  refund: async () => [],
}

beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  pool.ctx.gateways = new Map([['stripe', frameGateway]])
  plan = await aPlan(pool.ctx, { title: 'Standard', price_minor: 1499, trial_price_minor: 100 })
})
afterAll(() => pool.close())
beforeEach(() => {
  known = () => []
  frame = async ({ subscription_id }) => ({ publishable_key: 'pk_1', client_secret: `secret of ${subscription_id}` })
})

/** A member who has started a card payment. */
async function makePayer() {
  const { token, customer_id } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id, url } = await pool.ask(checkout.payByCard, { subscription: plan }, token)
  return { token, customer_id, profile_id: profile_id ?? 0, url }
}

const frameOf = ({ profile_id }: { profile_id: number }, token: string) =>
  pool.ask(checkout.getCardFrame, { profile_id }, token)

test('leads a member who starts a payment to the page for their card, which shows the price', async () => {
  const payer = await makePayer()
  const { profile_id } = payer
  expect(payer.url).toBe(`https://pool.example/subscription/card/${profile_id}`)
  expect(await frameOf(payer, payer.token)).toEqual({
    publishable_key: 'pk_1',
    client_secret: `secret of ${profile_id}`,
    plan_name: 'Standard',
    amount: '1.00',
    discount_amount: '0.00',
    currency: 'USD',
    return_url: `${pool.ctx.config.publicUrl}/subscription/success/${profile_id}`,
  })
})

test('returns the same error for someone else’s payment as for one that never existed', async () => {
  const [payer, other] = [await makePayer(), await makePayer()]
  const refused = await errorOf(frameOf(payer, other.token))
  expect(refused).toMatchObject({ status: 404, code: 'unknown_payment' })
  expect(await errorOf(frameOf({ profile_id: 999_999 }, other.token))).toEqual(refused)
  expect((await pool.request(checkout.getCardFrame, { profile_id: payer.profile_id })).statusCode).toBe(401)
})

test('does not offer an abandoned payment again, and does not ask its provider', async () => {
  const payer = await makePayer()
  // Starting another checkout abandons the first one.
  await pool.ask(checkout.payByCard, { subscription: plan }, payer.token)
  frame = async () => {
    throw new Error('The provider was asked.')
  }
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'payment_declined' })
})

const paid = () =>
  webhookGateway({
    kind: 'charge',
    charge_ref: `in_${plan}_${Math.random()}`,
    status: 'paid',
    reason: 'first',
    amount_minor: 100,
    discount_minor: 0,
    currency: 'USD',
    is_trial: true,
    period_start: now.toISOString(),
    period_end: new Date(now.getTime() + 30 * 86_400_000).toISOString(),
    failure_reason: '',
  })

test('does not ask for a completed payment again', async () => {
  const payer = await makePayer()
  await applyEvents(pool.ctx, 'stripe', paid()(payer.profile_id))
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'already_subscribed' })
})

test('ends a checkout at once when it has ended at the provider', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new PaymentDeclinedError('The time to pay for this is over.')
  }
  known = webhookGateway({ kind: 'abandoned', failure_reason: 'The page was left open too long.' })
  expect(await errorOf(frameOf(payer, payer.token))).toEqual({
    status: 402,
    code: 'payment_declined',
    message: 'The page was left open too long.',
  })
  const state = await pool.ask(checkout.getPayment, { profile_id: payer.profile_id }, payer.token)
  expect(state.profile_status).toBe('Ended')
})

test('applies a payment made at the provider without a webhook, and does not end the checkout', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new PaymentDeclinedError('The time to pay for this is over.')
  }
  known = paid()
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'already_subscribed' })
  const state = await pool.ask(checkout.getPayment, { profile_id: payer.profile_id }, payer.token)
  expect(state.is_paid).toBe(true)
})

test('returns an error while the provider is unavailable, and changes nothing', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new ProviderUnavailableError()
  }
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'provider_unavailable' })
  frame = undefined
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'unknown_payment' })
})
