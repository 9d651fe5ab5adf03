import { billing, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { makeAgreement, makePlan } from './testing.ts'

/** Opens the screen of a member whose subscription is stored by the fake server. */
async function openSubscription(overrides: Partial<billing.Agreement> = {}) {
  let agreement = makeAgreement(overrides)
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
  expect(sessionStorage.getItem('dubplate.draft.form.cancel-feedback')).toContain('Off to sea')
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

test('updates the card, and after a decline asks only for its code again', async () => {
  await openSubscription({ can_update_card: true })
  fakeApi.reply(billing.getPlans, { plans: [makePlan()], cards: 'form' })
  const agreement = makeAgreement({
    payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '1111', expires: '12/30' },
  })
  let isDeclined = true
  fakeApi.reply(billing.updateCard, () => {
    if (isDeclined) throw errorReply({ code: 'payment_declined', message: 'Your card was declined.' })
    return { agreement, url: null }
  })
  await press(page, 'Update card')
  const dialog = dialogNamed('Update card')
  await press(dialog, 'Save card')
  await expect.element(dialog.getByLabelText('Cardholder name')).toHaveFocus()
  await expect.element(dialog.getByText('CCV cannot be blank!')).toBeVisible()
  await dialog.getByLabelText('Cardholder name').fill('Ama Mensah')
  await userEvent.type(dialog.getByLabelText('Card number'), '4111111111111111')
  await userEvent.type(dialog.getByLabelText('Expiration'), '1230')
  await dialog.getByLabelText('CCV').fill('123')
  await press(dialog, 'Save card')
  await expect.element(dialog.getByText('Your card was declined.')).toBeVisible()
  await expect.element(dialog.getByLabelText('Card number')).toHaveValue('4111 1111 1111 1111')
  await expect.element(dialog.getByLabelText('CCV')).toHaveValue('')

  isDeclined = false
  await dialog.getByLabelText('CCV').fill('123')
  await press(dialog, 'Save card')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText('Card saved. We’ll use it for future payments.')).toBeVisible()
  expect(fakeApi.inputsOf(billing.updateCard).at(-1)).toMatchObject({
    formData: { card_number: '4111 1111 1111 1111', card_type: 'Visa', expire_date: '12/30', ccv: '123' },
  })
})
