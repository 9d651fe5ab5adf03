import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { billing, membership, payments } from '@dubplate/contract'
import type { Download, Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { getMailsTo } from './mail-server.ts'
import { type Account, CARDS, createMember, createSubscriber, openInOtherBrowser, openSignedIn } from './members.ts'
import { callApi, dialog, expect, getDemoSongs, getFirst, getToken, signInAs, songPage, test } from './support.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const summaryRow = (page: Page, name: string) => page.getByRole('table', { name: 'Summary' }).getByRole('row', { name })

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
  // Typed key by key, so that the input mask applies.
  await page.getByLabel('Card number').fill('')
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expiration').fill('')
  await page.getByLabel('Expiration').pressSequentially('1230')
  await page.getByLabel('CCV').fill('123')
}

const acceptTerms = (page: Page) => page.getByRole('checkbox', { name: 'I agree to the terms and conditions' }).check()

async function payByCard(page: Page, number: string): Promise<void> {
  await page.getByRole('radio', { name: 'Credit Card' }).check()
  await fillCard(page, number)
  await acceptTerms(page)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
}

const expectPaid = (page: Page) => expect(page.getByRole('heading', { name: 'Upgrade successful' })).toBeVisible()

const advanceClock = async ({ customer_id }: Account, days: number) =>
  callApi(payments.moveClock, { customer_id, days }, await getToken('staff@demo.test'))

const getPaymentStatus = async ({ token }: Account) =>
  (await callApi(membership.getProfile, {}, token)).profile.payment_profile_status

const billingRows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).getByTestId('billing').getByRole('row')

/** Checks a downloaded PDF with qpdf, and returns the text that pdftotext finds in it. */
async function readPdf(download: Download): Promise<string> {
  const file = await download.path()
  const check = spawnSync('qpdf', ['--check', file], { encoding: 'utf8' })
  expect(check.status, check.stderr).toBe(0)
  return spawnSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' }).stdout
}

const hasTools = ['pdftotext', 'qpdf'].every((program) => !spawnSync(program, ['--version']).error)

