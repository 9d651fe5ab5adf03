import { billing, payments } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { aCoupon, advanceDays, aPlan, CARDS, cardForm, payByCard, readBooks } from '../../test/payment-makers.ts'
import { ApiCallError, openTestPool, type TestPool } from '../../test/pool.ts'
import { fc, runCount } from '../../test/properties.ts'
import { currentTimeFor } from './clock.ts'
import { GRACE_DAYS } from './subscription-state.ts'

let pool: TestPool
let plans: number[] = []
let staff = ''
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  plans = [
    await aPlan(pool.ctx, { price_minor: 1500, trial_price_minor: 100 }),
    await aPlan(pool.ctx, { price_minor: 3000 }),
  ]
  staff = (await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })).token
})
afterAll(() => pool.close())

type LedgerAction =
  | { do: 'pay'; plan: number; card: keyof typeof CARDS; coupon: boolean }
  | { do: 'cancel' | 'resume' }
  | { do: 'change'; plan: number }
  | { do: 'card'; card: 'pays' | 'failsOnRenewal' }
  | { do: 'refund'; part: 'some' | 'all' }
  | { do: 'wait'; days: number }

const plan = fc.integer({ min: 0, max: 1 })
/** Any number of days, often around the end of a month and of the grace period after it. */
const days = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 28, max: 35 }))
const actionArbitrary: fc.Arbitrary<LedgerAction> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), days }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      plan,
      card: fc.constantFrom('pays' as const, 'declines' as const, 'failsOnRenewal' as const, 'asks' as const),
      coupon: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('change' as const), plan }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('card' as const),
      card: fc.constantFrom('pays' as const, 'failsOnRenewal' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      part: fc.constantFrom('some' as const, 'all' as const),
    }),
  },
)

type Member = { customer_id: number; token: string; coupon: string }

/** Performs an action as the member or staff would; an ApiError is an expected result. */
async function perform(member: Member, params: LedgerAction): Promise<void> {
  try {
    await performOrThrow(member, params)
  } catch (error) {
    if (!(error instanceof ApiCallError) || error.status >= 500) throw error
  }
}

async function performOrThrow({ customer_id, token, coupon }: Member, params: LedgerAction): Promise<void> {
  switch (params.do) {
    case 'pay': {
      const wanted = { plan: plans[params.plan] ?? 0, card: CARDS[params.card], coupon: params.coupon ? coupon : '' }
      await payByCard(pool, token, wanted)
      return
    }
    case 'cancel':
      await pool.ask(billing.cancelBilling, {}, token)
      return
    case 'resume':
      await pool.ask(billing.resumeBilling, {}, token)
      return
    case 'change': {
      const plan_id = plans[params.plan] ?? 0
      const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id }, token)
      await pool.ask(billing.changePlan, { plan_id, due_now }, token)
      return
    }
    case 'card':
      await pool.ask(billing.updateCard, { formData: cardForm(CARDS[params.card]) }, token)
      return
    case 'refund': {
      const [charge] = await pool.ctx.sql<{ charge_id: number }[]>`
        select charge_id from charge where customer_id = ${customer_id} and status = 'paid' order by charge_id desc limit 1`
      if (!charge) return
      await pool.ask(
        payments.refundPayment,
        { ...charge, ...(params.part === 'some' ? { amount: '1.00' } : {}) },
        staff,
      )
      return
    }
    case 'wait':
      await advanceDays(pool, customer_id, params.days)
  }
}

/** Whether a paid period, or the grace period after it, covers this moment, computed from the charges alone. */
async function isCovered(customer_id: number): Promise<boolean> {
  const now = await currentTimeFor(pool.ctx.sql, pool.ctx, customer_id)
  const [covered] = await pool.ctx.sql`
    select 1 from charge c join subscription s using (subscription_id)
    where c.customer_id = ${customer_id} and c.status = 'paid'
      and (c.amount_minor = 0 or c.amount_minor >
        coalesce((select sum(amount_minor) from refund r where r.charge_id = c.charge_id), 0))
      and ${now} < c.period_end + make_interval(days => case when s.is_cancelled or s.has_ended then 0 else ${GRACE_DAYS} end)`
  return covered !== undefined
}

async function expectConsistentLedger(customer_id: number): Promise<void> {
  const { sql } = pool.ctx
  const ledger = await readBooks(pool.ctx, customer_id)
  expect(ledger.access, 'access is what is paid for, and grace').toBe(
    (await isCovered(customer_id)) ? 'paid' : 'unpaid',
  )
  expect(ledger.invoices, 'every payment has its invoice').toBe(
    ledger.charges.filter(({ status }) => status === 'paid').length,
  )
  expect(ledger.ledger, 'the ledger is charges less refunds').toBe((ledger.charged ?? 0) - (ledger.refunded ?? 0))
  expect(ledger.invoiced, 'the invoices add up to the ledger').toBe(ledger.ledger)
  const overlaps = await sql`
    select 1 from charge a join charge b on a.charge_id < b.charge_id and a.customer_id = b.customer_id
    where a.customer_id = ${customer_id} and a.status = 'paid' and b.status = 'paid' and 'upgrade' not in (a.reason, b.reason)
      and tstzrange(a.period_start, a.period_end) && tstzrange(b.period_start, b.period_end)
      and a.subscription_id = b.subscription_id`
  expect(overlaps.length, 'no time is paid for twice').toBe(0)
  const open = await sql`
    select 1 from subscription where customer_id = ${customer_id}
      and status in ('pending', 'trialing', 'active', 'past_due', 'cancel_scheduled')`
  expect(open.length, 'one open subscription').toBeLessThanOrEqual(1)
}

test('grants no access without payment or grace, and accounts for every cent, whatever a member does', {
  tags: 'property',
  timeout: 1_200_000,
}, async () => {
  let sequences = 0
  await fc.assert(
    fc.asyncProperty(fc.array(actionArbitrary, { minLength: 3, maxLength: 14 }), async (actions) => {
      const { customer_id, token } = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
      const coupon = await aCoupon(pool.ctx, { percent: 30, payments: 2 })
      for (const params of actions) {
        await perform({ customer_id, token, coupon }, params)
        await expectConsistentLedger(customer_id)
      }
      sequences += 1
    }),
    { numRuns: runCount(100), endOnFailure: false },
  )
  expect(sequences).toBeGreaterThanOrEqual(runCount(100))
})
