import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aPlan, readBooks } from '../../test/payment-makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { type Fact, type Gateway, PaymentDeclinedError, ProviderUnavailableError } from '../gateways/gateway.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { startCheckout } from './checkout.ts'
import { applyEvents } from './ledger.ts'
import { endNow } from './staff-changes.ts'
import { readSubscription } from './subscriptions.ts'

let pool: TestPool
let plan = 0
let staff_id = 0
beforeAll(async () => {
  pool = await openTestPool()
  plan = await aPlan(pool.ctx, { price_minor: 1500 })
  staff_id = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })).customer_id
})
afterAll(() => pool.close())

let n = 0
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A pool whose provider charges by itself and records the requests it receives. */
function withProvider(overrides: Partial<Gateway> = {}) {
  const asked: string[] = []
  const provider: Gateway = {
    ...{ name: 'stripe', methods: ['credit_card'], renews: 'gateway', cards: 'hosted', upgrades: 'now' },
    start: async () => ({ gateway_ref: `sub_${++n}`, url: 'https://x.test', events: [] }),
    fetch: async () => [],
    cancel: async (at) => {
      asked.push('cancel')
      return [ownEvent(at, [{ kind: 'cancelled', is_cancelled: true }])]
    },
    abandon: async () => [],
    refund: async (at, { key, charge_ref, amount_minor }) => {
      asked.push(`refund ${amount_minor}`)
      return [ownEvent(at, [{ kind: 'refund', refund_ref: key, charge_ref, amount_minor }])]
    },
    ...overrides,
  }
  const gateways = new Map([['stripe', provider]]) as unknown as typeof pool.ctx.gateways
  return { asked, ctx: { ...pool.ctx, gateways } }
}
type ProviderContext = ReturnType<typeof withProvider>['ctx']

const paid = (charge_ref: string, params: Partial<Extract<Fact, { kind: 'charge' }>> = {}): Fact => ({
  ...{ kind: 'charge', charge_ref, status: 'paid', reason: 'first', amount_minor: 1500, discount_minor: 0 },
  ...{
    currency: 'USD',
    is_trial: false,
    failure_reason: '',
    period_start: daysFromNow(0),
    period_end: daysFromNow(30),
    ...params,
  },
})

const deliverFact = (ctx: ProviderContext, subscription_id: number, fact: Fact, at = new Date()) =>
  applyEvents(ctx, 'stripe', [ownEvent({ subscription_id, gateway_ref: null, now: at }, [fact])])

async function aSubscriber(ctx: ProviderContext) {
  const { customer_id } = await aMember(ctx, { payment_profile_status: 'unpaid' })
  const params = { customer_id, plan_id: plan, coupon: '', method: 'credit_card' as const }
  const { subscription_id } = await startCheckout(ctx, params)
  await deliverFact(ctx, subscription_id, paid(`in_${++n}`))
  return { customer_id, subscription_id }
}

const end = (ctx: ProviderContext, subscription_id: number, refund?: string) =>
  endNow(ctx, { subscription_id, seen: 'active', reason: 'Asked for it.', staff_id, refund })

test('cancels a subscription that staff end at its provider too, once, before refunding it', async () => {
  const { ctx, asked } = withProvider()
  const { subscription_id, customer_id } = await aSubscriber(ctx)
  expect(await end(ctx, subscription_id, '15.00')).toMatchObject({
    failure_reason: '',
    refunds: [{ refunded: '15.00' }],
  })
  expect(asked).toEqual(['cancel', 'refund 1500'])
  expect(await readBooks(ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 0 })
})

test('ends and refunds nothing while the provider is unavailable', async () => {
  const unavailable = async () => {
    throw new ProviderUnavailableError('silence')
  }
  const { ctx, asked } = withProvider({ cancel: unavailable })
  const { subscription_id, customer_id } = await aSubscriber(ctx)
  await expect(end(ctx, subscription_id, '15.00')).rejects.toMatchObject({ code: 'provider_unavailable' })
  expect(asked).toEqual([])
  expect(await readBooks(ctx, customer_id)).toMatchObject({ access: 'paid', ledger: 1500 })
})

test('ends the subscription even if the provider declines the refund, and says why', async () => {
  const refused = async () => {
    throw new PaymentDeclinedError('Too long ago.')
  }
  const { ctx } = withProvider({ refund: refused })
  const { subscription_id, customer_id } = await aSubscriber(ctx)
  expect(await end(ctx, subscription_id, '5.00')).toEqual({ refunds: [], failure_reason: 'Too long ago.' })
  expect(await readBooks(ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 1500 })
  await expect(end(ctx, subscription_id, '5.00')).rejects.toMatchObject({ code: 'conflict' })
})

test('a payment that the provider takes after the end is a paid period', async () => {
  const { ctx } = withProvider()
  const { subscription_id, customer_id } = await aSubscriber(ctx)
  await end(ctx, subscription_id)
  const late = paid(`in_${++n}`, { reason: 'renewal', period_start: daysFromNow(30), period_end: daysFromNow(60) })
  await deliverFact(ctx, subscription_id, late, new Date(Date.now() + 60_000))
  expect((await readSubscription(ctx.sql, subscription_id))?.status).toBe('cancel_scheduled')
  expect(await readBooks(ctx, customer_id)).toMatchObject({ access: 'paid', ledger: 3000 })
})
