import { billing, checkout, downloads } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { downloadVersion } from '../downloads/download.ts'
import { keepDownloadToPayFor } from '../membership/pendingAction.ts'
import { makePlan } from './testing.ts'

const GOOD_CARD = '4242424242424242'

const total = page.getByRole('table', { name: 'Summary' }).getByRole('row', { name: 'Total' })
const coupon = page.getByRole('textbox', { name: 'Promotion code' })
const wallet = dialogNamed('Test wallet')
const paid = page.getByRole('heading', { name: 'Upgrade successful' })

/** Sets up one plan, whose first month costs less, for a member without a subscription. */
function offerPlan() {
  fakeApi.reply(billing.getPlans, {
    plans: [makePlan()],
    methods: ['credit_card', 'mobile_wallet'],
    cards: 'form',
    is_sandbox: true,
  })
  fakeApi.reply(billing.getPlan, { plan: makePlan(), first_price: '4.99' })
  fakeApi.reply(billing.getAgreement, { agreement: null })
  fakeApi.reply(checkout.getPayment, { profile_status: 'Active', is_paid: true })
  signInAs(makeProfile({ payment_profile_status: 'unpaid' }))
}

async function fillCard(number: string) {
  await page.getByLabelText('Cardholder name').fill('Ama Mensah')
  await page.getByLabelText('Card number').clear()
  await userEvent.type(page.getByLabelText('Card number'), number)
  await page.getByLabelText('Expiration').clear()
  await userEvent.type(page.getByLabelText('Expiration'), '1230')
  await page.getByLabelText('CCV').fill('123')
}

test('subtracts a coupon from the total, or explains why it is invalid', async () => {
  offerPlan()
  fakeApi.reply(checkout.validateCoupon, ({ coupon_code }) => {
    if (coupon_code !== 'welcome20') throw errorReply({ code: 'coupon_expired', message: 'This coupon has expired.' })
    return { status: true, discount_amount: '1.00', total: '3.99' }
  })
  fakeApi.reply(checkout.payByCard, { status: true, profile_id: 7 })
  await openApp('/subscription/choose-payment/1')
  await expect.element(total).toHaveTextContent('$4.99')
  await press(page, 'Apply')
  await expect.element(page.getByText('Please enter coupon code')).toBeVisible()
  await coupon.fill('summer')
  await press(page, 'Apply')
  await expect.element(page.getByText('This coupon has expired.')).toBeVisible()
  await coupon.fill('welcome20')
  await press(page, 'Apply')
  await expect.element(page.getByText('Applied: $1.00 off')).toBeVisible()
  await expect.element(total).toHaveTextContent('$3.99')
  await page.getByRole('radio', { name: 'Credit Card' }).click()
  await fillCard(GOOD_CARD)
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Pay $3.99')
  await expect.element(paid).toBeVisible()
  expect(fakeApi.inputsOf(checkout.payByCard)).toMatchObject([{ subscription: 1, coupon: 'welcome20' }])
})

test('names every blank field of the card; after a decline, clears only the card’s code', async () => {
  offerPlan()
  fakeApi.rejectWith(checkout.payByCard, { code: 'payment_declined', message: 'Your card was declined.' })
  await openApp('/subscription/choose-payment/1')
  await page.getByRole('radio', { name: 'Credit Card' }).click()
  await press(page, 'Pay $4.99')
  for (const sentence of [
    'Card Holder Name cannot be blank!',
    'Card Number cannot be blank!',
    'Expiry Date cannot be blank!',
    'CCV cannot be blank!',
    'Terms & Conditions are required',
  ])
    await expect.element(page.getByText(sentence)).toBeVisible()
  expect(fakeApi.inputsOf(checkout.payByCard)).toEqual([])

  await fillCard('4000000000000002')
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Pay $4.99')
  await expect.element(page.getByText('Your card was declined.')).toBeVisible()
  await expect.element(page.getByLabelText('Cardholder name')).toHaveValue('Ama Mensah')
  await expect.element(page.getByLabelText('Card number')).toHaveValue('4000 0000 0000 0002')
  await expect.element(page.getByLabelText('CCV')).toHaveValue('')
  await expect.element(page.getByText('CCV cannot be blank!')).not.toBeInTheDocument()

  fakeApi.reply(checkout.payByCard, { status: true, profile_id: 7 })
  await fillCard(GOOD_CARD)
  await press(page, 'Pay $4.99')
  await expect.element(paid).toBeVisible()
  expect(fakeApi.inputsOf(checkout.payByCard).at(-1)).toMatchObject({
    subscription: 1,
    formData: { card_number: '4242 4242 4242 4242', card_type: 'Visa', expire_date: '12/30', ccv: '123' },
  })
})

