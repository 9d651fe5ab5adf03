import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { skipReason, startProvider, startServer, type TestProvider } from '../../../test/payment-providers.ts'
import { openTestPool, type TestPool } from '../../../test/pool.ts'
import { termsOf } from '../amounts.ts'
import { type AtGateway, type Checkout, PaymentDeclinedError, ProviderUnavailableError } from '../gateway.ts'
import { stripeGateway } from './gateway.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
beforeEach(async () => {
  await pool.ctx.sql`delete from gateway_plan`
})

const now = new Date('2026-11-21T12:00:00Z')
const plan = { plan_id: 3, title: 'Pool monthly', currency: 'USD', interval: 'month' as const, price_minor: 2000 }
const terms = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true })
const customer = { customer_id: 5, email: 'dj@example.com', name: 'DJ Example' }
const checkout_key = '5a6e3f0e-55a1-4d4b-9c56-0b9a0c1f7d21'
const checkout: Checkout = {
  subscription_id: 7,
  checkout_key,
  key: 'checkout-7',
  customer,
  terms,
  method: 'credit_card',
  return_url: 'https://pool.example/subscription/success/7',
  cancel_url: 'https://pool.example/subscription/failed',
  now,
}
const at: AtGateway = {
  subscription_id: 7,
  checkout_key,
  gateway_ref: 'sub_1',
  payer_ref: 'cus_1',
  customer,
  terms,
  now,
}
const change = {
  key: 'change-1',
  terms: { ...terms, plan_id: 4, title: 'Pool gold', price_minor: 3000, first_price_minor: 3000 },
  from: 'now' as const,
  due_now_minor: 512,
  return_url: 'https://pool.example/',
  cancel_url: 'https://pool.example/',
}
const order = { key: 'refund-1', charge_ref: 'in_1', amount_minor: 500, currency: 'USD', reason: 'As agreed' }

const gatewayAt = (api: string, checkout: 'redirect' | 'embedded' = 'redirect') =>
  stripeGateway({
    sql: pool.ctx.sql,
    config: { secretKey: 'sk_test_1', webhookSecret: 'whsec_right', publishableKey: 'pk_test_1', checkout, api },
  })

type RecordedCall = { call: string; key: string | undefined; form: URLSearchParams }
type FakeReply = { status?: number; body: object } | object

