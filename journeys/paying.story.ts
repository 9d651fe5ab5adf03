import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { billing, membership, payments } from '@dubplate/contract'
import type { Download, Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { mailsTo } from './mail-server.ts'
import { type Account, aMember, aSubscriber, CARDS, elsewhere, enter } from './members.ts'
import { ask, dialog, enterAs, expect, firstOf, newestSongs, rowOf, test, tokenOf } from './support.ts'

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

test('pays with PayPal after approval there and confirmation here; a declined payment fails', {
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
  await page.getByRole('link', { name: 'View plans' }).click()
  await begin()
  await press(page, 'Approve')
  await expect(page.getByRole('heading', { name: 'Confirm payment' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$1.00')
  // Not paid before it is confirmed, whatever the address says.
  expect((await ask(billing.getAgreement, {}, member.token)).agreement?.profile_status).toBe('CREATED')
  await press(page, 'Proceed to Payment')
  await isPaid(page)
  await page.getByRole('link', { name: 'View subscription' }).click()
  await expect(page.getByRole('region', { name: 'Payment method' })).toContainText('PayPal')
})

test('pays after the bank’s confirmation page; a payment that is left there can be cancelled', async ({ page }) => {
  const member = await aMember('Berta Bank')
  await enter(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await expect(page).toHaveURL(/\/sandbox\/approve\//)
  // Whoever turns around finds the payment waiting, and can end it.
  await page.goto('/subscription/plans')
  await expect(page).toHaveURL(/\/account\/manage-subscription$/)
  await expect(page.getByRole('button', { name: 'Payment Processing' })).toBeDisabled()
  await press(page, 'Cancel payment')
  await expect(page).toHaveURL(/\/subscription\/plans$/)
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await press(page, 'Approve')
  await isPaid(page)
})

test('announces a failed renewal, stops downloads after the grace period, and is paid with another card', async ({
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
    .toEqual(expect.arrayContaining(['Your Dubplate payment failed', 'Your next Dubplate payment']))
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
  const one = await fetchBy(/^Download invoice .* as PDF$/)
  const number = one.suggestedFilename().replace('.pdf', '')
  const text = await textOfPdf(one)
  for (const words of [number, 'Standard', '14.99', 'dj@demo.test']) expect(text).toContain(words)

  const sheet = await fetchBy('Download all invoices as Excel')
  const [head, ...lines] = await readSheet(readFileSync(await sheet.path()))
  expect(head?.length).toBeGreaterThan(5)
  expect(JSON.stringify(lines)).toContain(number)
  const sums = lines.map((line) => line.filter((cell) => typeof cell === 'number'))
  expect(sums.flat().some((cell) => Math.abs(Number(cell) - 60.96) < 0.001)).toBe(true)
})

test('staff refund a payment; the member sees the credit note, and has no plan any more', { tag: '@smoke' }, async ({
  page,
  browser,
}) => {
  const member = await aSubscriber('Rob Refund', CARDS.pays)
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/payments')
  await page.getByLabel('Search by name, email or invoice…').fill(member.email)
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