test('shows the error of a field only after it was left, and only if something was typed', async () => {
  offerPlan()
  await openApp('/subscription/choose-payment/1')
  const number = page.getByLabelText('Card number')
  const name = page.getByLabelText('Cardholder name')
  await userEvent.type(number, '424')
  await expect.element(number).toHaveValue('424')
  await expect.element(number).not.toHaveAttribute('aria-invalid', 'true')
  await name.click()
  await expect.element(number).toHaveAttribute('aria-invalid', 'true')
  await number.click()
  await expect.element(name).not.toHaveAttribute('aria-invalid', 'true')
  await userEvent.type(number, '2424242424242')
  await expect.element(number).not.toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByText('CCV cannot be blank!')).not.toBeInTheDocument()
})

test('shows the server’s error of the card at its field', async () => {
  offerPlan()
  fakeApi.rejectWith(checkout.payByCard, {
    code: 'invalid_card_number',
    message: 'This card number is incorrect.',
    fields: { 'formData.card_number': 'This card number is incorrect.' },
  })
  await openApp('/subscription/choose-payment/1')
  await page.getByRole('radio', { name: 'Credit Card' }).click()
  await fillCard(GOOD_CARD)
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Pay $4.99')
  const number = page.getByLabelText('Card number')
  await expect.element(number).toHaveFocus()
  await expect.element(number).toHaveAccessibleDescription('This card number is incorrect.')
  await expect.element(page.getByRole('form', { name: 'Payment' }).getByRole('listitem')).not.toBeInTheDocument()
})

test('keeps the method and a typed code over a reload, but never any part of a card', async () => {
  offerPlan()
  await openApp('/subscription/choose-payment/1')
  await coupon.fill('welcome20')
  await page.getByRole('radio', { name: 'Credit Card' }).click()
  await fillCard(GOOD_CARD)
  const stored = JSON.stringify({ ...sessionStorage, ...localStorage })
  for (const part of ['4242', 'Ama Mensah', '12/30']) expect(stored).not.toContain(part)
  await reopenApp('/subscription/choose-payment/1')
  await expect.element(coupon).toHaveValue('welcome20')
  await expect.element(page.getByRole('radio', { name: 'Credit Card' })).toBeChecked()
  await expect.element(page.getByLabelText('Card number')).toHaveValue('')
  // It was never applied.
  expect(fakeApi.inputsOf(checkout.validateCoupon)).toEqual([])
  await expect.element(total).toHaveTextContent('$4.99')
})

test('asks to apply a typed code before paying', async () => {
  offerPlan()
  await openApp('/subscription/choose-payment/1')
  await coupon.fill('welcome20')
  await page.getByRole('radio', { name: 'Google/Apple Pay' }).click()
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Proceed To Payment')
  await expect.element(page.getByText('Apply this code or clear the field to continue.')).toBeVisible()
  await expect.element(coupon).toHaveFocus()
  expect(fakeApi.inputsOf(checkout.payByWallet)).toEqual([])
})

