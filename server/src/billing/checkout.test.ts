import { billing, checkout, downloads, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { aCoupon, aPlan, CARDS, cardForm, payByCard, readAgreement, readBooks } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
let plan: number
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  plan = await aPlan(pool.ctx, { title: 'Standard', trial_price_minor: 100 })
})
afterAll(() => pool.close())

const aVisitor = () => aMember(pool.ctx, { payment_profile_status: 'unpaid' })

/** Approves or declines on the sandbox's page, as a browser does, and returns the URL it leads to. */
async function decideAt(url: string | null, choice: 'yes' | 'no'): Promise<URL> {
  const { pathname } = new URL(url ?? '')
  expect((await pool.app.inject({ url: pathname })).body).toContain('Test mode. You won’t be charged.')
  const decided = await pool.app.inject({
    method: 'POST',
    url: `${pathname}/${choice}`,
    headers: { 'content-type': 'text/plain', origin: pool.ctx.config.publicUrl },
    payload: '',
  })
  expect(decided.statusCode).toBe(303)
  return new URL(String(decided.headers.location))
}

test('gives access at once after a card payment, and sends a receipt', async () => {
  const { token, customer_id } = await aVisitor()
  const song = await aSong(pool.ctx)
  const download = () => pool.ask(downloads.downloadVersion, { version: song.versionIds[0] ?? 0 }, token)
  expect(await errorOf(download())).toMatchObject({ code: 'subscription_required' })
  const paid = await payByCard(pool, token, { plan })
  expect(paid).toMatchObject({ status: true, url: null })
  await download()
  expect(await readAgreement(pool, token)).toMatchObject({
    subscription_title: 'Standard',
    profile_status: 'Active',
    is_trial: true,
    next_amount: '14.99',
    payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '12/30' },
  })
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({
    access: 'paid',
    ledger: 100,
    invoiced: 100,
    invoices: 1,
  })
  expect(await pool.ask(checkout.getPayment, { profile_id: paid.profile_id ?? 0 }, token)).toMatchObject({
    is_paid: true,
  })
})

test.each([
  ['declines', 'Your card was declined.'],
  ['insufficient', 'Your card has insufficient funds.'],
  ['expired', 'Your card has expired.'],
  ['nobodys', 'Test mode only accepts test card numbers. Don’t use a real card.'],
] as const)('refuses the test card “%s” with the reason, and accepts another card at once', async (card, sentence) => {
  const { token, customer_id } = await aVisitor()
  const refused = await errorOf(payByCard(pool, token, { plan, card: CARDS[card] }))
  expect(refused).toEqual({ status: 402, code: 'payment_declined', message: sentence })
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'unpaid', ledger: 0, invoices: 0 })
  expect(await payByCard(pool, token, { plan })).toMatchObject({ status: true })
})

test.each([
  [{ card_number: '4242 4242 4242 4241' }, 'invalid_card_number'],
  [{ card_number: '4242 4242 4242' }, 'invalid_card_number'],
  [{ card_type: 'Amex' as const }, 'invalid_card_number'],
  [{ expire_date: '12/20' }, 'invalid_expiry_date'],
  [{ expire_date: '13/30' }, 'invalid_expiry_date'],
  [{ ccv: '1234' }, 'invalid_cvc'],
])('refuses a card with %j before anything is charged', async (wrong, code) => {
  const { token } = await aVisitor()
  const asked = pool.ask(checkout.payByCard, { formData: cardForm(CARDS.pays, wrong), subscription: plan }, token)
  expect(await errorOf(asked)).toMatchObject({ status: 422, code })
})

test('stores no card number anywhere', async () => {
  const { token } = await aVisitor()
  await payByCard(pool, token, { plan })
  const { sql } = pool.ctx
  const tables = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  const found: string[] = []
  for (const { name } of tables) {
    const [hit] = await sql`select 1 from ${sql(name)} t where t::text ~ '4242[ -]?4242'`
    if (hit) found.push(name)
  }
  expect(tables.length).toBeGreaterThan(30)
  expect(found).toEqual([])
})

test('completes a payment that the bank wants confirmed after approval on the bank’s page', async () => {
  const { token } = await aVisitor()
  const started = await payByCard(pool, token, { plan, card: CARDS.asks })
  expect(await readAgreement(pool, token)).toMatchObject({ profile_status: 'CREATED' })
  expect((await pool.ask(membership.getProfile, {}, token)).profile.payment_profile_status).toBe('unpaid')
  const back = await decideAt(started.url, 'yes')
  expect(back.pathname).toBe(`/subscription/success/${started.profile_id}`)
  expect(await readAgreement(pool, token)).toMatchObject({ profile_status: 'Active' })
})

