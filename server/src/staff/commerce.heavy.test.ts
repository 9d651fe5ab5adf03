import {
  account,
  billing,
  checkout,
  coupons,
  type InputOf,
  invoices,
  payments,
  plans,
  subscriptions,
} from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import {
  aCoupon,
  advanceDays,
  aPlan,
  CARDS,
  payByCard,
  readAgreement,
  readBooks,
  remainingValue,
} from '../../test/payment-makers.ts'
import { type ApiCallError, errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { saveCoupon } from '../billing/staff-coupons.ts'
import { removePlan } from '../billing/staff-plans.ts'

let pool: TestPool
let staff: { customer_id: number; token: string }
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  staff = await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })
})
afterAll(() => pool.close())

const password = 'a good long password'

type StaffCall = Parameters<TestPool['ask']>
const ask = <E extends StaffCall[0]>(call: E, input: InputOf<E>) => pool.ask(call, input, staff.token)

const auditActionsOn = (subject: string) =>
  pool.ctx.sql<{ action: string; before: object | null; after: object | null }[]>`
    select action, before, after from audit where subject = ${subject} order by audit_id`

let titles = 0
const PLAN = { price: '15.00', currency: 'USD', interval: 'month' as const, is_premium: false, is_published: true }
const newPlan = (overrides: Partial<InputOf<typeof plans.savePlan>> = {}) =>
  ask(plans.savePlan, { ...PLAN, title: `Made ${++titles}`, ...overrides })
const planOf = async (id: number) => (await ask(plans.getPlans, {})).plans.find(({ plan_id }) => plan_id === id)

async function aSubscriber(plan: number, { card = CARDS.pays, coupon = '' } = {}) {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid', password })
  const { profile_id } = await payByCard(pool, member.token, { plan, card, coupon })
  return { ...member, subscription_id: profile_id ?? 0 }
}
const getSubscription = async (subscription_id: number) =>
  (await ask(subscriptions.getSubscription, { subscription_id })).subscription

test('a plan can be created, is visible to members, and each change is recorded with the previous values', async () => {
  const { plan } = await newPlan({
    title: 'Residents',
    features: '<ul><li>All</li></ul><script>x</script>',
    trial_price: '1',
  })
  expect(plan).toMatchObject({ price: '15.00', trial_price: '1.00', features: '<ul><li>All</li></ul>', version: 1 })
  const onSale = async () => (await pool.ask(billing.getPlans, {})).plans.map(({ title }) => title)
  expect(await onSale()).toContain('Residents')
  const { plan_id } = plan
  await ask(plans.savePlan, {
    ...PLAN,
    plan_id,
    version: 1,
    title: 'Residents',
    price: '12,50'.replace(',', '.'),
    is_published: false,
  })
  expect(await onSale()).not.toContain('Residents')
  expect(await auditActionsOn(`plan ${plan_id}`)).toMatchObject([
    { action: 'plan created', before: null, after: { price: '15.00', is_published: true } },
    {
      action: 'plan updated',
      before: { price: '15.00', is_published: true },
      after: { price: '12.50', is_published: false },
    },
  ])
})

test('rejects an invalid plan with a message: no price, a trial above the price, an unknown currency, a taken name', async () => {
  await newPlan({ title: 'Taken' })
  expect(await errorOf(newPlan({ price: '0' }))).toMatchObject({ code: 'invalid_request' })
  expect(await errorOf(newPlan({ price: '1.999' }))).toMatchObject({ code: 'invalid_request' })
  expect(await errorOf(newPlan({ trial_price: '15' }))).toMatchObject({
    message: 'The trial price must be lower than the plan price.',
  })
  for (const currency of ['JPY', 'ZZZ']) expect(await errorOf(newPlan({ currency }))).toMatchObject({ status: 400 })
  expect(await errorOf(newPlan({ title: 'taken' }))).toMatchObject({ status: 409, code: 'name_taken' })
})

