import type { IncomingMessage, ServerResponse } from 'node:http'
import { checkout, dashboard, payments } from '@dubplate/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../test/free-port.ts'
import { aMember } from '../../test/makers.ts'
import { aPlan } from '../../test/payment-makers.ts'
import { startServer } from '../../test/payment-providers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { readConfig } from '../platform/config.ts'
import { type Gateway, ProviderUnavailableError } from './gateway.ts'
import { checkGateways, checkGatewaysDue, watchGateway } from './gateway-health.ts'
import type { Gateways } from './gateways.ts'
import { manualGateway } from './manual.ts'
import { paypalGateway } from './paypal/gateway.ts'
import { stripeGateway } from './stripe/gateway.ts'

let pool: TestPool
let staff: string
let plan: number
/** Every line that was logged. */
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'debug', base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
beforeAll(async () => {
  const { payments } = readConfig({ SECRET: 'x'.repeat(32), GATEWAYS: 'manual' })
  pool = await openTestPool({ config: { payments }, usesUniqueAddresses: true })
  staff = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4, application: 'none' })).token
  plan = await aPlan(pool.ctx, { price_minor: 1500 })
})
afterAll(() => pool.close())
beforeEach(async () => {
  lines.length = 0
  await pool.ctx.sql`delete from gateway_health`
  await pool.ctx.sql`delete from gateway_failure`
})

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void
const status =
  (code: number, body: object = { error: { message: 'No.' } }): RequestHandler =>
  (_, response) =>
    void response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const dropConnection: RequestHandler = (request) => void request.socket.destroy()

const stripeAt = (api: string) =>
  stripeGateway({
    sql: pool.ctx.sql,
    config: { secretKey: 'sk_test_secret1', webhookSecret: 'whsec_1', checkout: 'redirect', api },
  })
const paypalAt = (api: string) =>
  paypalGateway({
    sql: pool.ctx.sql,
    config: { clientId: 'c', secret: 'paypal-secret', webhookId: 'W', api },
    findPaidSubscription: async () => undefined,
  })

/** Returns how a gateway fails when the server handles requests like this; undefined is an unreachable server. */
async function failing(open: (api: string) => Gateway, handler: RequestHandler | undefined) {
  const server = handler && (await startServer(handler))
  const gateway = open(server?.url ?? `http://127.0.0.1:${await freePort()}`)
  const error = await gateway.check?.().catch((error) => error)
  await server?.close()
  return error instanceof ProviderUnavailableError ? [error.reason, error.isCertain, error.detail] : error
}

describe.each([
  ['Stripe', stripeAt],
  ['PayPal', paypalAt],
])('%s', (_, open) => {
  test.each([
    ['nobody listens', undefined, 'unreachable', true],
    ['the keys are rejected', status(401), 'keys_rejected', true],
    ['the keys lack a right', status(403), 'keys_rejected', true],
    ['there are too many requests', status(429), 'rate_limited', true],
    ['it breaks', status(500), 'provider_error', false],
    ['the connection is lost after the request was sent', dropConnection, 'timeout', false],
  ] as const)(
    'reports why it cannot be used, and whether it certainly did nothing, when %s',
    async (_, handler, reason, isCertain) => {
      const [reportedReason, certain, detail] = await failing(open, handler)
      expect([reportedReason, certain]).toEqual([reason, isCertain])
      expect(detail).not.toMatch(/secret/)
    },
  )
})

test('a rejected request reports the reason, without keys', async () => {
  const error = { type: 'invalid_request_error', message: 'Your account cannot make live charges with sk_test_secret1' }
  expect(await failing(stripeAt, status(400, { error }))).toEqual([
    'request_rejected',
    true,
    'Stripe rejected a request: Your account cannot make live charges with [key]',
  ])
})

/** The pool with a gateway whose outage can be started and ended. */
function withProvider() {
  let failure_reason: ProviderUnavailableError | undefined
  const handler = async <T>(options: T): Promise<T> => {
    if (failure_reason) throw failure_reason
    return options
  }
  const provider: Gateway = {
    ...manualGateway(),
    ...{ name: 'stripe', methods: ['credit_card'], renews: 'gateway', upgrades: 'now' },
    check: () => handler(undefined),
    start: () => handler({ gateway_ref: `sub_${crypto.randomUUID()}`, url: 'https://x.test', events: [] }),
    fetch: () => handler([]),
    abandon: async (at) => {
      await handler(undefined)
      const facts = [{ kind: 'abandoned' as const, failure_reason: '' }]
      return [
        {
          event_id: crypto.randomUUID(),
          at: at.now,
          gateway_ref: at.gateway_ref,
          subscription_id: at.subscription_id,
          facts,
        },
      ]
    },
  }
  const gateways: Gateways = new Map([
    ['stripe', watchGateway(provider, { sql: pool.ctx.sql, log })],
    ['manual', manualGateway()],
  ])
  pool.ctx.gateways = gateways
  const fails = (error: ProviderUnavailableError | undefined) => {
    failure_reason = error
  }
  return { fails }
}
const rejectedError = new ProviderUnavailableError('Stripe rejected STRIPE_SECRET_KEY (401).', {
  reason: 'keys_rejected',
  isCertain: true,
})
const timeoutError = new ProviderUnavailableError('Stripe did not answer in time.', { reason: 'timeout' })

