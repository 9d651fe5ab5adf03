import { checkout } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, applyEvents } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { type Gateway, type GatewayEvent, PaymentDeclinedError, ProviderUnavailableError } from '../gateways/gateway.ts'
import { ownEvent } from '../gateways/pool-event.ts'

let pool: TestPool
let plan: number
/** What the provider knows of the checkout when it is asked. */
let known: (subscription_id: number) => GatewayEvent[]
let frame: NonNullable<Gateway['frame']> | undefined

const now = new Date()
const webhookGateway =
  (...facts: GatewayEvent['facts']) =>
  (subscription_id: number) => [ownEvent({ subscription_id, gateway_ref: null, now }, facts)]

/** A provider whose cards are typed in frames of its own. */
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
  abandon: async ({ subscription_id }) => webhookGateway({ kind: 'given_up', trouble: '' })(subscription_id),
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

/** Somebody who has begun to pay by card. */
async function makePayer() {
  const { token, customer_id } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const { profile_id, url } = await pool.ask(checkout.payByCard, { subscription: plan }, token)
  return { token, customer_id, profile_id: profile_id ?? 0, url }
}

const frameOf = ({ profile_id }: { profile_id: number }, token: string) =>
  pool.ask(checkout.getCardFrame, { profile_id }, token)

test('whoever begins to pay is led to the page for their card, which shows what they pay', async () => {
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

test('the payment of somebody else is no more there than one that never was', async () => {
  const [payer, other] = [await makePayer(), await makePayer()]
  const refused = await errorOf(frameOf(payer, other.token))
  expect(refused).toMatchObject({ status: 404, code: 'unknown_payment' })
  expect(await errorOf(frameOf({ profile_id: 999_999 }, other.token))).toEqual(refused)
  expect((await pool.request(checkout.getCardFrame, { profile_id: payer.profile_id })).statusCode).toBe(401)
})

test('a payment that was given up is not offered again, and its provider is not asked', async () => {
  const payer = await makePayer()
  // Choosing anew gives the first one up.
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
    trouble: '',
  })

test('a payment that is made is not asked for twice', async () => {
  const payer = await makePayer()
  await applyEvents(pool.ctx, 'stripe', paid()(payer.profile_id))
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'already_subscribed' })
})

test('one that is over at the provider is over here at once', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new PaymentDeclinedError('The time to pay for this is over.')
  }
  known = webhookGateway({ kind: 'given_up', trouble: 'The page was left open too long.' })
  expect(await errorOf(frameOf(payer, payer.token))).toEqual({
    status: 402,
    code: 'payment_declined',
    message: 'The page was left open too long.',
  })
  const state = await pool.ask(checkout.getPayment, { profile_id: payer.profile_id }, payer.token)
  expect(state.profile_status).toBe('Ended')
})

test('one that was paid there while nobody told is taken in, and not called over', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new PaymentDeclinedError('The time to pay for this is over.')
  }
  known = paid()
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'already_subscribed' })
  const state = await pool.ask(checkout.getPayment, { profile_id: payer.profile_id }, payer.token)
  expect(state.is_paid).toBe(true)
})

test('a provider that is away is said to be, and changes nothing', async () => {
  const payer = await makePayer()
  frame = async () => {
    throw new ProviderUnavailableError()
  }
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'provider_unavailable' })
  frame = undefined
  expect(await errorOf(frameOf(payer, payer.token))).toMatchObject({ code: 'unknown_payment' })
})
