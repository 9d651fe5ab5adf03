import { plans } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makePlan } from '../../../test/staffSamples.ts'

const list = page.getByRole('list', { name: 'Plans' })
const row = (title: string) => list.getByRole('listitem').filter({ hasText: title })
const name = page.getByRole('textbox', { name: 'Name' })
const price = page.getByRole('textbox', { name: 'Price', exact: true })
const trial = page.getByRole('textbox', { name: 'First month price' })
const save = page.getByRole('button', { name: 'Save', exact: true })

async function openPlans(items: plans.StaffPlan[], url = '/staff/plans') {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(plans.getPlans, { plans: items })
  await openApp(url)
}

test('shows the price, the subscribers and the revenue of each plan', async () => {
  await openPlans([
    makePlan({ title: 'Pro', trial_price: '1.00', subscribers: 12, monthly: [{ amount: '180.00', currency: 'USD' }] }),
    makePlan({ title: 'Basic', subscribers: 0 }),
  ])
  await expect.element(row('Pro')).toHaveTextContent(/\$15\.00 every month, first month \$1\.00/)
  await expect.element(row('Pro')).toHaveTextContent(/12 subscribers · \$180\.00\/month/)
  await expect.element(row('Basic')).toHaveTextContent('No subscribers')
  await row('Pro').getByRole('link', { name: '12 subscribers' }).click()
  await expect.poll(currentUrl).toMatch(/^\/staff\/subscriptions\?plan=\d+$/)
})

test('saves the order in which members see plans', async () => {
  await openPlans([makePlan({ plan_id: 1, title: 'One' }), makePlan({ plan_id: 2, title: 'Two' })])
  fakeApi.reply(plans.orderPlans, {})
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Two' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.poll(() => fakeApi.inputsOf(plans.orderPlans)).toEqual([{ plan_ids: [2, 1] }])
})

test('publishes with the switch of a row, and keeps all other fields', async () => {
  const plan = makePlan({ plan_id: 1, title: 'One', is_published: false, version: 4 })
  await openPlans([plan])
  fakeApi.reply(plans.savePlan, { plan })
  await list.getByRole('switch', { name: 'One, published' }).click()
  const { subscribers, agreed, monthly, can_remove, ...stored } = plan
  await expect.poll(() => fakeApi.inputsOf(plans.savePlan)).toEqual([{ ...stored, is_published: true }])
})

test('creates a plan in the currency of the first one, with a preview', async () => {
  await openPlans([makePlan({ currency: 'EUR' })])
  fakeApi.reply(plans.savePlan, { plan: makePlan() })
  await page.getByRole('button', { name: 'New plan' }).click()
  await expect.element(name).toHaveFocus()
  await save.click()
  await expect.element(name).toHaveAccessibleDescription('Enter a name.')
  await name.fill('Gold')
  await price.fill('12,5x')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect.element(preview.getByRole('heading', { name: 'Gold' })).toBeVisible()
  await expect.element(preview).toHaveTextContent('€12.50')
  await page.getByRole('checkbox', { name: 'Published', exact: true }).click()
  await expect.element(preview).toHaveTextContent('Unpublished. Members can’t see this plan.')
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(plans.savePlan))
    .toMatchObject([{ title: 'Gold', price: '12.50', trial_price: '0.00', currency: 'EUR', is_published: false }])
  await expect.poll(currentUrl).toBe('/staff/plans')
})

test('accepts only prices above zero, cheaper first periods, and currencies with two decimals', async () => {
  await openPlans([makePlan({ plan_id: 1 })], '/staff/plans?open=1')
  await price.fill('0')
  await page.getByRole('textbox', { name: 'Currency' }).fill('jpy')
  await save.click()
  await expect.element(price).toHaveAccessibleDescription(/^Enter a price above zero/)
  await expect
    .element(page.getByRole('textbox', { name: 'Currency' }))
    .toHaveAccessibleDescription(/with two decimals, such as EUR/)
  await price.fill('10')
  await trial.fill('10')
  await expect.element(trial).toHaveAccessibleDescription(/must be lower than the plan’s price/)
  await trial.fill('9.99')
  await expect.element(trial).not.toHaveAttribute('aria-invalid', 'true')
  expect(fakeApi.inputsOf(plans.savePlan)).toEqual([])
})

test('warns that subscribers keep their price', async () => {
  const agreed = [{ price: '15.00', currency: 'USD', interval: 'month' as const, subscribers: 3 }]
  await openPlans([makePlan({ plan_id: 1, subscribers: 3, agreed })], '/staff/plans?open=1')
  await expect.element(page.getByText(/^3 members on this plan keep .* Price changes only affect new/)).toBeVisible()
  await price.fill('16.00')
  await expect.element(page.getByText(/^3 members on this plan keep .* The new price applies to new/)).toBeVisible()
})

test('shows what someone else saved first', async () => {
  const plan = makePlan({ plan_id: 1, price: '12.00', interval: 'month', version: 2 })
  await openPlans([plan], '/staff/plans?open=1')
  await price.fill('14.00')
  fakeApi.rejectWith(plans.savePlan, { code: 'conflict', message: 'Someone else changed this plan.' })
  fakeApi.reply(plans.getPlans, { plans: [{ ...plan, price: '13.00', interval: 'year', version: 3 }] })
  await save.click()
  await expect.element(price).toHaveAccessibleDescription('Their version: 13.00')
  await expect.element(page.getByLabelText('Billing period')).toHaveAccessibleDescription('Their version: per year')
  fakeApi.reply(plans.savePlan, { plan })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => fakeApi.inputsOf(plans.savePlan).at(-1)).toMatchObject({ price: '14.00', version: 3 })
})

test('deletes only plans that never had subscribers, after asking', async () => {
  await openPlans([
    makePlan({ title: 'Used', can_remove: false }),
    makePlan({ plan_id: 8, title: 'Unused', can_remove: true }),
  ])
  fakeApi.reply(plans.removePlan, {})
  await list.getByRole('button', { name: 'Actions for Used' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await list.getByRole('button', { name: 'Actions for Unused' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fakeApi.inputsOf(plans.removePlan)).toEqual([{ plan_id: 8 }])
})

test('edits what members of a plan can do, with a preview of the list', async () => {
  signInAs(makeProfile({ staff_role: 'billing' }))
  const plan = makePlan({ plan_id: 1, version: 3, monthly_downloads: 200, has_top20_packs: false })
  fakeApi.reply(plans.getPlans, { plans: [plan], download_limit: 2 })
  fakeApi.reply(plans.savePlan, { plan })
  await openApp('/staff/plans?open=1')
  const preview = page.getByRole('region', { name: 'Preview' })
  await expect.element(preview).toHaveTextContent(/200 downloads a month2 downloads of each versionYour crate/)
  await page.getByRole('textbox', { name: 'Downloads per month' }).fill('')
  await page.getByRole('textbox', { name: 'Downloads per version' }).fill('3')
  await page.getByRole('textbox', { name: 'Head start in hours' }).fill('24')
  await page.getByRole('checkbox', { name: 'Crate and lists as a zip' }).click()
  await page.getByRole('checkbox', { name: 'Top 20s as a zip' }).click()
  await expect
    .element(preview)
    .toHaveTextContent(
      /Unlimited downloads3 downloads of each versionTop 20s as a zipNew songs 1 day before other plans/,
    )
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(plans.savePlan))
    .toMatchObject([
      {
        ...{ monthly_downloads: null, version_downloads: '3', head_start_hours: '24' },
        ...{ has_crate_bundles: false, has_top20_packs: true },
      },
    ])
})
