import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { billing, membership, payments } from '@dubplate/contract'
import type { Download, Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { mailsTo } from './mail-server.ts'
import { type Account, aMember, aSubscriber, CARDS, elsewhere, enter } from './members.ts'
import { ask, dialog, enterAs, expect, firstOf, newestSongs, otherBrowser, rowOf, test, tokenOf } from './support.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const amountOf = (page: Page, name: string) => page.getByRole('table', { name: 'Summary' }).getByRole('row', { name })

/** From the plans to the payment of one. */
async function choosePlan(page: Page, title: string): Promise<void> {
  await page.goto('/subscription/plans')
  await page
    .getByRole('listitem', { name: title })
    .getByRole('link', { name: `Choose ${title}` })
    .click()
  await expect(page.getByRole('heading', { name: 'Choose payment' })).toBeVisible()
}

async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Cardholder name').fill('Ama Mensah')
  // Typed as a person does, so that the mask has its say.
  await page.getByLabel('Card number').fill('')
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiration').fill('')
  await page.getByLabel('Expiration').pressSequentially('1230')
  await page.getByLabel('CCV').fill('123')
}

const agree = (page: Page) => page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).check()

async function payByCard(page: Page, number: string): Promise<void> {
  await page.getByRole('radio', { name: 'Credit Card' }).check()
  await fillCard(page, number)
  await agree(page)
  await press(page, 'Proceed To Payment')
}

const isPaid = (page: Page) => expect(page.getByRole('heading', { name: 'Upgrade successful' })).toBeVisible()

const moveClock = async ({ customer_id }: Account, days: number) =>
  ask(payments.moveClock, { customer_id, days }, await tokenOf('staff@demo.test'))

const statusOf = async ({ token }: Account) =>
  (await ask(membership.getProfile, {}, token)).profile.payment_profile_status

const billingRows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).getByTestId('billing').getByRole('row')

/** The text of a downloaded PDF as another program reads it, after a second one found nothing wrong with the file. */
async function textOfPdf(download: Download): Promise<string> {
  const file = await download.path()
  const check = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' })
  expect(check.status, check.stderr).toBe(0)
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout
}

const hasTools = ['pdftotext', 'qpdf'].every((program) => !spawnSync(program, ['--version']).error)

