import { billing, checkout } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { payByCard, readAgreement } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { upsertCoupon, upsertPlan } from './shop.ts'
import { describePlan, readCoupon, readPlan } from './shop-commands.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
})
afterAll(() => pool.close())

const plans = async () => (await pool.ask(billing.getPlans, {})).plans

test('publishes, reprices and unpublishes a plan; existing subscribers keep their price', async () => {
  const { sql } = pool.ctx
  const params = readPlan('Standard', { price: '14.99', trial: '1', currency: 'eur' })
  expect(describePlan(params)).toBe('Standard: 14.99 EUR per month, first payment 1.00')
  expect(await upsertPlan(sql, params)).toBe('created')
  const [plan] = await plans()
  expect(plan).toMatchObject({ title: 'Standard', price: '14.99', trial_price: '1.00', currency: 'EUR' })
  const { token } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await payByCard(pool, token, { plan: plan?.id ?? 0 })
  expect(await upsertPlan(sql, readPlan('Standard', { price: '19.99', currency: 'EUR' }))).toBe('updated')
  expect((await plans())[0]).toMatchObject({ id: plan?.id, price: '19.99', trial_price: '0.00' })
  await upsertPlan(sql, readPlan('Standard', { price: '19.99', currency: 'EUR', off: true }))
  expect(await plans()).toEqual([])
  expect(await readAgreement(pool, token)).toMatchObject({ plan_price: '14.99', next_amount: '14.99' })
})

test('creates a coupon, and changes it for later uses', async () => {
  const { sql } = pool.ctx
  await upsertPlan(sql, readPlan('Premium', { price: '30.00' }))
  const [premium] = await plans()
  const { token } = await aMember(pool.ctx)
  const validate = (coupon_code: string) =>
    pool.ask(checkout.validateCoupon, { coupon_code, subscription_id: premium?.id ?? 0 }, token)
  expect(await upsertCoupon(sql, readCoupon('welcome', { percent: '50', payments: 'all' }))).toBe('created')
  expect(await validate('WELCOME')).toMatchObject({ discount_amount: '15.00', description: '50% off every payment' })
  expect(await upsertCoupon(sql, readCoupon('welcome', { amount: '5', ends: '2020-01-31' }))).toBe('updated')
  expect(await errorOf(validate('WELCOME'))).toMatchObject({ code: 'coupon_expired' })
})