test('the second of two simultaneous changes of a plan gets a conflict and changes nothing', async () => {
  const { plan } = await newPlan()
  const change = (price: string) =>
    ask(plans.savePlan, { ...PLAN, plan_id: plan.plan_id, version: plan.version, title: plan.title, price })
  const [first, second] = await Promise.allSettled([change('16'), change('17')])
  const outcomes = [first?.status, second?.status].sort()
  expect(outcomes).toEqual(['fulfilled', 'rejected'])
  expect(await errorOf(change('18'))).toMatchObject({ status: 409, code: 'conflict' })
  expect((await planOf(plan.plan_id))?.version).toBe(2)
})

test('a price increase does not affect existing subscribers, not even at renewals', async () => {
  const { plan } = await newPlan()
  const old = await aSubscriber(plan.plan_id)
  await ask(plans.savePlan, {
    ...PLAN,
    plan_id: plan.plan_id,
    version: 1,
    title: plan.title,
    price: '40',
    currency: 'EUR',
  })
  const joined = await aSubscriber(plan.plan_id)
  await advanceDays(pool, old.customer_id, 33)
  expect(await readBooks(pool.ctx, old.customer_id)).toMatchObject({ ledger: 3000, charged: 3000 })
  expect((await readBooks(pool.ctx, joined.customer_id)).ledger).toBe(4000)
  const { agreed, monthly, subscribers } = (await planOf(plan.plan_id)) ?? {}
  expect(subscribers).toBe(2)
  expect(agreed).toEqual(
    expect.arrayContaining([
      { price: '15.00', currency: 'USD', interval: 'month', subscribers: 1 },
      { price: '40.00', currency: 'EUR', interval: 'month', subscribers: 1 },
    ]),
  )
  // The first member's clock is ahead: the current periods are their first one and the second member's first one.
  expect(monthly).toEqual([
    { currency: 'EUR', amount: '40.00' },
    { currency: 'USD', amount: '15.00' },
  ])
})

test('refunding an upgrade restores the old plan at the agreed price, whatever it costs now', async () => {
  const { plan: small } = await newPlan({ price: '10', trial_price: '1' })
  const { plan: large } = await newPlan({ price: '30' })
  const { customer_id, token } = await aSubscriber(small.plan_id)
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: large.plan_id }, token)
  await pool.ask(billing.changePlan, { plan_id: large.plan_id, due_now }, token)
  await ask(plans.savePlan, { ...PLAN, plan_id: small.plan_id, version: 1, title: small.title, price: '99' })
  const { payments: request } = await ask(payments.getPayments, { customer_id })
  await ask(payments.refundPayment, { charge_id: request[0]?.charge_id ?? 0, reason: 'Took the wrong one' })
  expect(await readAgreement(pool, token)).toMatchObject({
    plan_id: small.plan_id,
    plan_price: '10.00',
    next_amount: '10.00',
  })
})

test('a plan that had a subscriber can only be unpublished; one without can be deleted', async () => {
  const [{ plan: had }, { plan: fresh }] = [await newPlan(), await newPlan()]
  await aSubscriber(had.plan_id)
  expect([(await planOf(had.plan_id))?.can_remove, (await planOf(fresh.plan_id))?.can_remove]).toEqual([false, true])
  expect(await errorOf(ask(plans.removePlan, { plan_id: had.plan_id }))).toMatchObject({ code: 'plan_in_use' })
  await ask(plans.removePlan, { plan_id: fresh.plan_id })
  expect(await planOf(fresh.plan_id)).toBeUndefined()
})

test('a plan that a member will change to, or has paid for before, cannot be deleted either', async () => {
  const [{ plan: small }, { plan: large }, { plan: next }] = [
    await newPlan({ price: '10' }),
    await newPlan({ price: '30' }),
    await newPlan({ price: '20' }),
  ]
  const { token } = await aSubscriber(small.plan_id)
  const { due_now } = await pool.ask(billing.quotePlanChange, { plan_id: large.plan_id }, token)
  await pool.ask(billing.changePlan, { plan_id: large.plan_id, due_now }, token)
  expect((await planOf(small.plan_id))?.can_remove).toBe(false)
  expect((await planOf(next.plan_id))?.can_remove).toBe(true)
  const quote = await pool.ask(billing.quotePlanChange, { plan_id: next.plan_id }, token)
  await pool.ask(billing.changePlan, { plan_id: next.plan_id, due_now: quote.due_now }, token)
  expect((await planOf(next.plan_id))?.can_remove).toBe(false)
})

