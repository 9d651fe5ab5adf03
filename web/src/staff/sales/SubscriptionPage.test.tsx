import { staff, subscriptions } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeSubscription } from '../../../test/staffSamples.ts'

const REASON_MISSING = 'Enter a reason. Your colleagues will see it.'

async function openSubscription(overrides: Partial<subscriptions.SubscriptionDetails> = {}) {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(subscriptions.getSubscription, { subscription: makeSubscription(overrides) })
  await openApp('/staff/subscriptions/3')
}

const makeEvent = (overrides: Partial<subscriptions.SubscriptionEvent>): subscriptions.SubscriptionEvent => ({
  ...{ at: '2026-11-20T10:00:00Z', kind: 'paid', detail: '', amount: null, by: null },
  ...{ charge_id: null, invoice_id: null, invoice_number: null },
  ...overrides,
})

test('shows the subscription and its history, newest first', async () => {
  await openSubscription({
    next_plan_name: 'Premium',
    failure_reason: 'Card declined',
    history: [
      makeEvent({ kind: 'paid', amount: '15.00', invoice_id: 4, invoice_number: '2026-00004' }),
      makeEvent({ kind: 'staff_resumed', detail: 'Wants to stay', by: { customer_id: 5, dj_name: 'Front Desk' } }),
    ],
  })
  await expect.element(page.getByRole('heading', { level: 1, name: 'DJ Marlow' })).toBeVisible()
  await expect.poll(() => document.title).toMatch(/^DJ Marlow · Subscriptions ·/)
  const details = page.getByRole('region', { name: 'DJ Marlow’s Pro subscription' })
  await expect
    .element(details)
    .toHaveTextContent(/Card declined.*Pro, €15.00 every month.*Premium.*€15.00 on 22 Dec 2026/)
  await expect
    .element(details.getByRole('link', { name: 'Payments' }))
    .toHaveAttribute('href', '/staff/payments?subscription=3')
  const activity = page.getByRole('region', { name: 'Activity' })
  await expect
    .element(activity)
    .toHaveTextContent(/Resumed by staff.*Front Desk.*Wants to stay.*Paid.*2026-00004€15.00/)
})

test('offers only the actions that the server allows', async () => {
  await openSubscription({ status: 'cancel_scheduled', can_cancel: false, can_resume: true, can_end: false })
  await press(page, 'Resume…')
  const form = dialogNamed('Resume DJ Marlow’s subscription?')
  await form.getByLabelText('Reason').fill('Changed their mind.')
  await press(form, 'Resume subscription')
  await expect
    .poll(() => fakeApi.inputsOf(subscriptions.resumeSubscription))
    .toEqual([{ subscription_id: 3, seen: 'cancel_scheduled', reason: 'Changed their mind.' }])
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Cancel…' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'End now…' })).not.toBeInTheDocument()
})

test('needs a reason, and keeps it when the form is closed', async () => {
  await openSubscription()
  await press(page, 'Cancel…')
  const form = dialogNamed('Cancel DJ Marlow’s subscription?')
  await press(form, 'Cancel subscription')
  await expect.element(form.getByText(REASON_MISSING)).toBeVisible()
  expect(fakeApi.inputsOf(subscriptions.cancelSubscription)).toEqual([])
  await form.getByLabelText('Reason').fill('Moves abroad')
  await press(form, 'Go back')
  await press(page, 'Cancel…')
  await expect.element(form.getByLabelText('Reason')).toHaveValue('Moves abroad')
})

test('ends a subscription with a custom refund of at most what can be refunded', async () => {
  await openSubscription()
  await press(page, 'End now…')
  const form = dialogNamed('End DJ Marlow’s subscription now?')
  await form.getByLabelText('Reason').fill('By mistake')
  await form.getByRole('radio', { name: 'Custom amount' }).click()
  const amount = form.getByLabelText('Amount (EUR)')
  await amount.fill('15.01')
  await press(form, 'End now')
  await expect.element(form.getByText('You can refund up to €15.00.')).toBeVisible()
  await amount.fill('4,5')
  await press(form, 'End now')
  await expect
    .poll(() => fakeApi.inputsOf(subscriptions.endSubscription))
    .toEqual([{ subscription_id: 3, seen: 'active', reason: 'By mistake', refund: '4.50' }])
})

test('ends a subscription without a refund by default, and says if a refund failed', async () => {
  await openSubscription()
  fakeApi.reply(subscriptions.endSubscription, {
    subscription: makeSubscription({ status: 'ended' }),
    refund_error: 'Stripe declined.',
  })
  await press(page, 'End now…')
  const form = dialogNamed('End DJ Marlow’s subscription now?')
  await form.getByLabelText('Reason').fill('Fraud')
  await press(form, 'End now')
  await expect.element(page.getByText(/Stripe declined\./)).toBeVisible()
  expect(fakeApi.inputsOf(subscriptions.endSubscription)).toEqual([
    { subscription_id: 3, seen: 'active', reason: 'Fraud' },
  ])
})

test('shows why the action was refused, and the current state behind the form', async () => {
  await openSubscription()
  fakeApi.rejectWith(subscriptions.cancelSubscription, { code: 'conflict', message: 'It was cancelled already.' })
  await press(page, 'Cancel…')
  fakeApi.reply(subscriptions.getSubscription, { subscription: makeSubscription({ status: 'ended' }) })
  const form = dialogNamed('Cancel DJ Marlow’s subscription?')
  await form.getByLabelText('Reason').fill('Moves abroad')
  await press(form, 'Cancel subscription')
  await expect.element(form.getByText('It was cancelled already.')).toBeVisible()
  await expect.poll(() => fakeApi.inputsOf(subscriptions.getSubscription).length).toBe(2)
  await expect.element(form.getByLabelText('Reason')).toHaveValue('Moves abroad')
})

test('says that a subscription does not exist', async () => {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.rejectWith(subscriptions.getSubscription, { code: 'unknown_subscription', message: 'No such subscription.' })
  await openApp('/staff/subscriptions/3')
  await expect.element(page.getByRole('heading', { name: 'Subscription not found' })).toBeVisible()
  await press(page, 'Back to subscriptions')
  await expect.poll(currentUrl).toBe('/staff/subscriptions')
})