test('approves a PayPal payment at PayPal, confirms it here, and gives no access before', async () => {
  const { token } = await aVisitor()
  const started = await pool.ask(checkout.payByPaypal, { subscription: plan }, token)
  expect(started.status).toBe(true)
  const back = await decideAt(started.url, 'yes')
  const customer_plan_id = back.pathname.split('/').at(-1) ?? ''
  const given = { customer_plan_id, token: back.searchParams.get('token') ?? '' }
  const summary = await pool.ask(checkout.getCustomerPlan, given, token)
  expect(summary).toMatchObject({ plan_name: 'Standard', amount: '1.00', discount_amount: '0.00' })
  expect(await readAgreement(pool, token)).toMatchObject({ profile_status: 'CREATED' })
  const { payment_token } = summary
  const confirm = () => pool.ask(checkout.confirmPaypal, { customer_plan_id, payment_token }, token)
  expect(await confirm()).toMatchObject({ status: true, profile_id: started.profile_id })
  expect(await confirm()).toMatchObject({ status: true, profile_id: started.profile_id })
  expect(await readAgreement(pool, token)).toMatchObject({
    profile_status: 'Active',
    payment_method: { kind: 'paypal' },
  })
})

test('allows only the member who started a PayPal payment to confirm it, once it is approved', async () => {
  const [mine, other] = [await aVisitor(), await aVisitor()]
  const started = await pool.ask(checkout.payByPaypal, { subscription: plan }, mine.token)
  const [subscription] = await pool.ctx.sql<{ gateway_ref: string }[]>`
    select gateway_ref from subscription where subscription_id = ${started.profile_id}`
  const back = await decideAt(started.url, 'yes')
  const customer_plan_id = back.pathname.split('/').at(-1) ?? ''
  const payment_token = subscription?.gateway_ref ?? ''
  const confirm = (token: string, wrong = {}) =>
    pool.ask(checkout.confirmPaypal, { customer_plan_id, payment_token, ...wrong }, token)
  expect(await errorOf(confirm(other.token))).toMatchObject({ status: 404, code: 'unknown_payment' })
  expect(await errorOf(confirm(mine.token, { customer_plan_id: 'other' }))).toMatchObject({ code: 'unknown_payment' })
  expect(await errorOf(confirm(mine.token, { payment_token: 'made up' }))).toMatchObject({ code: 'payment_declined' })
})

test('leads to the failed page and leaves no open subscription when a payment is declined at PayPal', async () => {
  const { token } = await aVisitor()
  const started = await pool.ask(checkout.payByPaypal, { subscription: plan }, token)
  expect((await decideAt(started.url, 'no')).pathname).toBe('/subscription/failed')
  expect(await readAgreement(pool, token)).toBeNull()
})

test('pays with the data from a wallet’s sheet', async () => {
  const { token } = await aVisitor()
  expect(await pool.ask(checkout.payByWallet, { subscription: plan }, token)).toEqual({
    ...{ status: true, country: 'US', currency: 'usd', amount: 100, label: 'Standard', url: null },
  })
  const complete = (applePay: string) => pool.ask(checkout.completeWallet, { applePay, subscription: plan }, token)
  expect(await errorOf(complete('sandbox-wallet-declines'))).toMatchObject({ code: 'payment_declined' })
  expect(await errorOf(complete('made up'))).toMatchObject({ code: 'payment_declined' })
  expect(await complete('sandbox-wallet-ok')).toMatchObject({ status: true })
  expect(await readAgreement(pool, token)).toMatchObject({ payment_method: { kind: 'mobile_wallet' } })
})

test('completes only one of eight simultaneous payments by one member', async () => {
  const { token, customer_id } = await aVisitor()
  const all = await Promise.allSettled(Array.from({ length: 8 }, () => payByCard(pool, token, { plan })))
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(1)
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ ledger: 100, charged: 100, invoices: 1 })
  expect(await errorOf(payByCard(pool, token, { plan }))).toMatchObject({ status: 409, code: 'already_subscribed' })
})

