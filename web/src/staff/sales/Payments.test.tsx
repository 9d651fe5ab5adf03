import { payments, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makePayment } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Payments', exact: true })
const row = (name: string) => table.getByRole('row', { name, exact: true })

async function openPayments(found: payments.StaffPayment[], url = '/staff/payments', has_test_clocks = false) {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(payments.getPayments, {
    payments: found,
    counts: { waiting: 1, failed: 0, review: 2 },
    gateways: ['stripe', 'manual'],
    has_test_clocks,
    pagination: { page: 1, perPageLimit: 50, totalCount: found.length },
  })
  await openApp(url)
}

test('marks a bank transfer as paid with the M key, after confirmation', async () => {
  const payment = makePayment({ dj_name: 'DJ Cash', status: 'waiting', charge_id: null, subscription_id: 9 })
  await openPayments([payment], '/staff/payments?state=waiting')
  fakeApi.reply(payments.markPaid, { payment: { ...payment, status: 'paid' } })
  await expect.element(row('DJ Cash')).toHaveTextContent('Awaiting transfer')
  row('DJ Cash').element().focus()
  await userEvent.keyboard('m')
  await page.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
  await expect.poll(() => fakeApi.inputsOf(payments.markPaid)).toEqual([{ subscription_id: 9 }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('offers a refund only for what is left of a payment', async () => {
  await openPayments([
    makePayment({ dj_name: 'Partly', amount: '15.00', refunded: '5.00', status: 'partly_refunded' }),
    makePayment({ dj_name: 'Wholly', amount: '15.00', refunded: '15.00', status: 'refunded' }),
  ])
  await table.getByRole('button', { name: 'Actions for Wholly' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Send email' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Refund…' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await table.getByRole('button', { name: 'Actions for Partly' }).click()
  await page.getByRole('menuitem', { name: 'Refund…' }).click()
  await expect.element(dialogNamed('Refund Partly').getByRole('button', { name: 'Refund $10.00' })).toBeVisible()
})

test('checks the amount of a refund, and keeps the dialog open with the reason if the server refuses', async () => {
  const payment = makePayment({ charge_id: 5, dj_name: 'DJ Back', amount: '15.00' })
  await openPayments([payment])
  await expect.element(row('DJ Back')).toBeVisible()
  row('DJ Back').element().focus()
  await userEvent.keyboard('r')
  const dialog = dialogNamed('Refund DJ Back')
  const amount = dialog.getByRole('textbox', { name: 'Amount (USD)' })
  await expect.element(dialog.getByText(/^Full refund/)).toBeVisible()
  await amount.fill('15.01')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect.element(amount).toHaveAccessibleDescription(/You can refund up to \$15\.00\./)
  await amount.fill('0')
  await expect.element(amount).toHaveAccessibleDescription(/Enter an amount above zero\./)
  expect(fakeApi.inputsOf(payments.refundPayment)).toEqual([])
  await amount.fill('7,5')
  await expect.element(dialog.getByText(/^A partial refund/)).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Twice')
  fakeApi.rejectWith(payments.refundPayment, { code: 'payment_declined', message: 'The provider has declined.' })
  await dialog.getByRole('button', { name: 'Refund $7.50' }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The provider has declined.')
  fakeApi.reply(payments.refundPayment, { payment })
  await dialog.getByRole('button', { name: 'Refund $7.50' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(payments.refundPayment).at(-1))
    .toMatchObject({ charge_id: 5, amount: '7.50', reason: 'Twice' })
  await expect.element(page.getByText('$7.50 refunded to DJ Back')).toBeVisible()
})

test('advances the clock of a test member, and says in the dialog what has happened', async () => {
  await openPayments([makePayment({ dj_name: 'DJ Clock', customer_id: 8 })], '/staff/payments', true)
  fakeApi.reply(payments.moveClock, { agreement: null })
  await expect.element(row('DJ Clock')).toBeVisible()
  row('DJ Clock').element().focus()
  await userEvent.keyboard('c')
  const dialog = dialogNamed('Advance clock for DJ Clock')
  const days = dialog.getByRole('textbox', { name: 'Days' })
  await days.fill('401')
  await dialog.getByRole('button', { name: 'Advance' }).click()
  await expect.element(days).toHaveAccessibleDescription('Enter a whole number from 1 to 400.')
  await days.fill('400')
  await dialog.getByRole('button', { name: 'Advance' }).click()
  await expect.element(dialog.getByRole('status')).toHaveTextContent('This member has no subscription.')
  expect(fakeApi.inputsOf(payments.moveClock)).toEqual([{ customer_id: 8, days: '400' }])
})

test('filters by provider, member and date, and clears what a link has set', async () => {
  await openPayments([makePayment()], '/staff/payments?member=7')
  await expect.poll(() => fakeApi.inputsOf(payments.getPayments).at(-1)).toMatchObject({ customer_id: 7 })
  await table.getByRole('button', { name: 'Payment provider' }).click()
  await page.getByRole('menuitemradio', { name: 'Stripe' }).click()
  await expect.poll(currentUrl).toBe('/staff/payments?member=7&gateway=stripe')
  await table.getByRole('button', { name: 'Remove filter' }).click()
  await expect.poll(currentUrl).toBe('/staff/payments?gateway=stripe')
  await table.getByRole('button', { name: 'Date' }).click()
  await page.getByLabelText('From').fill('2026-03-01')
  await expect
    .poll(() => fakeApi.inputsOf(payments.getPayments).at(-1))
    .toMatchObject({ gateway: 'stripe', from: { day: 1, month: 3, year: 2026 } })
})

test('says which dates are wrong instead of asking the server', async () => {
  await openPayments([makePayment()], '/staff/payments?from=2026-03-01&to=2026-02-01')
  await expect.element(page.getByRole('heading', { name: 'Invalid date range' })).toBeVisible()
  expect(fakeApi.inputsOf(payments.getPayments)).toEqual([])
})

test('shows an error with a way to try again', async () => {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.rejectWith(payments.getPayments, { code: 'internal_error', message: 'Something went wrong.' })
  await openApp('/staff/payments')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load payments' })).toBeVisible()
  fakeApi.reply(payments.getPayments, { payments: [makePayment({ dj_name: 'DJ Back' })] })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('DJ Back')).toBeVisible()
})

test('accepts a payment that needs review', async () => {
  await openPayments([], '/staff/payments?state=review')
  fakeApi.reply(payments.getPaymentReviews, {
    reviews: [
      {
        ...{ review_id: 4, gateway: 'stripe', ref: 'pi_1', gateway_ref: null, subscription_id: 3, customer_id: 7 },
        ...{ dj_name: 'DJ Odd', plan_name: 'Standard', reason: 'amount', detail: 'Agreed: $15.00.', amount: '12.00' },
        ...{ currency: 'USD', period_start: null, period_end: null, can_accept: true, at: '2026-11-20T10:00:00Z' },
      },
    ],
    pagination: { page: 1, perPageLimit: 50, totalCount: 1 },
  })
  await page.getByRole('button', { name: /^Needs review/ }).click()
  const reviews = page.getByRole('region', { name: 'Payments that need review' })
  const review = reviews.getByRole('row', { name: 'Different amount · DJ Odd' })
  await expect.element(review).toBeVisible()
  review.element().focus()
  await userEvent.keyboard('{Enter}')
  const panel = page.getByRole('complementary', { name: 'Different amount' })
  await expect.element(panel).toHaveTextContent(/Agreed: \$15\.00\..*DJ Odd.*\$12\.00.*pi_1/)
  review.element().focus()
  await userEvent.keyboard('a')
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(payments.decidePaymentReview))
    .toEqual([{ review_id: 4, decision: 'accept' }])
})

test('shows the table together with the states of the payment providers, which would move it down', async () => {
  const states = page.getByRole('region', { name: 'Payment providers' })
  fakeApi.reply(payments.getGatewayStates, {
    gateways: [{ gateway: 'stripe', state: 'unchecked', reason: '', detail: '', since: null, checked_at: null }],
  })
  const release = fakeApi.holdReply(payments.getGatewayStates)
  await openPayments([makePayment({ dj_name: 'DJ Cash' })])
  await expect.poll(() => fakeApi.inputsOf(payments.getPayments).length).toBe(1)
  await expect.element(page.getByRole('heading', { name: 'Payments', level: 1 })).toBeVisible()
  expect(table.query()).toBeNull()
  release()
  await expect.element(states).toBeVisible()
  await expect.element(row('DJ Cash')).toBeVisible()
})

test('says which payment providers do not work and what to do, and checks them now', async () => {
  const since = new Date(Date.now() - 3 * 3_600_000).toISOString()
  const down = { gateway: 'stripe', state: 'down', reason: 'keys_rejected', detail: '401.', since } as const
  fakeApi.reply(payments.getGatewayStates, { gateways: [{ ...down, checked_at: since }] })
  await openPayments([])
  const states = page.getByRole('region', { name: 'Payment providers' })
  await expect.element(states).toHaveTextContent(/Stripe stopped working 3 h ago401\..*Members can’t pay with it\./)
  fakeApi.reply(payments.getGatewayStates, {
    gateways: [{ ...down, state: 'up', reason: '', detail: '', checked_at: since }],
  })
  await states.getByRole('button', { name: 'Check now' }).click()
  await expect.element(states).toHaveTextContent(/Stripe is working/)
  expect(fakeApi.inputsOf(payments.checkGateways)).toEqual([{}])
})