test('plans have the order staff set; plans not listed follow', async () => {
  const request = [await newPlan(), await newPlan(), await newPlan()].map(({ plan }) => plan.plan_id)
  await ask(plans.orderPlans, { plan_ids: [request[2] ?? 0, request[0] ?? 0] })
  const now = (await ask(plans.getPlans, {})).plans.map(({ plan_id }) => plan_id)
  expect(now.slice(0, 2)).toEqual([request[2], request[0]])
  expect(await errorOf(ask(plans.orderPlans, { plan_ids: [999_999] }))).toMatchObject({ code: 'unknown_plan' })
})

const COUPON = {
  percent: 20,
  amount: null,
  currency: null,
  payments: 1,
  max_uses: null,
  starts_at: null,
  ends_at: null,
  plan_ids: null,
}
const newCoupon = (code: string, overrides: Partial<InputOf<typeof coupons.saveCoupon>> = {}) =>
  ask(coupons.saveCoupon, { ...COUPON, code, ...overrides })

test('counts a coupon’s uses and discounts; a used coupon cannot change', async () => {
  const { plan } = await newPlan()
  const { coupon } = await newCoupon('twice10', { percent: 10, payments: 2 })
  expect(coupon).toMatchObject({
    code: 'TWICE10',
    uses: 0,
    state: 'active',
    description: '10% off your first 2 payments',
  })
  const { customer_id } = await aSubscriber(plan.plan_id, { coupon: 'TWICE10' })
  await advanceDays(pool, customer_id, 70)
  const [read] = (await ask(coupons.getCoupons, { search: 'twice' })).coupons
  expect(read).toMatchObject({ uses: 1, discounts: [{ currency: 'USD', amount: '3.00' }] })
  const { coupon_id, version } = coupon
  const change = (overrides: object) =>
    newCoupon('TWICE10', { coupon_id, version, percent: 10, payments: 2, ...overrides })
  expect(await errorOf(change({ percent: 50 }))).toMatchObject({ status: 409, code: 'coupon_in_use' })
  expect(await errorOf(change({ code: 'OTHER' }))).toMatchObject({ code: 'coupon_in_use' })
  const { coupon: limited } = await change({ max_uses: 1, plan_ids: [plan.plan_id] })
  expect(limited).toMatchObject({ state: 'ended', max_uses: 1, version: 2 })
  expect(await errorOf(change({ max_uses: 5 }))).toMatchObject({ code: 'conflict' })
})

test('an unused coupon can change completely, and end now', async () => {
  const { coupon } = await newCoupon('NEVER')
  const { coupon_id } = coupon
  const changed = await newCoupon('EVER', { coupon_id, version: 1, percent: null, amount: '5', currency: 'usd' })
  expect(changed.coupon).toMatchObject({ code: 'EVER', amount: '5.00', currency: 'USD', percent: null })
  const { coupon: ended } = await ask(coupons.endCoupon, { coupon_id, version: 2 })
  expect(ended.state).toBe('ended')
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const plan = await aPlan(pool.ctx)
  const request = pool.ask(checkout.validateCoupon, { coupon_code: 'EVER', subscription_id: plan }, member.token)
  expect(await errorOf(request)).toMatchObject({ code: 'coupon_expired' })
  expect((await auditActionsOn(`coupon ${coupon_id}`)).map(({ action }) => action)).toEqual([
    'coupon created',
    'coupon updated',
    'coupon deactivated',
  ])
})