/** A fake Stripe whose replies are chosen by the test. */
async function fakeStripe(respond: (call: string, form: URLSearchParams, callNumber: number) => FakeReply | undefined) {
  const calls: RecordedCall[] = []
  const server = await startServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    const form = new URLSearchParams(request.method === 'GET' ? request.url?.split('?')[1] : body)
    const call = `${request.method} ${request.url?.split('?')[0]}`
    calls.push({ call, key: request.headers['idempotency-key']?.toString(), form })
    const callNumber = calls.filter((one) => one.call === call).length
    const fakeReply = respond(call, form, callNumber) ?? { object: 'list', data: [], has_more: false, id: 'any_1' }
    const { status, body: reply } = 'body' in fakeReply ? fakeReply : { status: 200, body: fakeReply }
    response.writeHead(status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  const of = (call: string) => calls.filter((one) => one.call === call)
  return { ...server, calls, of }
}

const session = (more: object = {}) => ({
  id: 'cs_1',
  mode: 'subscription',
  status: 'open',
  url: 'https://checkout.stripe.com/c/pay/cs_1',
  client_reference_id: '7',
  metadata: { checkout_key },
  customer: 'cus_1',
  subscription: null,
  ...more,
})
const list = (...data: object[]) => ({ object: 'list', data, has_more: false })
const refused = (status: number, error: object) => ({ status, body: { error } })

describe(skipReason ? `against Stripe's document, skipped: ${skipReason}` : "against Stripe's document", () => {
  let stripe: TestProvider
  let amendReply: (call: string, reply: Record<string, unknown>) => object = (_, reply) => reply

  beforeAll(async () => {
    if (skipReason) return
    stripe = await startProvider('stripe', {
      // The document is of August 2023. These fields were added in 2024 and 2026-09-30.endive.
      newer: ['discounts[0]', 'allowed_payment_method_types', 'ui_mode', 'return_url'],
      // Absent when cards are entered in Stripe's frames.
      older: { 'POST /v1/checkout/sessions': { success_url: 'https://pool.example/' } },
      amend: (call, reply) => amendReply(call, reply as Record<string, unknown>),
    })
  })
  afterAll(() => stripe?.close())
  beforeEach(() => {
    amendReply = (_, reply) => reply
    if (stripe) stripe.requests.length = 0
  })

  const calls = () => stripe.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const form = (call: string) =>
    Object.fromEntries(
      new URLSearchParams(stripe.requests.find(({ method, path }) => `${method} ${path.split('?')[0]}` === call)?.body),
    )

  test.skipIf(skipReason)('a checkout creates the plan at Stripe once, and leads to Stripe’s page', async () => {
    const gateway = gatewayAt(stripe.url)
    const started = await gateway.start(checkout)
    expect(started.url).toMatch(/^https:\/\/checkout\.stripe\.com\//)
    expect(started.events[0]?.facts).toEqual([{ kind: 'payer', payer_ref: expect.stringMatching(/^cus_/) }])
    expect(form('POST /v1/checkout/sessions')).toMatchObject({
      mode: 'subscription',
      client_reference_id: '7',
      'subscription_data[metadata][checkout_key]': checkout_key,
      'metadata[checkout_key]': checkout_key,
      'subscription_data[metadata][is_trial]': 'yes',
      expires_at: `${now.getTime() / 1000 + 3600}`,
      'allowed_payment_method_types[0]': 'card',
    })
    expect(form('POST /v1/prices')).toMatchObject({
      unit_amount: '2000',
      currency: 'usd',
      'recurring[interval]': 'month',
    })
    expect(form('POST /v1/coupons')).toMatchObject({ amount_off: '1900', duration: 'once' })
    await gateway.start({ ...checkout, subscription_id: 8, key: 'checkout-8' })
    const made = calls().filter((call) => /POST \/v1\/(products|prices|coupons)$/.test(call))
    expect(made).toEqual(['POST /v1/products', 'POST /v1/prices', 'POST /v1/coupons'])
    expect(stripe.requests.map(({ status }) => status)).not.toContain(400)
  })

  test.skipIf(skipReason)(
    'a checkout in Stripe’s fields has the same contents, and leads to the page with them',
    async () => {
      await gatewayAt(stripe.url).start(checkout)
      const { success_url, cancel_url, ...hostedForm } = form('POST /v1/checkout/sessions')
      stripe.requests.length = 0
      const started = await gatewayAt(stripe.url, 'embedded').start(checkout)
      expect(started.url).toBe('https://pool.example/subscription/card/7')
      expect(started.events[0]?.facts).toEqual([{ kind: 'payer', payer_ref: expect.stringMatching(/^cus_/) }])
      const { ui_mode, return_url, ...embeddedForm } = form('POST /v1/checkout/sessions')
      expect({ ui_mode, return_url }).toEqual({ ui_mode: 'elements', return_url: checkout.return_url })
      expect(embeddedForm).toEqual(hostedForm)
      expect([success_url, cancel_url]).toEqual([checkout.return_url, checkout.cancel_url])
      expect(stripe.requests.map(({ status }) => status)).not.toContain(400)
    },
  )

  test.skipIf(skipReason)('a trial price with a coupon of three payments is a separate line', async () => {
    const three = { percent: 50, amount_minor: null, payments: 3 }
    const both = termsOf({ ...plan, trial_price_minor: 100 }, { isNew: true, coupon: three })
    await gatewayAt(stripe.url).start({ ...checkout, terms: both })
    const sent = form('POST /v1/checkout/sessions')
    const end = `${Date.parse('2026-12-21T12:00:00Z') / 1000}`
    expect(sent).toMatchObject({
      'line_items[1][price_data][unit_amount]': '50',
      'subscription_data[trial_end]': end,
      'subscription_data[metadata][first_period_end]': end,
      'subscription_data[metadata][first_discount_minor]': '50',
    })
    expect(form('POST /v1/coupons')).toMatchObject({
      amount_off: '1000',
      duration: 'repeating',
      duration_in_months: '2',
    })
  })

  test.skipIf(skipReason)('fetches everything Stripe knows about a subscription', async () => {
    amendReply = (call, reply) => {
      const [invoice] = (call.startsWith('GET /v1/invoices?') ? reply.data : []) as object[]
      if (!invoice) return reply
      const parent = {
        subscription_details: { subscription: 'sub_1', metadata: { subscription_id: '7', plan_id: '3' } },
      }
      const lines = { data: [{ amount: 2000, period: { start: 1_770_000_000, end: 1_772_000_000 } }] }
      const paid = { status: 'paid', billing_reason: 'subscription_create', amount_paid: 2000, parent, lines }
      return { ...reply, data: [{ ...invoice, ...paid }] }
    }
    const events = await gatewayAt(stripe.url).fetch(at)
    const facts = events.flatMap(({ facts }) => facts)
    expect(facts.map(({ kind }) => kind)).toEqual(['charge', 'payer', 'cancelled'])
    expect(facts[0]).toMatchObject({ charge_ref: expect.stringMatching(/^in_/), amount_minor: 2000, reason: 'first' })
    expect(calls().sort()).toEqual(['GET /v1/charges', 'GET /v1/invoices', 'GET /v1/subscriptions/sub_1'])
    expect((await gatewayAt(stripe.url).fetch(at)).map(({ event_id }) => event_id)).toEqual(
      events.map(({ event_id }) => event_id),
    )
  })

  test.skipIf(skipReason)(
    'cancelling, resuming, changing the card and changing the plan are valid Stripe requests',
    async () => {
      amendReply = (call, reply) =>
        call.startsWith('POST /v1/invoices/') ? { ...reply, status: 'paid', metadata: { reason: 'upgrade' } } : reply
      const gateway = gatewayAt(stripe.url)
      expect((await gateway.cancel(at))[0]?.facts).toEqual([{ kind: 'cancelled', is_cancelled: true }])
      expect((await gateway.resume?.(at))?.[0]?.facts).toEqual([{ kind: 'cancelled', is_cancelled: false }])
      const card = await gateway.updateMethod?.(at, {
        card: undefined,
        return_url: 'https://pool.example/',
        key: 'card-1',
      })
      expect(card?.url).toMatch(/^https:\/\/checkout\.stripe\.com\//)
      await gateway.changePlan?.(at, change)
      expect(form('POST /v1/invoiceitems')).toMatchObject({ amount: '512', currency: 'usd' })
      expect(stripe.requests.filter(({ status }) => status !== 200)).toEqual([])
    },
  )

  test.skipIf(skipReason)('refunding and closing the page are valid Stripe requests', async () => {
    amendReply = (call, reply) => {
      if (call.startsWith('GET /v1/invoices/'))
        return { ...reply, payments: list({ payment: { payment_intent: 'pi_1' } }) }
      return call.startsWith('GET /v1/checkout/sessions') ? list(session()) : reply
    }
    const gateway = gatewayAt(stripe.url)
    const [event] = await gateway.refund(at, order)
    expect(event?.facts).toEqual([
      { kind: 'refund', refund_ref: expect.stringMatching(/^re_/), charge_ref: 'in_1', amount_minor: 500 },
    ])
    expect(form('POST /v1/refunds')).toMatchObject({ payment_intent: 'pi_1', 'metadata[charge_ref]': 'in_1' })
    const abandoned = await gateway.abandon({ ...at, gateway_ref: null })
    expect(abandoned[0]?.facts).toEqual([{ kind: 'abandoned', failure_reason: expect.any(String) }])
    expect(calls()).toContain('POST /v1/checkout/sessions/cs_1/expire')
    expect(stripe.requests.filter(({ status }) => status !== 200)).toEqual([])
  })
})

test('creates everything with an idempotency key that depends on its content', async () => {
  const respond = (call: string) => (call === 'POST /v1/checkout/sessions' ? session() : undefined)
  const keysOf = async () => {
    await pool.ctx.sql`delete from gateway_plan`
    const stripe = await fakeStripe(respond)
    await gatewayAt(stripe.url).start(checkout)
    await stripe.close()
    return stripe.calls.filter(({ call }) => call.startsWith('POST')).map(({ call, key }) => `${call} ${key}`)
  }
  const keys = await keysOf()
  expect(keys).toHaveLength(5)
  expect(keys.filter((key) => key.endsWith('undefined'))).toEqual([])
  expect(new Set(keys).size).toBe(5)
  expect(await keysOf()).toEqual(keys)
})

test('a checkout that is started again leads to the page that is open', async () => {
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/checkout/sessions')
      return list(session({ metadata: {} }), session({ url: 'https://checkout.stripe.com/open' }))
    if (call !== 'POST /v1/checkout/sessions') return undefined
    return refused(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters',
    })
  })
  expect((await gatewayAt(stripe.url).start(checkout)).url).toBe('https://checkout.stripe.com/open')
  await stripe.close()
})

