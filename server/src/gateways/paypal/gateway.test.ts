import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { aMember } from '../../../test/makers.ts'
import { skipReason, startProvider, startServer, type TestProvider } from '../../../test/payment-providers.ts'
import { certificate, signAsPaypal } from '../../../test/paypal-signature.ts'
import { openTestPool, type TestPool } from '../../../test/pool.ts'
import { findPaidSubscription } from '../../billing/charges.ts'
import { termsOf } from '../amounts.ts'
import { type AtGateway, type Checkout, PaymentDeclinedError, ProviderUnavailableError } from '../gateway.ts'
import { paypalGateway } from './gateway.ts'

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
  method: 'paypal',
  return_url: 'https://pool.example/subscription/confirm-payment/token',
  cancel_url: 'https://pool.example/subscription/failed',
  now,
}
const at: AtGateway = { subscription_id: 7, checkout_key, gateway_ref: 'I-1', payer_ref: null, customer, terms, now }
const change = {
  key: 'change-1',
  terms: { ...terms, plan_id: 4, title: 'Pool gold', price_minor: 3000 },
  from: 'next_period' as const,
  due_now_minor: 0,
  return_url: 'https://pool.example/account',
  cancel_url: 'https://pool.example/account',
}
const order = { key: 'refund-1', charge_ref: 'SALE1', amount_minor: 500, currency: 'USD', reason: 'As\nagreed' }

const gatewayAt = (api: string) =>
  paypalGateway({
    sql: pool.ctx.sql,
    config: { clientId: 'client', secret: 'secret', webhookId: 'WEBHOOK1', api },
    findPaidSubscription: findPaidSubscription(pool.ctx.sql),
  })

const subscription = (more: object = {}) => ({
  id: 'I-1',
  status: 'ACTIVE',
  plan_id: 'P-1',
  custom_id: '7',
  start_time: '2026-10-31T18:30:00Z',
  create_time: '2026-10-31T18:29:00Z',
  subscriber: { payer_id: 'PAYER1' },
  ...more,
})

const payment = (id: string, time: string, status = 'COMPLETED') => ({
  id,
  time,
  status,
  amount_with_breakdown: { gross_amount: { value: '20.00', currency_code: 'USD' } },
})

type RecordedCall = {
  call: string
  path: string
  key: string | undefined
  token: string | undefined
  body: Record<string, unknown>
}
type FakeReply = { status: number; body?: object } | object

/** A fake PayPal whose replies are chosen by the test. */
async function fakePaypal(respond: (call: string, callNumber: number) => FakeReply | undefined) {
  const calls: RecordedCall[] = []
  const server = await startServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    const path = request.url ?? ''
    const call = `${request.method} ${path.split('?')[0]}`
    const isToken = path === '/v1/oauth2/token'
    const { authorization: token, 'paypal-request-id': key } = request.headers
    calls.push({ call, path, token, key: key?.toString(), body: text && !isToken ? JSON.parse(text) : {} })
    const callNumber = calls.filter((one) => one.call === call).length
    const reply =
      respond(call, callNumber) ??
      (isToken
        ? { access_token: `token-${callNumber}`, expires_in: 3600 }
        : { id: `ID-${calls.length}`, status: 'COMPLETED' })
    const { status, body } =
      'status' in reply && typeof reply.status === 'number'
        ? (reply as { status: number; body?: object })
        : { status: 200, body: reply }
    response.writeHead(status, { 'content-type': 'application/json' }).end(body ? JSON.stringify(body) : '')
  })
  return { ...server, calls, of: (call: string) => calls.filter((one) => one.call === call) }
}

const unprocessable = (issue: string) => ({
  status: 422,
  body: { name: 'UNPROCESSABLE_ENTITY', message: 'No.', details: [{ issue, description: 'Said so.' }] },
})