test('reports every error in a plan or coupon at once', async () => {
  const fieldsOf = async (request: Promise<unknown>) =>
    request.then(
      () => [],
      (error) => Object.keys((error as ApiCallError).reply.fields ?? {}),
    )
  expect(await fieldsOf(newPlan({ title: '', price: '0', currency: 'JPY' }))).toEqual(['title', 'currency', 'price'])
  expect(await fieldsOf(newPlan({ price: '0', currency: 'JPY' }))).toEqual(['currency', 'price'])
  const days = { starts_at: '2026-12-24T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' }
  const couponTerms = { percent: null, amount: '0', currency: null, ...days }
  expect(await fieldsOf(newCoupon('MANY', couponTerms))).toEqual(['amount', 'currency', 'ends_at'])
  expect(await fieldsOf(newCoupon('', couponTerms))).toEqual(['code', 'amount', 'currency', 'ends_at'])
})

test('rejects an invalid coupon with a message: no discount, two discounts, no currency, a taken code, an end before its start', async () => {
  await newCoupon('TAKEN')
  expect(await errorOf(newCoupon('TAKEN'))).toMatchObject({ status: 409, code: 'code_taken' })
  const two = { percent: 10, amount: '5.00', currency: 'USD' }
  for (const overrides of [
    { percent: null },
    two,
    { percent: null, amount: '5.00' },
    { percent: null, amount: '0', currency: 'USD' },
  ]) {
    expect(await errorOf(newCoupon('NOTERMS', overrides))).toMatchObject({ code: 'invalid_coupon_terms' })
  }
  const days = { starts_at: '2026-12-24T00:00:00Z', ends_at: '2026-12-01T00:00:00Z' }
  expect(await errorOf(newCoupon('BACKWARDS', days))).toMatchObject({
    message: 'The end date must be after the start date.',
  })
  expect(await errorOf(newCoupon('NOPLAN', { plan_ids: [999_999] }))).toMatchObject({ code: 'unknown_plan' })
  expect(await errorOf(newCoupon('a b'))).toMatchObject({ code: 'invalid_request' })
})

test('a plan used by a coupon cannot be deleted, nor a coupon created for a deleted plan, also at the same moment', async () => {
  const { sql } = pool.ctx
  const [{ plan: kept }, { plan: deleted }] = [await newPlan(), await newPlan()]
  const remove = ({ plan_id }: typeof kept) => errorOf(ask(plans.removePlan, { plan_id }))
  const inUse = {
    code: 'plan_in_use',
    message: 'The coupon NAMES applies to this plan, so it can’t be deleted. Unpublish the plan instead.',
  }
  const named = { ...COUPON, code: 'NAMES', plan_ids: [kept.plan_id] }
  // Each begins while the other one is in progress, and waits for it.
  const saveRequest = await sql.begin(async (sql) => {
    await saveCoupon(sql, named, pool.ctx.now())
    const removeRequest = remove(kept)
    await Promise.race([removeRequest, waitForBlocked(pool.ctx.sql, 1)])
    return { removing: removeRequest }
  })
  expect(await saveRequest.removing).toMatchObject(inUse)
  expect(await remove(kept)).toMatchObject(inUse)
  expect((await planOf(kept.plan_id))?.can_remove).toBe(false)
  const removal = await sql.begin(async (sql) => {
    await removePlan(sql, deleted.plan_id)
    const createRequest = errorOf(newCoupon('LATE', { plan_ids: [kept.plan_id, deleted.plan_id] }))
    await Promise.race([createRequest, waitForBlocked(pool.ctx.sql, 1)])
    return { making: createRequest }
  })
  expect(await removal.making).toMatchObject({ code: 'unknown_plan' })
  expect((await ask(coupons.getCoupons, { search: 'LATE' })).coupons).toEqual([])
})