test('a new member pays the trial by card with a coupon, downloads at once, and is mailed the invoice', {
  tag: '@smoke',
}, async ({ page }) => {
  const member = await aMember('Ama of the Night Bus')
  await enter(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Premium')
  await expect(amountOf(page, 'Total')).toContainText('$4.99')
  await press(page, 'Apply')
  await expect(page.getByText('Please enter coupon code')).toBeVisible()
  await page.getByRole('textbox', { name: 'Promotion code' }).fill('summer')
  await press(page, 'Apply')
  await expect(page.getByText('This coupon has run out.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Promotion code' }).fill('welcome20')
  await press(page, 'Apply')
  await expect(page.getByText('Applied: $1.00 off')).toBeVisible()
  await expect(amountOf(page, 'Total')).toContainText('$3.99')
  await payByCard(page, CARDS.pays)
  await isPaid(page)

  await page.goto('/newRelease')
  const song = firstOf(await newestSongs(1))
  const starting = page.waitForEvent('download')
  await rowOf(page, song)
    .getByRole('button', { name: /^Download / })
    .first()
    .click()
  expect(await (await starting).failure()).toBeNull()

  const receipt = async () => (await mailsTo(member.email)).find(({ subject }) => /receipt/i.test(subject ?? ''))
  await expect.poll(async () => (await receipt())?.attachments.length, { timeout: 30_000 }).toBe(1)
  const attached = firstOf((await receipt())?.attachments ?? [])
  expect(attached.mimeType).toBe('application/pdf')
  expect(
    Buffer.from(attached.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('the form says what is wrong, keeps what was typed, and a declined card is followed by one that pays', async ({
  page,
}) => {
  const member = await aMember('Kofi Retries')
  await enter(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Standard')
  await page.getByRole('radio', { name: 'Credit Card' }).check()
  await press(page, 'Proceed To Payment')
  for (const sentence of [
    'Card Holder Name cannot be blank!',
    'Card Number cannot be blank!',
    'Expire Date cannot be blank!',
    'CCV cannot be blank!',
    'Terms & Condition is require',
  ]) {
    await expect(page.getByText(sentence)).toBeVisible()
  }
  await payByCard(page, CARDS.declines)
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  await expect(page.getByLabel('Cardholder name')).toHaveValue('Ama Mensah')
  await expect(page.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002')
  await expect(page.getByLabel('CCV')).toHaveValue('')
  await payByCard(page, CARDS.pays)
  await isPaid(page)
})

test('PayPal is approved on its page, confirmed here, and pays; what is declined there fails', {
  tag: '@smoke',
}, async ({ page }) => {
  const member = await aMember('Paula P')
  await enter(page, member.token, '/subscription/plans')
  const begin = async () => {
    await choosePlan(page, 'Standard')
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await agree(page)
    await press(page, 'Proceed To Payment')
    await expect(page).toHaveURL(/\/sandbox\/approve\//)
  }
  await begin()
  await press(page, 'Decline')
  await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible()
  await page.getByRole('link', { name: 'To the plans' }).click()
  await begin()
  await press(page, 'Approve')
  await expect(page.getByRole('heading', { name: 'Confirm payment' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$1.00')
  // Not paid before it is confirmed, whatever the address says.
  expect((await ask(billing.getAgreement, {}, member.token)).agreement?.profile_status).toBe('CREATED')
  await press(page, 'Proceed to Payment')
  await isPaid(page)
  await page.getByRole('link', { name: 'To your subscription' }).click()
  await expect(page.getByRole('region', { name: 'Payment method' })).toContainText('PayPal')
})

test('a wallet pays from its sheet, and a declined one may be tried again', async ({ page }) => {
  const member = await aMember('Wanda Wallet')
  await enter(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Standard')
  await page.getByRole('radio', { name: 'Google/Apple Pay' }).check()
  await agree(page)
  await press(page, 'Proceed To Payment')
  await press(page, 'Pay with your wallet')
  await dialog(page, 'Sandbox wallet').getByRole('button', { name: 'Decline', exact: true }).click()
  await expect(page.getByText('Your card was declined.')).toBeVisible()
  const sheet = dialog(page, 'Sandbox wallet')
  if (!(await sheet.isVisible())) await press(page, 'Pay with your wallet')
  await sheet.getByRole('button', { name: 'Pay', exact: true }).click()
  await isPaid(page)
})

test('a bank that asks is answered on its page, and the payment is done when one is back', async ({ page }) => {
  const member = await aMember('Berta Bank')
  await enter(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await expect(page).toHaveURL(/\/sandbox\/approve\//)
  // Whoever turns around finds the payment waiting, and can end it.
  await page.goto('/subscription/plans')
  await expect(page).toHaveURL(/\/account\/manage-subscription$/)
  await expect(page.getByRole('button', { name: 'Payment Processing' })).toBeDisabled()
  await press(page, 'Cancel this payment')
  await expect(page).toHaveURL(/\/subscription\/plans$/)
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await press(page, 'Approve')
  await isPaid(page)
})

test('a renewal that fails is told, stops the downloads after the grace, and another card mends it at once', async ({
  page,
}) => {
  const member = await aSubscriber('Rina Renewal', CARDS.failsOnRenewal)
  await moveClock(member, 36)
  await enter(page, member.token, '/account/manage-subscription')
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  expect(await statusOf(member)).toBe('unpaid')
  await press(page, 'Update payment details')
  await fillCard(page, CARDS.pays)
  await press(page, 'Save card')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Payment method' })).toContainText('4242')
  expect(await statusOf(member)).toBe('paid')
  await expect
    .poll(async () => (await mailsTo(member.email)).map(({ subject }) => subject), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['A payment to Dubplate did not go through', 'The next payment to Dubplate']))
})

test('a plan is cancelled with its texts and feedback, taken back, and renews when its time comes', async ({
  page,
}) => {
  const member = await aSubscriber('Cora Cancels', CARDS.pays)
  await enter(page, member.token, '/account/manage-subscription')
  await press(page, 'cancel Plan')
  const sure = dialog(page, 'Are you sure?')
  await expect(sure).toContainText("You won't be able to revert this!")
  await sure.getByRole('button', { name: 'Yes, cancel it' }).click()
  const cancelled = dialog(page, 'Subsciption Cancelled')
  await expect(cancelled).toContainText('Your subscription has been cancelled.no payment will be charge.')
  await cancelled.getByLabel('Why are you leaving?').fill('Off to sea for a season.')
  await cancelled.getByRole('button', { name: 'Send' }).click()
  const thanks = dialog(page, 'Thank you for your valuable feedback!')
  await expect(thanks).toContainText('Hope to see you soon')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Cancelled', { exact: true })).toBeVisible()
  await press(page, 'Resume')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await moveClock(member, 35)
  await page.reload()
  await expect(billingRows(page, 'Recent billing history')).toHaveCount(2)
})

test('a dearer plan costs the rest of the period now', async ({ page }) => {
  const member = await aSubscriber('Uma Upgrade', CARDS.pays)
  await moveClock(member, 10)
  await enter(page, member.token, '/account/manage-subscription')
  await press(page, 'Upgrade Plan')
  const change = dialog(page, 'Change your plan')
  await change.getByRole('radio', { name: 'Premium' }).check()
  await expect(
    change.getByText(/^You pay \$\d\.\d\d now for the rest of this period, then \$24\.99 each month/),
  ).toBeVisible()
  await change.getByRole('button', { name: 'Change to Premium' }).click()
  await expect(page.getByText('Your plan is Premium.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Current plan' })).toContainText('Premium')
})

test('an invoice opens in other programs, as PDF and as a spreadsheet, one and all of a range', async ({ page }) => {
  test.skip(!hasTools, 'pdftotext and qpdf are not installed, and could not be.')
  await enterAs(page, 'dj@demo.test')
  await page.goto('/account/billing')
  await expect(billingRows(page, 'Billing history')).toHaveCount(5)
  const fetchBy = async (name: string | RegExp) => {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name }).first().click()
    return coming
  }
  const one = await fetchBy(/^PDF of invoice /)
  const number = one.suggestedFilename().replace('.pdf', '')
  const text = await textOfPdf(one)
  for (const words of [number, 'Standard', '14.99', 'dj@demo.test']) expect(text).toContain(words)

  const sheet = await fetchBy('Excel of all invoices')
  const [head, ...lines] = await readSheet(readFileSync(await sheet.path()))
  expect(head?.length).toBeGreaterThan(5)
  expect(JSON.stringify(lines)).toContain(number)
  const sums = lines.map((line) => line.filter((cell) => typeof cell === 'number'))
  expect(sums.flat().some((cell) => Math.abs(Number(cell) - 60.96) < 0.001)).toBe(true)

  const lastYear = `${new Date().getFullYear() - 2}`
  await page.getByRole('group', { name: 'Year' }).getByText(lastYear).click()
  await expect(page.getByText('Nothing in this range')).toBeVisible()
})

test('staff refund a payment; the member sees the credit note, and has no plan any more', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const member = await aSubscriber('Rob Refund', CARDS.pays)
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/payments')
  await page.getByLabel('Find by name, address, invoice').fill(member.email)
  const card = page.getByRole('listitem', { name: 'Rob Refund' })
  await card.getByRole('button', { name: 'Refund…' }).click()
  const refund = dialog(page, 'Refund Rob Refund')
  await refund.getByLabel('Reason').fill('Wrong pool')
  await refund.getByRole('button', { name: 'Refund $1.00' }).click()
  await expect(refund).toBeHidden()
  const own = await elsewhere(browser, member, '/account/billing')
  await expect(own.getByRole('table', { name: 'Billing history' })).toContainText('-$1.00')
  await own.goto('/account/manage-subscription')
  await expect(own.getByText('Ended', { exact: true })).toBeVisible()
})

test('a visitor who chooses a plan signs in and comes back to its payment', async ({ browser }) => {
  const page = await otherBrowser(browser)
  await page.goto('/subscription/plans')
  await page.getByRole('link', { name: 'Choose Standard' }).click()
  await expect(dialog(page, 'Sign In')).toBeVisible()
  await expect(page).toHaveURL(/\/subscription\/choose-payment\/\d+\?dialog=sign-in/)
  await page.goto('/subscription/choose-payment')
  await expect(page).toHaveURL(/\/subscription\/plans/)
})