describe(skipReason ? `against PayPal's documents, skipped: ${skipReason}` : "against PayPal's documents", () => {
  let paypal: TestProvider
  let status = 'ACTIVE'

  beforeAll(async () => {
    if (skipReason) return
    paypal = await startProvider('paypal', {
      // The documents have few examples: requests are validated, replies come from the test.
      amend: (call, reply) => {
        if (/^GET \/v1\/billing\/subscriptions\/[^/]+$/.test(call)) return subscription({ status })
        if (call.includes('/transactions')) return { transactions: [payment('S1', '2026-10-31T18:31:00Z')] }
        if (call.endsWith('/refund')) return { id: 'R1', status: 'COMPLETED' }
        return { id: `MADE-${paypal.requests.length}`, ...(reply as object) }
      },
    })
  })
  afterAll(() => paypal?.close())
  beforeEach(() => {
    status = 'ACTIVE'
    if (paypal) paypal.requests.length = 0
  })

  const calls = () => paypal.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  const sent = (call: string) => {
    const body = paypal.requests.find(({ method, path }) => `${method} ${path}` === call)?.body
    return body ? JSON.parse(body) : undefined
  }

  test.skipIf(skipReason)('a checkout creates product and plan once, and leads to PayPal’s page', async () => {
    const gateway = gatewayAt(paypal.url)
    const started = await gateway.start(checkout)
    expect(started).toMatchObject({
      gateway_ref: expect.stringMatching(/^I-/),
      url: expect.stringMatching(/^https:/),
      events: [],
    })
    expect(sent('POST /v1/billing/plans')).toMatchObject({
      billing_cycles: [
        {
          tenure_type: 'TRIAL',
          total_cycles: 1,
          pricing_scheme: { fixed_price: { value: '1.00', currency_code: 'USD' } },
        },
        { tenure_type: 'REGULAR', total_cycles: 0, pricing_scheme: { fixed_price: { value: '20.00' } } },
      ],
      payment_preferences: { auto_bill_outstanding: false, payment_failure_threshold: 1 },
    })
    expect(sent('POST /v1/billing/subscriptions')).toMatchObject({
      custom_id: `7:${checkout_key}`,
      application_context: { user_action: 'CONTINUE', return_url: checkout.return_url },
    })
    await gateway.start({ ...checkout, subscription_id: 8, key: 'checkout-8' })
    expect(calls().filter((call) => /products|plans|token/.test(call))).toEqual([
      'POST /v1/oauth2/token',
      'POST /v1/catalogs/products',
      'POST /v1/billing/plans',
    ])
    expect(paypal.requests.filter(({ status }) => status >= 400)).toEqual([])
  })

  test.skipIf(skipReason)('activates an approved subscription and then fetches it', async () => {
    status = 'APPROVED'
    const gateway = gatewayAt(paypal.url)
    await gateway.complete?.(at, 'token')
    expect(calls()).toContain('POST /v1/billing/subscriptions/I-1/activate')
    status = 'ACTIVE'
    const facts = (await gateway.fetch(at)).flatMap(({ facts }) => facts)
    expect(facts.map(({ kind }) => kind)).toContain('charge')
    expect(calls()).toContain('GET /v1/billing/subscriptions/I-1/transactions')
    expect(paypal.requests.filter(({ status }) => status >= 400)).toEqual([])
  })

  test.skipIf(skipReason)(
    'cancelling, changing the plan, refunding and abandoning are valid PayPal requests',
    async () => {
      const gateway = gatewayAt(paypal.url)
      expect((await gateway.cancel(at))[0]?.facts).toEqual([
        { kind: 'cancelled', is_cancelled: true },
        { kind: 'terminated' },
      ])
      const changed = await gateway.changePlan?.(at, change)
      expect(changed?.url).toMatch(/^https:/)
      const [event] = await gateway.refund(at, order)
      expect(event?.facts).toEqual([
        { kind: 'refund', refund_ref: expect.any(String), charge_ref: 'SALE1', amount_minor: 500 },
      ])
      expect(sent('POST /v2/payments/captures/SALE1/refund')).toEqual({
        amount: { currency_code: 'USD', value: '5.00' },
        note_to_payer: 'As agreed',
      })
      status = 'APPROVAL_PENDING'
      expect((await gateway.abandon(at))[0]?.facts).toEqual([{ kind: 'abandoned', failure_reason: expect.any(String) }])
      expect(paypal.requests.filter(({ status }) => status >= 400)).toEqual([])
    },
  )
})

test('creates everything with an idempotency key that depends on its content', async () => {
  const keysOf = async (options: Checkout) => {
    await pool.ctx.sql`delete from gateway_plan`
    const paypal = await fakePaypal(() => undefined)
    await gatewayAt(paypal.url).start(options)
    await paypal.close()
    return paypal.calls.filter(({ call }) => call.startsWith('POST') && !call.endsWith('token'))
  }
  const created = await keysOf(checkout)
  expect(created.map(({ call }) => call)).toEqual([
    'POST /v1/catalogs/products',
    'POST /v1/billing/plans',
    'POST /v1/billing/subscriptions',
  ])
  for (const { key } of created) expect(key).toMatch(/^[0-9a-f-]{36}$/)
  const keyOfLast = (calls: RecordedCall[]) => calls.at(-1)?.key
  expect(keyOfLast(await keysOf(checkout))).toBe(keyOfLast(created))
  expect(keyOfLast(await keysOf({ ...checkout, key: 'checkout-8' }))).not.toBe(keyOfLast(created))
})

