import { readFile } from 'node:fs/promises'
import { billing, checkout, invoices, plans } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { type Account, createMember } from './members.ts'
import { callApi, dialog, expect, getFirst, getToken, signInAs, test } from './support.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Creates a member who has paid for Standard in the sandbox. */
async function createSubscriber(djName: string, coupon = ''): Promise<Account & { subscription_id: number }> {
  const member = await createMember(djName)
  const { plans } = await callApi(billing.getPlans, {})
  const { id } = getFirst(plans.filter(({ title }) => title === 'Standard'))
  const formData = {
    ...{ cardholder_name: djName, card_number: '4242424242424242', expire_date: '12/30', ccv: '123' },
    card_type: 'Visa' as const,
  }
  const { profile_id } = await callApi(checkout.payByCard, { formData, subscription: id, coupon }, member.token)
  return { ...member, subscription_id: profile_id ?? 0 }
}

/** Presses a button and returns the downloaded file. */
async function downloadFile(page: Page, name: string, role: 'button' | 'menuitem' = 'button') {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole(role, { name }).click()])
  return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('creates a plan, resolves an edit conflict, and deletes it', async ({ page }) => {
  const token = await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/plans?open=new')
  await page.getByLabel('Name').fill('Story plan')
  await page.getByLabel('Price', { exact: true }).pressSequentially('12,5x05')
  await page.getByRole('checkbox', { name: 'Published', exact: true }).uncheck()
  await press(page, 'Save')
  const row = page.getByRole('listitem').filter({ hasText: 'Story plan' })
  await expect(row.getByText('$12.50 every month')).toBeVisible()
  // Members don't see an unpublished plan.
  expect((await callApi(billing.getPlans, {})).plans.map(({ title }) => title)).not.toContain('Story plan')

  await row.getByText('Story plan').click()
  await page.getByLabel('Price', { exact: true }).fill('14.00')
  const now = await callApi(plans.getPlans, {}, token)
  const {
    agreed: _a,
    monthly: _m,
    subscribers: _s,
    can_remove: _c,
    ...plan
  } = getFirst(now.plans.filter(({ title }) => title === 'Story plan'))
  await callApi(plans.savePlan, { ...plan, price: '13.00' }, token)
  await press(page, 'Save')
  await expect(page.getByText('Their version: 13.00')).toBeVisible()
  await press(page, 'Keep mine')
  await expect(row.getByText('$14.00 every month')).toBeVisible()

  await row.getByRole('button', { name: 'Actions for Story plan' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
})

test('generates the codes of a promotion, exports them as CSV, counts their use, and deactivates them', async ({
  page,
}) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/coupons?state=promotions')
  await page.getByRole('button', { name: 'New promotion' }).first().click()
  await page.getByLabel('Name').fill('Story flyers')
  await page.getByLabel('Number of codes').fill('12')
  await page.getByLabel('Prefix').fill('story')
  await press(page, 'Generate codes')
  const promotion = page.getByRole('row', { name: 'Story flyers' })
  await expect(promotion.getByRole('cell', { name: '12', exact: true }).first()).toBeVisible()
  await promotion.getByRole('button', { name: 'Actions for Story flyers' }).click()
  const { file, bytes } = await downloadFile(page, 'Download CSV', 'menuitem')
  expect(file).toBe('coupon-codes-story-flyers.csv')
  const [head, first, ...more] = bytes.toString('utf8').trim().split('\r\n')
  expect(head).toBe('code,uses,max_uses,starts_at,ends_at')
  expect(more).toHaveLength(11)
  const [code = ''] = (first ?? '').split(',')
  await createSubscriber('Code User', code)

  await page.goto(`/staff/coupons?find=${code}`)
  const used = page.getByRole('row', { name: code })
  await expect(used.getByText('1 of 1 use')).toBeVisible()
  await used.press('Enter')
  await expect(page.getByText('This coupon has been used, so its code and discount can’t be changed.')).toBeVisible()

  await page.goto('/staff/coupons?state=promotions')
  await promotion.getByRole('button', { name: 'Actions for Story flyers' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate all' }).click()
  await expect(promotion.getByRole('cell', { name: '0', exact: true })).toBeVisible()
})

test('ends a subscription with a full refund, which appears in payments, invoices and reports', async ({ page }) => {
  const member = await createSubscriber('Ends Today')
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/subscriptions?find=Ends Today')
  await page.getByRole('row', { name: 'Ends Today' }).press('Enter')
  await press(page, 'End now…')
  const end = dialog(page, 'End Ends Today’s subscription now?')
  await end.getByRole('radio', { name: /^Full amount/ }).click()
  await end.getByRole('button', { name: 'End now' }).click()
  await expect(end.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
  await end.getByLabel('Reason').fill('Signed up by mistake.')
  await end.getByLabel('Reason').press('Enter')
  await expect(end).toBeHidden()
  const history = page.getByRole('region', { name: 'Activity' })
  await expect(history.getByText('Ended by staff')).toBeVisible()
  await expect(history.getByText('Refunded')).toBeVisible()
  await expect(page.getByRole('button', { name: 'End now…' })).toBeHidden()

  await page.goto(`/staff/payments?state=refunded&member=${member.customer_id}`)
  await expect(page.getByRole('row', { name: 'Ends Today' })).toContainText('Refunded')
  await page.goto(`/staff/invoices?member=${member.customer_id}`)
  const note = page.getByRole('row').filter({ hasText: 'Credit note for' })
  await note.getByRole('button', { name: /^Actions for/ }).click()
  const { file, bytes } = await downloadFile(page, 'Download PDF', 'menuitem')
  expect(file).toMatch(/^\d{4}-\d{5}\.pdf$/)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')

  // The member's clock may be ahead of the server's, so the day of the report is taken from the invoice.
  const { invoices: issued } = await callApi(
    invoices.getInvoices,
    { customer_id: member.customer_id },
    await getToken('staff@demo.test'),
  )
  const day = getFirst(issued).issued_at.slice(0, 10)
  await page.goto(`/staff/reports?from=${day}&to=${day}`)
  await expect(page.getByRole('region', { name: 'Payments and refunds', exact: true })).toBeVisible()
  const report = await downloadFile(page, 'Download Excel')
  const rows = await readSheet(report.bytes, 'Transactions')
  const numbers = issued.map(({ number }) => number)
  const mine = rows.filter((row) => numbers.includes(String(row[2])))
  expect(mine.map((row) => row[11])).toEqual([1, -1])
})