test('creates five hundred single-use codes at once, exports them as CSV, and ends them together', async () => {
  const { promotion } = await ask(coupons.makeCoupons, {
    ...{ ...COUPON, title: '=Summer +1', count: 500, prefix: 'sun', max_uses: 1 },
  })
  expect(promotion).toMatchObject({ codes: 500, open: 500, uses: 0, description: '20% off your first payment' })
  const couponList = await ask(coupons.getCoupons, {})
  expect(couponList.coupons.some(({ promotion }) => promotion !== null)).toBe(false)
  const inPromotion = await ask(coupons.getCoupons, { promotion_id: promotion.promotion_id })
  expect(inPromotion.pagination.totalCount).toBe(500)
  const { url, file } = await ask(coupons.getCodesFile, { promotion_id: promotion.promotion_id })
  expect(file).toBe('coupon-codes-summer-1.csv')
  const lines = (await pool.app.inject({ url })).body.trim().split('\r\n')
  expect(lines).toHaveLength(501)
  expect(new Set(lines).size).toBe(501)
  expect(lines[1]).toMatch(/^SUN-[ACDEFGHJKMNPQRTWXY34679]{8},0,1,,$/)
  const ended = await ask(coupons.endPromotion, { promotion_id: promotion.promotion_id })
  expect(ended.promotion.open).toBe(0)
  const again = ask(coupons.endPromotion, { promotion_id: promotion.promotion_id })
  expect(await errorOf(again)).toMatchObject({ code: 'conflict' })
  const many = { ...COUPON, title: 'Too many', count: 501 }
  expect(await errorOf(ask(coupons.makeCoupons, many))).toMatchObject({ code: 'invalid_request' })
})

test('a generated code is not in use yet', async () => {
  const { code } = await ask(coupons.makeCode, {})
  expect((await newCoupon(code)).coupon.code).toBe(code)
})

test('finds subscriptions by state, plan, gateway, name, and provider id', async () => {
  const { plan } = await newPlan()
  const [paid, cancelled] = [await aSubscriber(plan.plan_id), await aSubscriber(plan.plan_id)]
  await pool.ask(billing.cancelBilling, {}, cancelled.token)
  const { plan_id } = plan
  const idsOf = async (input: InputOf<typeof subscriptions.getSubscriptions>) =>
    (await ask(subscriptions.getSubscriptions, { plan_id, ...input })).subscriptions.map((it) => it.subscription_id)
  expect(await idsOf({})).toEqual([cancelled.subscription_id, paid.subscription_id])
  expect(await idsOf({ state: 'active' })).toEqual([paid.subscription_id])
  expect(await idsOf({ state: 'cancel_scheduled' })).toEqual([cancelled.subscription_id])
  expect(await idsOf({ search: paid.email })).toEqual([paid.subscription_id])
  const { gateway_ref } = await getSubscription(paid.subscription_id)
  expect(await idsOf({ search: gateway_ref })).toEqual([paid.subscription_id])
  expect(await idsOf({ gateway: 'stripe' })).toEqual([])
  const { counts, gateways } = await ask(subscriptions.getSubscriptions, { plan_id })
  expect(counts).toMatchObject({ active: 1, cancel_scheduled: 1, ended: 0 })
  expect(gateways).toEqual(['sandbox'])
  expect((await ask(subscriptions.getSubscriptions, { plan_id })).subscriptions[1]).toMatchObject({
    ...{ next_amount: '15.00', price: '15.00', method: { brand: 'Visa', last_four: '4242' }, failure_reason: '' },
  })
})

test('staff cancel and resume as the member would, with a reason that is in the history', async () => {
  const { plan } = await newPlan()
  const { subscription_id, token, email } = await aSubscriber(plan.plan_id)
  const subscriptionAction = (seen: subscriptions.SubscriptionState, reason: string) => ({
    subscription_id,
    seen,
    reason,
  })
  expect(await errorOf(ask(subscriptions.cancelSubscription, subscriptionAction('active', ' ')))).toMatchObject({
    code: 'invalid_request',
  })
  const { subscription } = await ask(
    subscriptions.cancelSubscription,
    subscriptionAction('active', 'Asked for it on the phone.'),
  )
  expect(subscription).toMatchObject({ status: 'cancel_scheduled', can_resume: true, can_cancel: false })
  expect(subscription.history.at(-1)).toMatchObject({
    ...{ kind: 'staff_cancelled', detail: 'Asked for it on the phone.', by: { customer_id: staff.customer_id } },
  })
  expect(await readAgreement(pool, token)).toMatchObject({ profile_status: 'Cancelled' })
  const again = ask(subscriptions.cancelSubscription, subscriptionAction('active', 'Again.'))
  expect(await errorOf(again)).toMatchObject({ status: 409, code: 'conflict' })
  const resumed = await ask(
    subscriptions.resumeSubscription,
    subscriptionAction('cancel_scheduled', 'Changed their mind.'),
  )
  expect(resumed.subscription.status).toBe('active')
  const emails = await pool.ctx.sql`select subject from outgoing_mail where to_address = ${email}`
  expect(emails.map(({ subject }) => subject)).toEqual(['Your Dubplate subscription is cancelled'])
  expect(await auditActionsOn(`subscription ${subscription_id}`)).toEqual([
    { action: 'subscription cancelled', before: { status: 'active' }, after: { status: 'cancel_scheduled' } },
    { action: 'subscription resumed', before: { status: 'cancel_scheduled' }, after: { status: 'active' } },
  ])
})