test('pays from the wallet’s sheet, also after the wallet declined once', async () => {
  offerPlan()
  fakeApi.reply(checkout.payByWallet, { status: true, country: 'US', currency: 'usd', amount: 499, label: 'Standard' })
  fakeApi.reply(checkout.completeWallet, ({ applePay }) => {
    if (applePay.includes('declines'))
      throw errorReply({ code: 'payment_declined', message: 'Your card was declined.' })
    return { status: true, profile_id: 7 }
  })
  await openApp('/subscription/choose-payment/1')
  await page.getByRole('radio', { name: 'Google/Apple Pay' }).click()
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Proceed To Payment')
  await press(page, 'Pay with wallet')
  await expect.element(wallet).toHaveTextContent('$4.99')
  await press(wallet, 'Decline')
  await expect.element(wallet.getByText('Your card was declined.')).toBeVisible()
  await press(wallet, 'Pay')
  await expect.element(paid).toBeVisible()
})

test('asks a visitor to sign in before paying for the chosen plan', async () => {
  fakeApi.reply(billing.getPlans, { plans: [makePlan()], methods: ['credit_card'] })
  fakeApi.reply(billing.getPlan, { plan: makePlan(), first_price: '4.99' })
  await openApp('/subscription/plans')
  await page.getByRole('link', { name: 'Choose Standard' }).click()
  await expect.element(dialogNamed('Sign In')).toBeVisible()
  await expect.element(page.getByText('Sign in to choose the Standard plan.')).toBeVisible()
  expect(currentUrl()).toBe('/subscription/choose-payment/1?dialog=sign-in')
})

test('redirects to the plans when none is chosen', async () => {
  await openApp('/subscription/choose-payment')
  await expect.poll(currentUrl).toBe('/subscription/plans')
})

test('preselects the card, links the terms, and asks for the card type only if the number does not say it', async () => {
  offerPlan()
  await openApp('/subscription/choose-payment/1')
  await expect.element(page.getByRole('radio', { name: 'Credit Card' })).toBeChecked()
  const terms = page.getByRole('link', { name: 'terms and conditions' })
  await expect.element(terms).toHaveAttribute('target', '_blank')
  await expect.element(page.getByLabelText('Card number')).toBeVisible()
  await expect.element(page.getByLabelText('Card type')).not.toBeInTheDocument()
  await fillCard(GOOD_CARD)
  await expect.element(page.getByText('Visa')).toBeVisible()
  await expect.element(page.getByLabelText('Card type')).not.toBeInTheDocument()
  await fillCard('9999999999999999')
  await page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).click()
  await press(page, 'Pay $4.99')
  await expect.element(page.getByLabelText('Card type')).toHaveAccessibleDescription('Select card type')
})

test('starts the download that needed the plan, back on its page, and only for the same member', async () => {
  offerPlan()
  fakeApi.rejectWith(downloads.downloadVersion, { code: 'subscription_required', message: 'A paid plan is needed.' })
  await openApp('/charts')
  await downloadVersion(12, { title: 'Afterglow' })
  await expect.poll(currentUrl).toBe('/subscription/plans')
  fakeApi.reply(downloads.downloadVersion, { url: 'data:,', file_name: 'Afterglow.mp3', used: 1 })
  await reopenApp('/subscription/success/7')
  await expect.element(page.getByText('Your download of “Afterglow” is next.')).toBeVisible()
  await press(page, 'Start downloading')
  await expect.poll(currentUrl).toBe('/charts')
  await expect.element(page.getByText('Download started')).toBeVisible()
  expect(fakeApi.inputsOf(downloads.downloadVersion).at(-1)).toEqual({ version: 12 })
  await reopenApp('/subscription/success/7')
  await expect.element(paid).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Start downloading' })).not.toBeInTheDocument()

  keepDownloadToPayFor({ kind: 'download', args: ['version 12'], title: 'Afterglow' })
  signInAs(makeProfile({ customer_id: 99 }))
  await reopenApp('/subscription/success/7')
  await expect.element(paid).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Start downloading' })).not.toBeInTheDocument()
})