test('activates a subscription only if the right payer approved it', async () => {
  const completing = async (more: object) => {
    const paypal = await fakePaypal((call) => (call.startsWith('GET') ? subscription(more) : undefined))
    const ended = await gatewayAt(paypal.url)
      .complete?.(at, 'token')
      .catch((error) => error)
    await paypal.close()
    return { ended, activated: paypal.of('POST /v1/billing/subscriptions/I-1/activate').length }
  }
  expect(await completing({ status: 'APPROVAL_PENDING' })).toEqual({
    ended: expect.any(PaymentDeclinedError),
    activated: 0,
  })
  expect(await completing({ status: 'CANCELLED' })).toEqual({ ended: expect.any(PaymentDeclinedError), activated: 0 })
  expect(await completing({ status: 'APPROVED', custom_id: `7:${crypto.randomUUID()}` })).toEqual({
    ended: expect.any(PaymentDeclinedError),
    activated: 0,
  })
  expect(await completing({ status: 'ACTIVE' })).toMatchObject({ ended: expect.any(Array), activated: 0 })
  expect(await completing({ status: 'APPROVED' })).toMatchObject({ activated: 1 })
})

test('a second return that finds the subscription active is not an error', async () => {
  const paypal = await fakePaypal((call, callNumber) => {
    if (call.endsWith('/activate')) return unprocessable('SUBSCRIPTION_STATUS_INVALID')
    return call === 'GET /v1/billing/subscriptions/I-1'
      ? subscription({ status: callNumber === 1 ? 'APPROVED' : 'ACTIVE' })
      : undefined
  })
  expect(await gatewayAt(paypal.url).complete?.(at, 'token')).toEqual(expect.any(Array))
  await paypal.close()
})

test('fetches payments, and fetching again returns the same events', async () => {
  const paypal = await fakePaypal((call) => {
    if (call.endsWith('/transactions'))
      return {
        transactions: [payment('S1', '2026-10-31T18:31:00Z'), payment('S2', '2026-11-30T10:00:00Z', 'DECLINED')],
      }
    return call.startsWith('GET') ? subscription() : undefined
  })
  const gateway = gatewayAt(paypal.url)
  const events = await gateway.fetch(at)
  expect(events.flatMap(({ facts }) => facts)).toEqual([
    expect.objectContaining({ kind: 'charge', charge_ref: 'S1', reason: 'first', is_trial: true, amount_minor: 2000 }),
    { kind: 'payer', payer_ref: 'PAYER1' },
  ])
  expect(await gateway.fetch(at)).toEqual(events)
  expect(paypal.of('POST /v1/oauth2/token')).toHaveLength(1)
  await paypal.close()
})

test('renews a token that PayPal no longer accepts', async () => {
  const paypal = await fakePaypal((call, callNumber) => {
    if (call !== 'GET /v1/billing/subscriptions/I-1') return undefined
    return callNumber === 1
      ? { status: 401, body: { error: 'invalid_token' } }
      : subscription({ status: 'APPROVAL_PENDING' })
  })
  await gatewayAt(paypal.url).fetch(at)
  expect(paypal.of('GET /v1/billing/subscriptions/I-1').map(({ token }) => token)).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ])
  await paypal.close()
})

test('explains a rejection by PayPal in a sentence', async () => {
  const paypal = await fakePaypal((call) =>
    call.endsWith('/refund') ? unprocessable('CAPTURE_FULLY_REFUNDED') : undefined,
  )
  await expect(gatewayAt(paypal.url).refund(at, order)).rejects.toThrow(
    new PaymentDeclinedError('This payment has already been refunded.'),
  )
  await paypal.close()
})

test('cancelling a subscription that is already cancelled at PayPal succeeds', async () => {
  const paypal = await fakePaypal((call) =>
    call.endsWith('/cancel') ? unprocessable('SUBSCRIPTION_STATUS_INVALID') : undefined,
  )
  expect(await gatewayAt(paypal.url).cancel(at)).toHaveLength(1)
  await paypal.close()
})

test('does not abandon a checkout that has been paid since', async () => {
  const paypal = await fakePaypal((call) =>
    call === 'GET /v1/billing/subscriptions/I-1' ? subscription() : call.startsWith('GET') ? {} : undefined,
  )
  const facts = (await gatewayAt(paypal.url).abandon(at)).flatMap(({ facts }) => facts)
  expect(facts.map(({ kind }) => kind)).toEqual(['payer'])
  expect(paypal.of('POST /v1/billing/subscriptions/I-1/cancel')).toEqual([])
  await paypal.close()
})