test('staff can end a subscription immediately without a refund, and it stays ended', async () => {
  const { plan } = await newPlan()
  const { subscription_id, customer_id, email } = await aSubscriber(plan.plan_id)
  const end = () => ask(subscriptions.endSubscription, { subscription_id, seen: 'active', reason: 'Shares files.' })
  const [first, second] = await Promise.allSettled([end(), end()])
  expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected'])
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 1500 })
  expect(await getSubscription(subscription_id)).toMatchObject({
    status: 'ended',
    can_end: false,
    next_payment_at: null,
  })
  await advanceDays(pool, customer_id, 40)
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 1500 })
  const emails = await pool.ctx.sql`select subject from outgoing_mail where to_address = ${email}`
  expect(emails.map(({ subject }) => subject)).toEqual(['Your Dubplate subscription has ended'])
  expect((await auditActionsOn(`subscription ${subscription_id}`)).map(({ action }) => action)).toEqual([
    'subscription ended',
  ])
})

test('ending with a refund refunds exactly that amount, and the member can subscribe again', async () => {
  const { plan } = await newPlan()
  const { subscription_id, customer_id, token } = await aSubscriber(plan.plan_id)
  await advanceDays(pool, customer_id, 15)
  const { refundable, unused } = await getSubscription(subscription_id)
  expect(refundable).toBe('15.00')
  expect(Number(unused)).toBeCloseTo(await remainingValue(pool, 15, 15), 1)
  const end = (refund: string) =>
    ask(subscriptions.endSubscription, { subscription_id, seen: 'active', reason: 'Moves away.', refund })
  expect(await errorOf(end('15.01'))).toMatchObject({ code: 'refund_exceeds_charge' })
  expect((await getSubscription(subscription_id)).status).toBe('active')
  expect(await end('7.50')).toMatchObject({ refund_error: '', subscription: { status: 'ended' } })
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 750, refunded: 750 })
  expect((await getSubscription(subscription_id)).history.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['ordered', 'paid', 'staff_ended', 'refunded']),
  )
  expect(await payByCard(pool, token, { plan: plan.plan_id })).toMatchObject({ status: true })
  expect((await readBooks(pool.ctx, customer_id)).access).toBe('paid')
})

