import { checkout } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aCoupon, aPlan, payByCard, readBooks } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { reconcile } from './renewals.ts'

let pool: TestPool
let plan = 0
beforeAll(async () => {
  pool = await openTestPool()
  plan = await aPlan(pool.ctx, { price_minor: 1500 })
})
afterAll(() => pool.close())

const aVisitor = () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })

test('shows the state of a payment only to the member who made it', async () => {
  const [mine, other] = [await aVisitor(), await aVisitor()]
  const { profile_id } = await payByCard(pool, mine.token, { plan })
  const read = (token: string) => pool.ask(checkout.getPayment, { profile_id: profile_id ?? 0 }, token)
  expect(await read(mine.token)).toMatchObject({ profile_status: 'Active', is_paid: true })
  expect(await errorOf(read(other.token))).toMatchObject({ status: 404, code: 'unknown_payment' })
})

test('finds payments without a webhook every night, and continues after a failing one', async () => {
  const { ctx } = pool
  const [broken, whole] = [await aVisitor(), await aVisitor()]
  for (const { token } of [broken, whole]) await pool.ask(checkout.payByPaypal, { subscription: plan }, token)
  const rows = await ctx.sql<{ customer_id: number; gateway_ref: string; subscription_id: number }[]>`
    select customer_id, gateway_ref, subscription_id from subscription
    where customer_id in (${broken.customer_id}, ${whole.customer_id}) order by subscription_id`
  for (const { gateway_ref, subscription_id } of rows) {
    const end = new Date(Date.now() + 30 * 86_400_000).toISOString()
    const isBroken = subscription_id === rows[0]?.subscription_id
    const fact = {
      ...{
        kind: 'charge',
        charge_ref: `sandbox-${subscription_id}-1`,
        status: 'paid',
        reason: 'first',
        currency: 'USD',
      },
      ...{ amount_minor: 1500, discount_minor: 0, is_trial: false, failure_reason: '' },
      // A period that ends before it starts cannot be stored.
      ...{
        period_start: isBroken ? end : new Date().toISOString(),
        period_end: isBroken ? new Date().toISOString() : end,
      },
    }
    await ctx.sql`
      insert into sandbox_charge (key, account_ref, amount_minor, currency, is_paid, facts)
      values (${fact.charge_ref}, ${gateway_ref}, 1500, 'USD', true, ${ctx.sql.json([fact] as never)})`
  }
  expect((await readBooks(ctx, whole.customer_id)).ledger).toBe(0)
  await reconcile(ctx)
  expect(await readBooks(ctx, whole.customer_id)).toMatchObject({ access: 'paid', ledger: 1500, invoices: 1 })
  expect((await readBooks(ctx, broken.customer_id)).ledger).toBe(0)
})

test('refuses a coupon that has not started yet', async () => {
  const { token } = await aVisitor()
  const code = await aCoupon(pool.ctx, { percent: 10 })
  await pool.ctx.sql`update coupon set starts_at = now() + interval '1 day' where code = ${code}`
  const asked = pool.ask(checkout.validateCoupon, { coupon_code: code, subscription_id: plan }, token)
  expect(await errorOf(asked)).toMatchObject({ code: 'unknown_coupon' })
})

test('rate-limits a member who tries card after card', async () => {
  const { token } = await aVisitor()
  const tries = Array.from({ length: 21 }, () => pool.request(checkout.payByCard, { subscription: plan }, token))
  expect((await Promise.all(tries)).some(({ statusCode }) => statusCode === 429)).toBe(true)
})