test('reports PayPal as unavailable if it cannot be reached or fails', async () => {
  await expect(gatewayAt(`http://127.0.0.1:${await freePort()}`).fetch(at)).rejects.toThrow(ProviderUnavailableError)
  const broken = await fakePaypal((call) => (call.endsWith('token') ? undefined : { status: 503, body: {} }))
  await expect(gatewayAt(broken.url).cancel(at)).rejects.toThrow(ProviderUnavailableError)
  await broken.close()
})

test('PayPal cannot undo a cancellation or replace a card', () => {
  const gateway = gatewayAt('https://api-m.paypal.com')
  expect(gateway.resume).toBeUndefined()
  expect(gateway.updateMethod).toBeUndefined()
})

test('refuses an unsigned webhook', async () => {
  const read = gatewayAt('https://api-m.paypal.com').readWebhook?.(Buffer.from('{}'), {})
  await expect(read).rejects.toMatchObject({ code: 'invalid_signature' })
})

describe('a webhook about a refund', () => {
  const address = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77'
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = certificate(publicKey, privateKey, new Date(Date.now() - 60_000), new Date(Date.now() + 60_000))
  const body = Buffer.from(
    JSON.stringify({
      id: 'WH-1',
      event_type: 'PAYMENT.SALE.REFUNDED',
      create_time: '2026-11-21T12:00:00Z',
      resource: { id: 'R1', sale_id: 'SALE1', amount: { total: '-5.00', currency: 'USD' } },
    }),
  )
  const fact = { kind: 'refund', refund_ref: 'R1', charge_ref: 'SALE1', amount_minor: 500 }

  /** Reads it with a fake PayPal that returns this sale. */
  const read = async (sale: () => Response) => {
    const fetchFrom: typeof fetch = async (options) => {
      if (`${options}` === address) return new Response(pem)
      if (`${options}`.endsWith('/token')) return Response.json({ access_token: 'token', expires_in: 3600 })
      return sale()
    }
    const config = { clientId: 'c', secret: 's', webhookId: 'WEBHOOK1', api: 'https://api-m.sandbox.paypal.com' }
    const { sql } = pool.ctx
    const gateway = paypalGateway({
      ...{ sql, config, fetch: fetchFrom },
      findPaidSubscription: findPaidSubscription(sql),
    })
    return gateway.readWebhook?.(body, signAsPaypal(body, { webhookId: 'WEBHOOK1', key: privateKey, address }))
  }
  const unknown = () => Response.json({ name: 'INVALID_RESOURCE_ID' }, { status: 404 })

  test('belongs to the subscription whose payment the pool knows, without a request', async () => {
    const { sql } = pool.ctx
    const { customer_id } = await aMember(pool.ctx)
    const [plan] = await sql`insert into plan (title, price_minor) values ('Pool', 2000) returning plan_id`
    const [mine] = await sql`
      insert into subscription (customer_id, plan_id, gateway, gateway_ref, method, price_minor, first_price_minor,
        currency, interval, checkout_ends_at)
      values (${customer_id}, ${plan?.plan_id}, 'paypal', 'I-5', 'paypal', 2000, 2000, 'USD', 'month', ${now})
      returning subscription_id`
    await sql`
      insert into charge (subscription_id, customer_id, plan_id, gateway, gateway_ref, reason, status, amount_minor, currency,
        period_start, period_end, method, at)
      values (${mine?.subscription_id}, ${customer_id}, ${plan?.plan_id}, 'paypal', 'SALE1', 'first', 'paid', 2000, 'USD',
        ${now}, ${new Date(now.getTime() + 1)}, 'paypal', ${now})`
    const failOnRequest = () => {
      throw new Error('Unexpected request')
    }
    expect(await read(failOnRequest)).toMatchObject([{ gateway_ref: 'I-5', facts: [fact] }])
    await sql`delete from charge`
  })

  test('belongs to the subscription that PayPal returns for the payment', async () => {
    const paid = {
      id: 'SALE1',
      billing_agreement_id: 'I-9',
      create_time: '',
      amount: { total: '20.00', currency: 'USD' },
    }
    expect(await read(() => Response.json(paid))).toMatchObject([
      { event_id: 'WH-1', gateway_ref: 'I-9', facts: [fact] },
    ])
  })

  test('has no facts when the payment belongs to no subscription', async () => {
    expect(await read(unknown)).toMatchObject([{ gateway_ref: null, facts: [] }])
  })

  test('is sent again when PayPal does not respond', async () => {
    await expect(read(() => new Response('', { status: 503 }))).rejects.toThrow(ProviderUnavailableError)
  })
})