test('replaces an abandoned checkout, which can no longer be paid', async () => {
  const { token } = await aVisitor()
  const left = await pool.ask(checkout.payByPaypal, { subscription: plan }, token)
  expect(await payByCard(pool, token, { plan })).toMatchObject({ status: true })
  const { pathname } = new URL(left.url ?? '')
  const [page, decided] = [
    await pool.app.inject({ url: pathname }),
    await pool.app.inject({
      method: 'POST',
      url: `${pathname}/yes`,
      headers: { 'content-type': 'text/plain' },
      payload: '',
    }),
  ]
  expect([page.statusCode, page.headers.location]).toEqual([303, expect.stringMatching(/manage-subscription$/)])
  expect(decided.statusCode).toBe(404)
})

test('applies a coupon once per member, and releases it when the checkout fails', async () => {
  const { token } = await aVisitor()
  const code = await aCoupon(pool.ctx, { percent: 20, payments: 1 })
  const full = await aPlan(pool.ctx, { price_minor: 1499 })
  const asked = { coupon_code: code.toLowerCase(), subscription_id: full }
  expect(await pool.ask(checkout.validateCoupon, asked, token)).toEqual({
    ...{ status: true, discount_amount: '3.00', total: '11.99', description: '20% off your first payment' },
  })
  const failing = payByCard(pool, token, { plan: full, coupon: code, card: CARDS.declines })
  expect(await errorOf(failing)).toMatchObject({ code: 'payment_declined' })
  await payByCard(pool, token, { plan: full, coupon: code })
  expect(await readAgreement(pool, token)).toMatchObject({ next_amount: '14.99' })
  expect(await errorOf(pool.ask(checkout.validateCoupon, asked, token))).toMatchObject({
    code: 'coupon_already_used',
  })
})

test('refuses a coupon with the code for the reason', async () => {
  const { token } = await aVisitor()
  const validate = (coupon_code: string) =>
    pool.ask(checkout.validateCoupon, { coupon_code, subscription_id: plan }, token)
  const over = await aCoupon(pool.ctx, { percent: 10, ends_at: new Date('2020-01-01') })
  const others = await aCoupon(pool.ctx, { percent: 10, plan_ids: [plan + 1000] })
  expect(await errorOf(validate(''))).toMatchObject({ message: 'Please enter coupon code' })
  expect(await errorOf(validate('NONE'))).toMatchObject({ status: 422, code: 'unknown_coupon' })
  expect(await errorOf(validate(over))).toMatchObject({ code: 'coupon_expired' })
  expect(await errorOf(validate(others))).toMatchObject({ code: 'coupon_not_applicable' })
})

test('gives the last use of a coupon to only one of several simultaneous members', async () => {
  const code = await aCoupon(pool.ctx, { amount_minor: 500, payments: 1, max_uses: 1 })
  const members = await Promise.all(Array.from({ length: 6 }, aVisitor))
  const all = await Promise.allSettled(members.map(({ token }) => payByCard(pool, token, { plan, coupon: code })))
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBe(1)
})

test('charges nothing for a coupon of 100 %, and issues an invoice for it', async () => {
  const { token, customer_id } = await aVisitor()
  const code = await aCoupon(pool.ctx, { percent: 100, payments: 1 })
  await payByCard(pool, token, { plan, coupon: code })
  expect(await readBooks(pool.ctx, customer_id)).toMatchObject({ access: 'paid', ledger: 0, invoices: 1 })
})

test('offers the trial price only to members who have never paid', async () => {
  const { token } = await aVisitor()
  expect((await pool.ask(billing.getPlan, { plan_id: plan }, token)).first_price).toBe('1.00')
  await payByCard(pool, token, { plan })
  expect((await pool.ask(billing.getPlan, { plan_id: plan }, token)).first_price).toBe('14.99')
  expect((await pool.ask(billing.getPlan, { plan_id: plan })).first_price).toBe('1.00')
})

test('does not sell an unpublished plan', async () => {
  const { token } = await aVisitor()
  const old = await aPlan(pool.ctx, { is_published: false })
  expect(await errorOf(payByCard(pool, token, { plan: old }))).toMatchObject({ status: 404, code: 'unknown_plan' })
  expect((await pool.ask(billing.getPlans, {})).plans.map(({ id }) => id)).not.toContain(old)
})

test('sells nothing to a member who cannot download', async () => {
  const { token } = await aMember(pool.ctx, { group_id: 3, payment_profile_status: 'unpaid' })
  expect(await errorOf(payByCard(pool, token, { plan }))).toMatchObject({ code: 'downloads_not_allowed' })
})

test('refuses a payment method that this pool does not offer', async () => {
  const { token } = await aVisitor()
  const asked = pool.ask(checkout.payByTransfer, { subscription: plan }, token)
  expect(await errorOf(asked)).toMatchObject({ code: 'payment_method_unavailable' })
})