test('finds payments by day, amount, gateway, member and subscription', async () => {
  const { plan } = await newPlan({ price: '13.37' })
  const member = await aSubscriber(plan.plan_id)
  const day = (date: Date) => ({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
  const { customer_id } = member
  const found = async (input: InputOf<typeof payments.getPayments>) =>
    (await ask(payments.getPayments, { customer_id, ...input })).payments.length
  expect(await found({})).toBe(1)
  expect(await found({ amount: '13.37' })).toBe(1)
  expect(await found({ amount: '13.38' })).toBe(0)
  expect(await found({ gateway: 'manual' })).toBe(0)
  expect(await found({ subscription_id: member.subscription_id })).toBe(1)
  const [today, tomorrow] = [new Date(), new Date(Date.now() + 86_400_000)]
  expect(await found({ from: day(today), to: day(tomorrow) })).toBe(1)
  expect(await found({ from: day(tomorrow) })).toBe(0)
  expect(await errorOf(ask(payments.getPayments, { from: { year: 2026, month: 2, day: 30 } }))).toMatchObject({
    status: 400,
  })
})

test('finds invoices by number, name and day, exports them as PDF and Excel, and emails them again', async () => {
  const { plan } = await newPlan()
  const { customer_id, email, token, subscription_id } = await aSubscriber(plan.plan_id)
  const { invoices: issued } = await ask(invoices.getInvoices, { customer_id })
  const [invoice] = issued
  if (!invoice) throw new Error('no invoice')
  expect(invoice).toMatchObject({ kind: 'invoice', total: '15.00', currency: 'USD', can_mail: true })
  expect((await ask(invoices.getInvoices, { search: invoice.number })).invoices).toEqual([invoice])
  expect((await ask(invoices.getInvoices, { search: email })).invoices).toEqual([invoice])
  // Bookkeeping knows the buyer of the invoice, whatever the member is called by now.
  await pool.ctx.sql`
    update invoice set buyer = buyer || '{"name": "Marguerite Oyelaran"}' where invoice_id = ${invoice.invoice_id}`
  const byBuyer = await ask(invoices.getInvoices, { search: 'oyel marg' })
  expect(byBuyer.invoices.map(({ invoice_id }) => invoice_id)).toEqual([invoice.invoice_id])
  expect((await ask(invoices.getInvoices, { customer_id, kind: 'credit_note' })).invoices).toEqual([])
  const fetched = async (input: InputOf<typeof invoices.getInvoiceFile>) => {
    const { url, file } = await ask(invoices.getInvoiceFile, input)
    return { file, reply: await pool.app.inject({ url }) }
  }
  const pdf = await fetched({ invoice_id: invoice.invoice_id, format: 'pdf' })
  expect(pdf.file).toBe(`${invoice.number}.pdf`)
  expect(pdf.reply.rawPayload.subarray(0, 4).toString()).toBe('%PDF')
  expect((await fetched({ search: email, format: 'excel' })).reply.statusCode).toBe(200)
  await ask(invoices.mailInvoice, { invoice_id: invoice.invoice_id })
  const emails = await pool.ctx.sql`
    select attachment_name from outgoing_mail where to_address = ${email} and attachment is not null`
  expect(emails.map(({ attachment_name }) => attachment_name)).toEqual([`${invoice.number}.pdf`])
  await ask(subscriptions.cancelSubscription, { subscription_id, seen: 'active', reason: 'Is moving to Lisbon.' })
  await pool.ask(account.deleteAccount, { password }, token)
  const mailing = ask(invoices.mailInvoice, { invoice_id: invoice.invoice_id })
  expect(await errorOf(mailing)).toMatchObject({ code: 'no_email_address' })
  // The history stays with the ledger; staff's texts about a member are deleted with the account.
  expect((await getSubscription(subscription_id)).history).toContainEqual(
    expect.objectContaining({ kind: 'staff_cancelled', detail: '' }),
  )
})

test('a file link ends with its session, and is invalid if it was changed', async () => {
  const own = await aMember(pool.ctx, { staff_role: 'billing', group_id: 4 })
  const coupon = await aCoupon(pool.ctx, { percent: 10 })
  expect(coupon).not.toBe('')
  const { invoices: issued } = await ask(invoices.getInvoices, {})
  const input = { invoice_id: issued[0]?.invoice_id ?? 0, format: 'pdf' as const }
  const { url } = await pool.ask(invoices.getInvoiceFile, input, own.token)
  expect((await pool.app.inject({ url: url.replace(/\/invoices-of-all\/\d/, '$&9') })).statusCode).toBe(403)
  expect((await pool.app.inject({ url: url.replace('invoices-of-all', 'books') })).statusCode).toBe(403)
  await pool.ctx.sql`update customer set staff_role = 'curator' where customer_id = ${own.customer_id}`
  expect((await pool.app.inject({ url })).statusCode).toBe(403)
  await pool.ctx.sql`delete from session where customer_id = ${own.customer_id}`
  expect((await pool.app.inject({ url })).statusCode).toBe(410)
})