test('reuses the Stripe customer of a member who paid before', async () => {
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/customers')
      return list({ id: 'cus_other', metadata: {} }, { id: 'cus_5', metadata: { customer_id: '5' } })
    return call === 'POST /v1/checkout/sessions' ? session() : undefined
  })
  await gatewayAt(stripe.url).start(checkout)
  expect(stripe.of('POST /v1/customers')).toEqual([])
  expect(stripe.of('POST /v1/checkout/sessions')[0]?.form.get('customer')).toBe('cus_5')
  await stripe.close()
})

test('finds a lost event by fetching: the checkout leads to its subscription', async () => {
  const subscription = { id: 'sub_9', status: 'active', customer: 'cus_1', metadata: {}, items: { data: [] } }
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/checkout/sessions') return list(session({ status: 'complete', subscription: 'sub_9' }))
    return call === 'GET /v1/subscriptions/sub_9' ? subscription : undefined
  })
  const events = await gatewayAt(stripe.url).fetch({ ...at, gateway_ref: null, payer_ref: null })
  expect(events.map(({ gateway_ref }) => gateway_ref)).toEqual(['sub_9', 'sub_9'])
  expect(stripe.of('GET /v1/checkout/sessions')[0]?.form.get('customer_details[email]')).toBe('dj@example.com')
  await stripe.close()
})

