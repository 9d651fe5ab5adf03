import { readFile } from 'node:fs/promises'
import { billing, checkout, invoices, plans } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { readSheet } from 'read-excel-file/node'
import { type Account, aMember } from './members.ts'
import { ask, dialog, enterAs, expect, firstOf, test, tokenOf } from './support.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** A member whom the sandbox has charged for Standard. */
async function aSubscriber(djName: string, coupon = ''): Promise<Account & { subscription_id: number }> {
  const member = await aMember(djName)
  const { plans } = await ask(billing.getPlans, {})
  const { id } = firstOf(plans.filter(({ title }) => title === 'Standard'))
  const formData = {
    ...{ cardholder_name: djName, card_number: '4242424242424242', expire_date: '12/30', ccv: '123' },
    card_type: 'Visa' as const,
  }
  const { profile_id } = await ask(checkout.payByCard, { formData, subscription: id, coupon }, member.token)
  return { ...member, subscription_id: profile_id ?? 0 }
}

/** What pressing something brings onto the disk. */
async function fetched(page: Page, name: string): Promise<{ file: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)])
  return { file: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('a plan is written as members will see it; of two who change it the second loses nothing', async ({ page }) => {
  const token = await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/plans?open=new')
  await press(page, 'Save')
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name').fill('Story plan')
  await page.getByLabel('Price', { exact: true }).pressSequentially('12,5x05')
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('12.50')
  await page.getByRole('checkbox', { name: 'Published', exact: true }).last().uncheck()
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect(preview.getByRole('heading', { name: 'Story plan' })).toBeVisible()
  await expect(preview.getByText('$12.50 / month')).toBeVisible()
  await press(page, 'Save')
  const row = page.getByRole('article', { name: 'Story plan' })
  await expect(row.getByText('$12.50 every month')).toBeVisible()
  // Nobody else reads of it: it is not on sale.
  expect((await ask(billing.getPlans, {})).plans.map(({ title }) => title)).not.toContain('Story plan')

  await row.getByRole('link', { name: 'Edit Story plan' }).click()
  await page.getByLabel('Price', { exact: true }).fill('14.00')
  const now = await ask(plans.getPlans, {}, token)
  const {
    agreed: _a,
    monthly: _m,
    subscribers: _s,
    can_remove: _c,
    ...plan
  } = firstOf(now.plans.filter(({ title }) => title === 'Story plan'))
  await ask(plans.savePlan, { ...plan, price: '13.00' }, token)
  await press(page, 'Save')
  const theirs = page.getByRole('region', { name: 'Current version' })
  await expect(theirs.getByText('$13.00 every month')).toBeVisible()
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('14.00')
  await press(page, 'Keep mine')
  await expect(row.getByText('$14.00 every month')).toBeVisible()

  await row.getByRole('button', { name: 'Delete Story plan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
})

test('codes are made for a promotion, taken as a table, used, and ended together', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/coupons')
  await press(page, 'New promotion')
  await page.getByLabel('Name').fill('Story flyers')
  await page.getByLabel('Number of codes').fill('12')
  await page.getByLabel('Prefix').fill('story')
  await press(page, 'Generate codes')
  const card = page.getByRole('listitem', { name: 'Story flyers' })
  await expect(card.getByText('12 codes')).toBeVisible()
  const { file, bytes } = await fetched(page, 'Download codes of Story flyers as CSV')
  expect(file).toBe('coupon-codes-story-flyers.csv')
  const [head, first, ...more] = bytes.toString('utf8').trim().split('\r\n')
  expect(head).toBe('code,uses,most_uses,starts_at,ends_at')
  expect(more).toHaveLength(11)
  const [code = ''] = (first ?? '').split(',')
  await aSubscriber('Code User', code)

  await page.goto(`/staff/coupons?find=${code}`)
  const used = page.getByRole('listitem', { name: code })
  await expect(used.getByText('1 of 1 use')).toBeVisible()
  await used.getByRole('button', { name: `Edit ${code}` }).click()
  await expect(page.getByText('This coupon has been used, so its code and discount can’t be changed.')).toBeVisible()

  await page.goto('/staff/coupons')
  await card.getByRole('button', { name: 'Deactivate all codes of Story flyers' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate all' }).click()
  await expect(card.getByText('0 active')).toBeVisible()
})

test('a subscription is ended with money back, and payment, credit note and books say the same', async ({ page }) => {
  const member = await aSubscriber('Ends Today')
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/subscriptions?find=Ends Today')
  await page.getByRole('listitem', { name: 'Ends Today' }).focus()
  await page.keyboard.press('Enter')
  await press(page, 'End now…')
  const end = dialog(page, 'End Ends Today’s subscription now?')
  await end.getByRole('button', { name: /^Full amount/ }).click()
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
  await expect(page.getByRole('listitem', { name: 'Ends Today' }).locator('[data-status=refunded]')).toBeVisible()
  await page.goto(`/staff/invoices?member=${member.customer_id}`)
  const note = page.getByRole('listitem').filter({ hasText: 'Credit note for' })
  const { file, bytes } = await fetched(page, `Download ${await note.getAttribute('aria-label')} as PDF`)
  expect(file).toMatch(/^\d{4}-\d{5}\.pdf$/)
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')

  // Members' clocks may be ahead of the pool's: what was paid and given back on one day is of the same books.
  const { invoices: issued } = await ask(
    invoices.getInvoices,
    { customer_id: member.customer_id },
    await tokenOf('staff@demo.test'),
  )
  const day = firstOf(issued).issued_at.slice(0, 10)
  await page.goto(`/staff/books?from=${day}&to=${day}`)
  await expect(page.getByRole('region', { name: 'Payments and refunds', exact: true })).toBeVisible()
  const books = await fetched(page, 'Download Excel')
  const rows = await readSheet(books.bytes, 'Transactions')
  const numbers = issued.map(({ number }) => number)
  const mine = rows.filter((row) => numbers.includes(String(row[2])))
  expect(mine.map((row) => row[11])).toEqual([1, -1])
})
