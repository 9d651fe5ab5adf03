import { coupons, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeCoupon } from '../../../test/staffSamples.ts'

const PROMOTION: coupons.Promotion = {
  ...{ promotion_id: 4, title: 'Flyers', description: '20% off your first payment', codes: 12, open: 11, uses: 1 },
  ...{ created_at: '2026-11-20T10:00:00Z', discounts: [{ amount: '3.00', currency: 'USD' }] },
}

const table = page.getByRole('region', { name: 'Coupons' })
const row = (code: string) => table.getByRole('row', { name: code, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const save = page.getByRole('button', { name: 'Save', exact: true })
const saved = () => fakeApi.inputsOf(coupons.saveCoupon)

async function openCoupons(found: coupons.Coupon[], url = '/staff/coupons') {
  signInAs(makeProfile({ staff_role: 'billing' }))
  const reply: ReplyOf<typeof coupons.getCoupons> = {
    coupons: found,
    promotions: [PROMOTION],
    plans: [
      { plan_id: 1, title: 'Standard', currency: 'EUR' },
      { plan_id: 2, title: 'Pro', currency: 'EUR' },
    ],
    counts: { active: found.length, scheduled: 0, ended: 0 },
    pagination: { page: 1, perPageLimit: 25, totalCount: found.length },
  }
  fakeApi.reply(coupons.getCoupons, reply)
  await openApp(url)
}

test('shows the terms, the plans, the uses and the discounts of each coupon', async () => {
  await openCoupons([
    makeCoupon({
      ...{ code: 'SUMMER', plan_ids: [2], max_uses: 5, uses: 3, ends_at: '2026-12-24T18:30:00Z' },
      discounts: [{ amount: '9.00', currency: 'EUR' }],
    }),
    makeCoupon({ code: 'FREE', state: 'ended' }),
  ])
  await expect
    .element(row('SUMMER'))
    .toHaveTextContent(/20% off your first payment.*Pro.*Active.*3 of 5 uses.*until 24 Dec 2026.*€9\.00/)
  await expect.element(row('FREE')).toHaveTextContent(/All plans.*Expired.*0 uses/)
})

test('filters by status, start of the code and promotion', async () => {
  await openCoupons([makeCoupon()])
  await page.getByRole('button', { name: /^Active/ }).click()
  await table.getByRole('searchbox').fill('SU')
  await expect.poll(currentUrl).toBe('/staff/coupons?state=active&find=SU')
  await table.getByRole('button', { name: 'Promotion' }).click()
  await page.getByRole('menuitemradio', { name: 'Flyers' }).click()
  await expect.poll(currentUrl).toBe('/staff/coupons?state=active&find=SU&promotion=4')
  await expect
    .poll(() => fakeApi.inputsOf(coupons.getCoupons).at(-1))
    .toMatchObject({ state: 'active', search: 'SU', promotion_id: 4 })
})

test('creates a coupon with a generated code, for some plans', async () => {
  await openCoupons([])
  fakeApi.reply(coupons.makeCode, { code: 'K7F3XPQA' })
  fakeApi.reply(coupons.saveCoupon, { coupon: makeCoupon({ code: 'K7F3XPQA' }) })
  await page.getByRole('button', { name: 'New coupon' }).click()
  await expect.element(field('Code')).toHaveFocus()
  await save.click()
  await expect.element(field('Code')).toHaveAccessibleDescription(/^Use 3 to 40 characters/)
  await page.getByRole('button', { name: 'Generate' }).click()
  await expect.element(field('Code')).toHaveValue('K7F3XPQA')
  await page.getByRole('radio', { name: 'Fixed amount' }).click()
  await field('Amount off').fill('5')
  await field('Number of payments').fill('')
  await page.getByRole('checkbox', { name: 'Pro' }).click()
  await save.click()
  await expect
    .poll(saved)
    .toMatchObject([
      { code: 'K7F3XPQA', percent: null, amount: '5.00', currency: 'EUR', payments: null, max_uses: null },
    ])
  expect(saved()[0]?.plan_ids?.map(Number)).toEqual([2])
  await expect.element(page.getByText('K7F3XPQA saved: 20% off your first payment')).toBeVisible()
  await expect.poll(currentUrl).toBe('/staff/coupons')
})

test('checks the terms before it saves', async () => {
  await openCoupons([makeCoupon({ coupon_id: 3 })], '/staff/coupons?open=3')
  await field('Percent off').fill('101')
  await field('Number of payments').fill('121')
  await page.getByLabelText('Starts').fill('2026-12-24T10:00')
  await page.getByLabelText('Ends').fill('2026-12-01T10:00')
  await save.click()
  await expect.element(field('Percent off')).toHaveAccessibleDescription('Enter a whole number from 1 to 100.')
  await expect.element(field('Number of payments')).toHaveAccessibleDescription(/from 1 to 120/)
  await expect.element(page.getByLabelText('Ends')).toHaveAccessibleDescription('The end must be after the start.')
  await page.getByRole('radio', { name: 'Fixed amount' }).click()
  await field('Amount off').fill('0')
  await expect.element(field('Amount off')).toHaveAccessibleDescription('Enter an amount above zero.')
  expect(saved()).toEqual([])
})

test('keeps the code and the discount of a used coupon', async () => {
  await openCoupons([makeCoupon({ coupon_id: 3, uses: 1, version: 6 })], '/staff/coupons?open=3')
  fakeApi.reply(coupons.saveCoupon, { coupon: makeCoupon() })
  await expect.element(page.getByText(/so its code and discount can’t be changed/)).toBeVisible()
  expect(field('Code').elements()).toEqual([])
  expect(field('Percent off').elements()).toEqual([])
  await field('Maximum uses').fill('9')
  await save.click()
  await expect.poll(saved).toMatchObject([{ coupon_id: 3, version: 6, code: 'SUMMER' }])
  expect(Number(saved()[0]?.max_uses)).toBe(9)
})

test('shows what someone else saved first', async () => {
  const coupon = makeCoupon({ coupon_id: 3, plan_ids: [1], version: 6 })
  await openCoupons([coupon], '/staff/coupons?open=3')
  await field('Maximum uses').fill('9')
  fakeApi.rejectWith(coupons.saveCoupon, { code: 'conflict', message: 'Someone else changed this coupon.' })
  fakeApi.reply(coupons.getCoupons, { coupons: [{ ...coupon, max_uses: 50, version: 7 }] })
  await save.click()
  await expect.element(field('Maximum uses')).toHaveAccessibleDescription('Their version: 50')
  // The same plans are no difference.
  expect(page.getByText('Their version: Standard').elements()).toEqual([])
  fakeApi.reply(coupons.saveCoupon, { coupon })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => saved().at(-1)).toMatchObject({ version: 7 })
})

test('deactivates a coupon after asking, and not twice', async () => {
  await openCoupons([
    makeCoupon({ coupon_id: 3, code: 'SUMMER', version: 6 }),
    makeCoupon({ code: 'OLD', state: 'ended' }),
  ])
  fakeApi.reply(coupons.endCoupon, { coupon: makeCoupon({ code: 'SUMMER', state: 'ended' }) })
  await table.getByRole('button', { name: 'Actions for OLD' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Deactivate…' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await table.getByRole('button', { name: 'Actions for SUMMER' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect.poll(() => fakeApi.inputsOf(coupons.endCoupon)).toEqual([{ coupon_id: 3, version: 6 }])
})

test('shows the codes of a promotion', async () => {
  await openCoupons([makeCoupon()], '/staff/coupons?state=promotions')
  const promotion = page.getByRole('region', { name: 'Promotions' }).getByRole('row', { name: 'Flyers' })
  await expect.element(promotion).toHaveTextContent(/20% off your first payment.*12.*11.*1.*\$3\.00.*20 Nov 2026/)
  await promotion.click()
  await expect.poll(currentUrl).toBe('/staff/coupons?promotion=4')
})

test('generates the codes of a promotion, and deactivates them all', async () => {
  await openCoupons([], '/staff/coupons?state=promotions')
  fakeApi.reply(coupons.makeCoupons, { promotion: PROMOTION })
  fakeApi.reply(coupons.endPromotion, { promotion: PROMOTION })
  await page.getByRole('button', { name: 'New promotion' }).click()
  await field('Number of codes').fill('501')
  await page.getByRole('button', { name: 'Generate codes' }).click()
  await expect.element(field('Name')).toHaveAccessibleDescription(/Enter a name\./)
  await expect.element(field('Number of codes')).toHaveAccessibleDescription(/from 1 to 500/)
  await field('Name').fill('Flyers')
  await field('Number of codes').fill('12')
  await field('Prefix').fill('fly')
  await page.getByRole('button', { name: 'Generate codes' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(coupons.makeCoupons))
    .toMatchObject([{ title: 'Flyers', prefix: 'FLY', plan_ids: null }])
  await expect.poll(currentUrl).toBe('/staff/coupons?state=promotions')
  await page.getByRole('button', { name: 'Actions for Flyers' }).click()
  await page.getByRole('menuitem', { name: 'Deactivate all' }).click()
  await expect.element(page.getByText('11 codes will stop working. Existing discounts stay.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate all' }).click()
  await expect.poll(() => fakeApi.inputsOf(coupons.endPromotion)).toEqual([{ promotion_id: 4 }])
})