test('ignores a session that a buyer created with our number, or another pool with its key', async () => {
  const foreign = [
    session({ id: 'cs_link', status: 'complete', subscription: 'sub_9', metadata: {}, customer: 'cus_9' }),
    session({ status: 'complete', subscription: 'sub_8', metadata: { checkout_key: crypto.randomUUID() } }),
  ]
  const stripe = await fakeStripe((call) => (call === 'GET /v1/checkout/sessions' ? list(...foreign) : undefined))
  const pending = { ...at, gateway_ref: null, payer_ref: null }
  expect((await gatewayAt(stripe.url).fetch(pending)).flatMap(({ facts }) => facts)).toEqual([])
  expect(stripe.calls.map(({ call }) => call)).toEqual(['GET /v1/checkout/sessions'])
  await stripe.close()
})

test('a session from before checkouts had keys counts for the customer that the pool created', async () => {
  const before = { metadata: { subscription_id: '7' }, status: 'complete', subscription: 'sub_9' }
  const subscription = { id: 'sub_9', status: 'active', customer: 'cus_1', metadata: {}, items: { data: [] } }
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/checkout/sessions') return list(session(before))
    return call === 'GET /v1/subscriptions/sub_9' ? subscription : undefined
  })
  const events = await gatewayAt(stripe.url).fetch({ ...at, gateway_ref: null })
  expect(events[0]?.gateway_ref).toBe('sub_9')
  await stripe.close()
})

