import { billing, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { makeAgreement, makePlan } from './testing.ts'

/** Opens the screen of a member whose subscription is stored by the fake server. */
async function openSubscription() {
  let agreement = makeAgreement()
  const change = (part: Partial<billing.Agreement>) => {
    agreement = { ...agreement, ...part }
    return { agreement }
  }
  fakeApi.reply(billing.getAgreement, () => ({ agreement }))
  fakeApi.reply(billing.cancelBilling, (): Partial<ReplyOf<typeof billing.cancelBilling>> => {
    change({ profile_status: 'Cancelled', can_resume: true })
    return { profile_status: 'Cancelled' }
  })
  fakeApi.reply(billing.resumeBilling, () => change({ profile_status: 'Active', can_resume: false }))
  fakeApi.reply(billing.getPlans, { plans: [makePlan(), makePlan({ id: 2, title: 'Premium', price: '24.99' })] })
  fakeApi.reply(billing.quotePlanChange, { due_now: '6.45', currency: 'USD', price: '24.99' })
  fakeApi.reply(billing.changePlan, ({ plan_id }) =>
    change({ plan_id: Number(plan_id), subscription_title: 'Premium', plan_price: '24.99' }),
  )
  signInAs(makeProfile())
  await openApp('/account/manage-subscription')
}

test('cancels the plan after a confirmation, sends the feedback and resumes the plan', async () => {
  await openSubscription()
  await press(page, 'Cancel plan')
  const confirmation = dialogNamed('Are you sure?')
  await expect.element(confirmation).toHaveTextContent("You won't be able to revert this!")
  expect(fakeApi.inputsOf(billing.cancelBilling)).toEqual([])
  await press(confirmation, 'Cancel plan')
  const cancelled = dialogNamed('Subscription Cancelled')
  await expect.element(cancelled).toHaveTextContent('Your subscription has been cancelled. No payment will be charged.')
  await cancelled.getByLabelText('Why are you leaving?').fill('Off to sea for a season.')
  await press(cancelled, 'Send feedback')
  await expect.element(dialogNamed('Thank you for your valuable feedback!')).toHaveTextContent('Hope to see you soon')
  expect(fakeApi.inputsOf(billing.cancelFeedback)).toEqual([{ message: 'Off to sea for a season.' }])
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await press(page, 'Resume plan')
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
})

test('quotes a more expensive plan, then changes to it at that price', async () => {
  await openSubscription()
  await press(page, 'Upgrade Plan')
  const dialog = dialogNamed('Change plan')
  await dialog.getByRole('radio', { name: 'Premium' }).click()
  await expect
    .element(dialog.getByText('$6.45 due now for the rest of this period, then $24.99 every month.'))
    .toBeVisible()
  await press(dialog, 'Switch to Premium')
  await expect.element(page.getByText('You’re now on Premium.')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Current plan' })).toHaveTextContent('Premium')
  expect(fakeApi.inputsOf(billing.changePlan)).toEqual([{ plan_id: 2, due_now: '6.45' }])
})