test('a new member pays for the trial by card with a coupon, downloads a song, and is emailed the invoice', {
  tag: '@smoke',
}, async ({ page }) => {
  const member = await createMember('Ama of the Night Bus')
  await openSignedIn(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Premium')
  await expect(summaryRow(page, 'Total')).toContainText('$4.99')
  await page.getByRole('textbox', { name: 'Promotion code' }).fill('welcome20')
  await press(page, 'Apply')
  await expect(page.getByText('Applied: $1.00 off')).toBeVisible()
  await expect(summaryRow(page, 'Total')).toContainText('$3.99')
  await payByCard(page, CARDS.pays)
  await expectPaid(page)

  const song = getFirst(await getDemoSongs(1))
  await page.goto(`/song/${song.entity_id}`)
  const downloadPromise = page.waitForEvent('download')
  await songPage(page)
    .getByRole('button', { name: /^Download / })
    .first()
    .click()
  expect(await (await downloadPromise).failure()).toBeNull()

  const receipt = async () => (await getMailsTo(member.email)).find(({ subject }) => /receipt/i.test(subject ?? ''))
  await expect.poll(async () => (await receipt())?.attachments.length, { timeout: 30_000 }).toBe(1)
  const attachment = getFirst((await receipt())?.attachments ?? [])
  expect(attachment.mimeType).toBe('application/pdf')
  expect(
    Buffer.from(attachment.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('pays with PayPal after approval and confirmation, and reports a declined payment', async ({ page }) => {
  const member = await createMember('Paula P')
  await openSignedIn(page, member.token, '/subscription/plans')
  const startPayment = async () => {
    await choosePlan(page, 'Standard')
    await page.getByRole('radio', { name: 'PayPal' }).check()
    await acceptTerms(page)
    await press(page, 'Proceed To Payment')
    await expect(page).toHaveURL(/\/sandbox\/approve\//)
  }
  await startPayment()
  await press(page, 'Decline')
  await expect(page.getByRole('heading', { name: 'Payment failed' })).toBeVisible()
  await page.getByRole('link', { name: 'View plans' }).click()
  await startPayment()
  await press(page, 'Approve')
  await expect(page.getByRole('heading', { name: 'Confirm payment' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('$1.00')
  // The payment is not charged before it is confirmed.
  expect((await callApi(billing.getAgreement, {}, member.token)).agreement?.profile_status).toBe('CREATED')
  await press(page, 'Proceed to Payment')
  await expectPaid(page)
  await page.getByRole('link', { name: 'View subscription' }).click()
  await expect(page.getByRole('region', { name: 'Payment method' })).toContainText('PayPal')
})

test('pays after the bank’s confirmation page, and cancels a payment that was not finished there', async ({ page }) => {
  const member = await createMember('Berta Bank')
  await openSignedIn(page, member.token, '/subscription/plans')
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await expect(page).toHaveURL(/\/sandbox\/approve\//)
  // The payment is pending after leaving the bank's page.
  await page.goto('/subscription/plans')
  await expect(page).toHaveURL(/\/account\/manage-subscription$/)
  await expect(page.getByRole('button', { name: 'Payment Processing' })).toBeDisabled()
  await press(page, 'Cancel payment')
  await expect(page).toHaveURL(/\/subscription\/plans$/)
  await choosePlan(page, 'Standard')
  await payByCard(page, CARDS.asks)
  await press(page, 'Approve')
  await expectPaid(page)
})

test('reports a failed renewal, ends access after the grace period, and renews with another card', async ({ page }) => {
  const member = await createSubscriber('Rina Renewal', CARDS.failsOnRenewal)
  await advanceClock(member, 36)
  await openSignedIn(page, member.token, '/account/manage-subscription')
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible()
  expect(await getPaymentStatus(member)).toBe('unpaid')
  await press(page, 'Update payment details')
  await fillCard(page, CARDS.pays)
  await press(page, 'Save card')
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Payment method' })).toContainText('4242')
  expect(await getPaymentStatus(member)).toBe('paid')
  await expect
    .poll(async () => (await getMailsTo(member.email)).map(({ subject }) => subject), { timeout: 30_000 })
    .toEqual(expect.arrayContaining(['Your Dubplate payment failed', 'Your next Dubplate payment']))
})

test('downloads an invoice as PDF and all invoices as a spreadsheet, which other programs can read', async ({
  page,
}) => {
  test.skip(!hasTools, 'pdftotext and qpdf are not installed.')
  await signInAs(page, 'dj@demo.test')
  await page.goto('/account/billing')
  await expect(billingRows(page, 'Billing history')).toHaveCount(5)
  const download = async (name: string | RegExp) => {
    const downloadPromise = page.waitForEvent('download')
    await page.getByRole('button', { name }).first().click()
    return downloadPromise
  }
  const one = await download(/^Download invoice .* as PDF$/)
  const number = one.suggestedFilename().replace('.pdf', '')
  const text = await readPdf(one)
  for (const part of [number, 'Standard', '14.99', 'dj@demo.test']) expect(text).toContain(part)

  const workbook = await download('Download all invoices as Excel')
  const [head, ...lines] = await readSheet(readFileSync(await workbook.path()))
  expect(head?.length).toBeGreaterThan(5)
  expect(JSON.stringify(lines)).toContain(number)
  const sums = lines.map((line) => line.filter((cell) => typeof cell === 'number'))
  expect(sums.flat().some((cell) => Math.abs(Number(cell) - 60.96) < 0.001)).toBe(true)
})

test('staff refund a payment, and the member sees the credit note and the ended plan', async ({ page, browser }) => {
  const member = await createSubscriber('Rob Refund', CARDS.pays)
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/payments')
  await page.getByLabel('Search by name, email or invoice…').fill(member.email)
  await page.getByRole('button', { name: 'Actions for Rob Refund' }).click()
  await page.getByRole('menuitem', { name: 'Refund…' }).click()
  const refund = dialog(page, 'Refund Rob Refund')
  await refund.getByLabel('Reason').fill('Subscribed by mistake')
  await refund.getByRole('button', { name: 'Refund $1.00' }).click()
  await expect(refund).toBeHidden()
  const memberPage = await openInOtherBrowser(browser, member, '/account/billing')
  await expect(memberPage.getByRole('table', { name: 'Billing history' })).toContainText('-$1.00')
  await memberPage.goto('/account/manage-subscription')
  await expect(memberPage.getByText('Ended', { exact: true })).toBeVisible()
})