test('a page that is paid while it is being closed is paid', async () => {
  const subscription = { id: 'sub_9', status: 'active', customer: 'cus_1', metadata: {}, items: { data: [] } }
  const stripe = await fakeStripe((call, _form, callNumber) => {
    if (call === 'GET /v1/checkout/sessions')
      return list(session(callNumber === 1 ? {} : { status: 'complete', subscription: 'sub_9' }))
    if (call.endsWith('/expire'))
      return refused(400, { type: 'invalid_request_error', message: 'Only open sessions can be expired' })
    return call === 'GET /v1/subscriptions/sub_9' ? subscription : undefined
  })
  const events = await gatewayAt(stripe.url).abandon({ ...at, gateway_ref: null })
  expect(events.flatMap(({ facts }) => facts.map(({ kind }) => kind))).not.toContain('abandoned')
  expect(events[0]?.gateway_ref).toBe('sub_9')
  await stripe.close()
})

test('cancelling a subscription that already ended at Stripe reports that it ended', async () => {
  const ended = { id: 'sub_1', status: 'canceled', customer: null, metadata: {}, items: { data: [] } }
  const stripe = await fakeStripe((call) => {
    if (call === 'POST /v1/subscriptions/sub_1') return refused(400, { type: 'invalid_request_error', message: 'No.' })
    return call === 'GET /v1/subscriptions/sub_1' ? ended : undefined
  })
  const facts = (await gatewayAt(stripe.url).cancel(at)).flatMap(({ facts }) => facts)
  expect(facts).toEqual([{ kind: 'cancelled', is_cancelled: true }, { kind: 'terminated' }])
  await stripe.close()
})

const upgrading = (pay: FakeReply) =>
  fakeStripe((call) => {
    if (call === 'GET /v1/subscriptions/sub_1')
      return {
        id: 'sub_1',
        status: 'active',
        customer: 'cus_1',
        metadata: {},
        items: { data: [{ id: 'si_1', current_period_end: 1_790_000_000 }] },
      }
    if (call === 'POST /v1/invoices') return { id: 'in_up' }
    return call === 'POST /v1/invoices/in_up/pay' ? pay : undefined
  })