const unavailableGateways = async () =>
  (await pool.ask(dashboard.getAttentionItems, {}, staff)).items.find(({ kind }) => kind === 'gateway_down')
async function metrics(): Promise<string[]> {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => Date.now() * 1000)
  const { body } = await pool.app.inject({ url: '/metrics' })
  clock.mockRestore()
  return body.split('\n').filter((line) => line.startsWith('dubplate_gateway_'))
}

test('an outage is logged once with its cause, counted, and shown to staff until it ends', async () => {
  const { fails } = withProvider()
  const { gateways, sql } = pool.ctx
  await checkGateways({ gateways })
  expect(await unavailableGateways()).toBeUndefined()
  expect(await metrics()).toEqual(['dubplate_gateway_up{gateway="stripe"} 1'])
  fails(rejectedError)
  for (let n = 0; n < 3; n += 1) await checkGateways({ gateways })
  const errors = lines.filter(({ level }) => level === 50)
  expect(errors).toMatchObject([{ gateway: 'stripe', reason: 'keys_rejected', detail: rejectedError.message }])
  expect(await unavailableGateways()).toMatchObject({ count: 1, is_urgent: true })
  expect(await metrics()).toEqual([
    'dubplate_gateway_up{gateway="stripe"} 0',
    'dubplate_gateway_failures_total{gateway="stripe",reason="keys_rejected"} 3',
  ])
  const { gateways: states } = await pool.ask(payments.getGatewayStates, {}, staff)
  expect(states).toMatchObject([
    { gateway: 'stripe', state: 'down', reason: 'keys_rejected', detail: rejectedError.message },
  ])
  fails(undefined)
  const { gateways: now } = await pool.ask(payments.checkGateways, {}, staff)
  expect(now).toMatchObject([{ gateway: 'stripe', state: 'up', reason: '', detail: '' }])
  expect(await unavailableGateways()).toBeUndefined()
  const [{ n } = { n: 0 }] = await sql<{ n: number }[]>`select count(*)::int as n from gateway_health`
  expect([n, lines.filter(({ msg }) => msg === 'A payment provider is working again.').length]).toEqual([1, 1])
})

test('only one of several workers checks, and again after half a minute', async () => {
  const { fails } = withProvider()
  const { gateways, sql } = pool.ctx
  fails(rejectedError)
  const deps = { sql, log, gateways }
  const failures = async () => (await sql<{ n: number }[]>`select n::int from gateway_failure`)[0]?.n
  await checkGatewaysDue(deps)
  await Promise.all([checkGatewaysDue(deps), checkGatewaysDue(deps)])
  expect(await failures()).toBe(1)
  await sql`update gateway_health set checked_at = now() - interval '30 seconds'`
  await Promise.all([checkGatewaysDue(deps), checkGatewaysDue(deps)])
  expect(await failures()).toBe(2)
})

const byCard = (token: string) => pool.ask(checkout.payByCard, { subscription: plan, coupon: '' }, token)
const byTransfer = (token: string) => pool.ask(checkout.payByTransfer, { subscription: plan }, token)
const statusesOf = async (customer_id: number) =>
  (
    await pool.ctx
      .sql`select gateway, status from subscription where customer_id = ${customer_id} order by subscription_id`
  ).map(({ gateway, status }) => `${gateway} ${status}`)
const unpaid = () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })

test('another payment method is available at once when the provider certainly did nothing', async () => {
  const { fails } = withProvider()
  const { customer_id, token } = await unpaid()
  fails(rejectedError)
  const refused = await errorOf(byCard(token))
  expect(refused).toMatchObject({ status: 503, code: 'provider_unavailable' })
  expect(refused.message).toBe(
    'Card payments are unavailable at the moment. You haven’t been charged. Choose another payment method or try again later.',
  )
  expect(await statusesOf(customer_id)).toEqual(['stripe failed'])
  await byTransfer(token)
  expect(await statusesOf(customer_id)).toEqual(['stripe failed', 'manual pending'])
  expect(await unavailableGateways()).toMatchObject({ count: 1 })
})

test('a checkout with an unknown outcome stays open until its member pays another way', async () => {
  const { fails } = withProvider()
  const { customer_id, token } = await unpaid()
  fails(timeoutError)
  expect(await errorOf(byCard(token))).toMatchObject({ code: 'provider_unavailable' })
  expect(await statusesOf(customer_id)).toEqual(['stripe pending'])
  await byTransfer(token)
  expect(await statusesOf(customer_id)).toEqual(['stripe failed', 'manual pending'])
})

test('a page opened before the outage still offers other payment methods', async () => {
  const { fails } = withProvider()
  const { customer_id, token } = await unpaid()
  await byCard(token)
  fails(timeoutError)
  await byTransfer(token)
  expect(await statusesOf(customer_id)).toEqual(['stripe failed', 'manual pending'])
})