test('a declined upgrade changes nothing and leaves no debt', async () => {
  const stripe = await upgrading(
    refused(402, { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No.' }),
  )
  await expect(gatewayAt(stripe.url).changePlan?.(at, change)).rejects.toThrow(
    new PaymentDeclinedError('Your card has insufficient funds.'),
  )
  expect(stripe.of('POST /v1/invoices/in_up/void')).toHaveLength(1)
  expect(stripe.of('POST /v1/subscriptions/sub_1')).toEqual([])
  await stripe.close()
})

test('charges exactly the quoted amount for an upgrade before changing the plan', async () => {
  const stripe = await upgrading({
    id: 'in_up',
    status: 'paid',
    billing_reason: 'manual',
    amount_due: 512,
    amount_paid: 512,
    currency: 'usd',
    created: 1_789_000_000,
    metadata: { reason: 'upgrade', subscription_id: '7', gateway_ref: 'sub_1', plan_id: '4', period_end: '1790000000' },
    lines: { data: [] },
  })
  const changed = await gatewayAt(stripe.url).changePlan?.(at, change)
  expect(changed?.events[0]?.facts).toEqual([
    expect.objectContaining({ kind: 'charge', reason: 'upgrade', charge_ref: 'in_up', amount_minor: 512, plan_id: 4 }),
  ])
  const [update] = stripe.of('POST /v1/subscriptions/sub_1')
  expect(update?.form.get('proration_behavior')).toBe('none')
  expect(update?.form.get('items[0][id]')).toBe('si_1')
  const order = stripe.calls.map(({ call }) => call)
  expect(order.indexOf('POST /v1/invoices/in_up/pay')).toBeLessThan(order.indexOf('POST /v1/subscriptions/sub_1'))
  await stripe.close()
})

test('a plan change from the next period on charges nothing now', async () => {
  const stripe = await upgrading({})
  const next = { ...change, from: 'next_period' as const, due_now_minor: 0 }
  expect(await gatewayAt(stripe.url).changePlan?.(at, next)).toEqual({ url: null, events: [] })
  expect(stripe.of('POST /v1/invoices')).toEqual([])
  await stripe.close()
})

test('declines a refund that Stripe has already made', async () => {
  const stripe = await fakeStripe((call) => {
    if (call === 'POST /v1/refunds')
      return refused(400, { type: 'invalid_request_error', code: 'charge_already_refunded', message: 'No.' })
    return {
      id: 'in_1',
      amount_due: 1,
      amount_paid: 1,
      currency: 'usd',
      created: 1,
      lines: { data: [] },
      payment_intent: 'pi_1',
    }
  })
  await expect(gatewayAt(stripe.url).refund(at, order)).rejects.toThrow(PaymentDeclinedError)
  expect(stripe.of('POST /v1/refunds')[0]?.key).toBe('refund-1-refund')
  await stripe.close()
})

test('reports Stripe as unavailable if it cannot be reached or fails', async () => {
  await expect(gatewayAt(`http://127.0.0.1:${await freePort()}`).fetch(at)).rejects.toThrow(ProviderUnavailableError)
  const broken = await fakeStripe(() => refused(500, { type: 'api_error', message: 'Oh' }))
  await expect(gatewayAt(broken.url).cancel(at)).rejects.toThrow(ProviderUnavailableError)
  await broken.close()
})

test('returns only the secret of the open checkout for Stripe’s fields', async () => {
  const sessions = (...found: object[]) =>
    fakeStripe((call) => {
      if (call === 'GET /v1/checkout/sessions') return list(...found)
      return call === 'GET /v1/checkout/sessions/cs_open'
        ? session({ id: 'cs_open', url: null, client_secret: 'cs_open_secret' })
        : session({ client_secret: 'cs_other_secret' })
    })
  const pending = { ...at, gateway_ref: null }
  const expiredSession = session({ id: 'cs_over', status: 'expired' })
  const otherCheckout = session({ id: 'cs_another', metadata: { checkout_key: crypto.randomUUID() } })
  const open = await sessions(otherCheckout, expiredSession, session({ id: 'cs_open' }))
  expect(await gatewayAt(open.url, 'embedded').frame?.(pending)).toEqual({
    publishable_key: 'pk_test_1',
    client_secret: 'cs_open_secret',
  })
  await open.close()
  const ended = await sessions(otherCheckout, expiredSession)
  await expect(gatewayAt(ended.url, 'embedded').frame?.(pending)).rejects.toThrow(PaymentDeclinedError)
  await ended.close()
  expect(gatewayAt(ended.url).frame).toBeUndefined()
})

test('a checkout started on Stripe’s page has no fields', async () => {
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/checkout/sessions') return list(session())
    return call === 'GET /v1/checkout/sessions/cs_1' ? session({ client_secret: null }) : undefined
  })
  await expect(gatewayAt(stripe.url, 'embedded').frame?.({ ...at, gateway_ref: null })).rejects.toThrow(
    PaymentDeclinedError,
  )
  await stripe.close()
})

describe('a webhook', () => {
  const payload = JSON.stringify({
    id: 'evt_1',
    type: 'checkout.session.completed',
    created: 1_770_000_000,
    data: { object: session({ status: 'complete', subscription: 'sub_1' }) },
  })
  const signed = (secret: string, timestamp = Math.floor(Date.now() / 1000)) => ({
    'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret, timestamp }),
  })
  const read = (body: string, headers: Record<string, string | string[] | undefined>) =>
    gatewayAt('http://127.0.0.1:9').readWebhook?.(Buffer.from(body), headers) ?? Promise.reject(new Error('none'))

  test('is read when Stripe signed it, and is the same event when read twice', async () => {
    const events = await read(payload, signed('whsec_right'))
    expect(events).toMatchObject([{ event_id: 'evt_1', gateway_ref: 'sub_1', subscription_id: null, checkout_key }])
    expect(await read(payload, signed('whsec_right'))).toEqual(events)
  })

  test('is rejected if it was changed, is too old, or is signed by someone else', async () => {
    const tooOld = Math.floor(Date.now() / 1000) - 301
    const tries = [
      read(payload.replace('"sub_1"', '"sub_2"'), signed('whsec_right')),
      read(payload, signed('whsec_right', tooOld)),
      read(payload, signed('whsec_other')),
      read(payload, {}),
      read(payload, { 'stripe-signature': [signed('whsec_right')['stripe-signature']] }),
    ]
    for (const tried of tries) await expect(tried).rejects.toMatchObject({ code: 'invalid_signature' })
  })
})

test('uses a card entered on Stripe’s page from now on, and retries the open invoice with it', async () => {
  const stripe = await fakeStripe((call) => {
    if (call === 'GET /v1/setup_intents/seti_1') return { id: 'seti_1', payment_method: 'pm_2' }
    if (call === 'GET /v1/payment_methods/pm_2')
      return { id: 'pm_2', type: 'card', card: { brand: 'amex', last4: '0005', exp_month: 12, exp_year: 2030 } }
    if (call === 'POST /v1/subscriptions/sub_1')
      return { id: 'sub_1', status: 'past_due', customer: 'cus_1', latest_invoice: 'in_2', items: { data: [] } }
    if (call === 'GET /v1/invoices/in_2')
      return {
        id: 'in_2',
        status: 'open',
        amount_due: 1,
        amount_paid: 0,
        currency: 'usd',
        created: 1,
        lines: { data: [] },
      }
    return call.endsWith('/pay')
      ? refused(402, { type: 'card_error', code: 'card_declined', message: 'No.' })
      : undefined
  })
  const options = {
    id: 'cs_2',
    mode: 'setup',
    setup_intent: 'seti_1',
    metadata: { subscription_id: '7', gateway_ref: 'sub_1' },
  }
  const payload = JSON.stringify({
    id: 'evt_2',
    type: 'checkout.session.completed',
    created: 1_770_000_000,
    data: { object: options },
  })
  const header = new Stripe('sk_test_1').webhooks.generateTestHeaderString({ payload, secret: 'whsec_right' })
  const events = await gatewayAt(stripe.url).readWebhook?.(Buffer.from(payload), { 'stripe-signature': header })
  const paid_with = { kind: 'credit_card', brand: 'Amex', last_four: '0005', expires_on: '2030-12-31' }
  expect(events).toMatchObject([{ event_id: 'evt_2', gateway_ref: 'sub_1', facts: [{ kind: 'method', paid_with }] }])
  expect(stripe.of('POST /v1/subscriptions/sub_1')[0]?.form.get('default_payment_method')).toBe('pm_2')
  expect(stripe.of('POST /v1/invoices/in_2/pay')).toHaveLength(1)
  await stripe.close()
})

test('two simultaneous requests for a plan create only one', async () => {
  let made = 0
  const stripe = await fakeStripe((call) => {
    if (call === 'POST /v1/checkout/sessions') return session()
    return call.startsWith('POST') ? { id: `made_${++made}` } : undefined
  })
  const gateway = gatewayAt(stripe.url)
  await Promise.all([gateway.start(checkout), gateway.start({ ...checkout, subscription_id: 8, key: 'checkout-8' })])
  const products = new Set(stripe.of('POST /v1/products').map(({ key }) => key))
  expect(products.size).toBe(1)
  const storedTerms = await pool.ctx.sql`select terms from gateway_plan`
  expect(storedTerms.length).toBe(new Set(storedTerms.map(({ terms }) => terms)).size)
  const sent = stripe.of('POST /v1/checkout/sessions').map(({ form }) => form.get('line_items[0][price]'))
  expect(new Set(sent).size).toBe(1)
  await stripe.close()
})
