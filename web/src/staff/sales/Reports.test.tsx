import { books, type ReplyOf, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'
import { presets } from './months.ts'

type Report = ReplyOf<typeof books.getMonthSheet>

const section = (name: string) => page.getByRole('region', { name, exact: true })
const rows = (name: string) => page.getByRole('table', { name, exact: true }).getByRole('row')

const OCTOBER = '/staff/reports?from=2026-10-01&to=2026-10-31'

async function openReports(report: Partial<Report> = {}, url = OCTOBER) {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(books.getMonthSheet, {
    sums: [
      {
        ...{ currency: 'EUR', payments: 12, refund_count: 1 },
        ...{ gross: '150.00', refunds: '10.00', total: '140.00', net: '117.65', tax: '22.35' },
      },
    ],
    taxes: [{ percent: 19, currency: 'EUR', net: '117.65', tax: '22.35' }],
    by_plan: [{ name: 'Pro', currency: 'EUR', payments: 12, gross: '140.00', refunds: '0.00', total: '140.00' }],
    by_gateway: [{ name: 'stripe', currency: 'EUR', payments: 12, gross: '150.00', refunds: '10.00', total: '140.00' }],
    monthly: [{ currency: 'EUR', amount: '300.00' }],
    members: { at_start: 40, joined: 6, left: 3, at_end: 43 },
    ...report,
  })
  await openApp(url)
}

test('shows revenue, members and the tables of a period', async () => {
  await openReports()
  await expect.element(section('Revenue')).toHaveTextContent(/€140.00Net revenue€300.00/)
  await expect.element(section('Paying members')).toHaveTextContent(/43.*40 at the start, 6 new, 3 lost.*7.5%Churn/)
  await expect.element(rows('Payments and refunds').nth(1)).toHaveTextContent('EUR€150.00€10.00€140.00€117.65€22.35')
  await expect.element(rows('By plan').nth(1)).toHaveTextContent('Pro, EUR12–€140.00')
  await expect.element(rows('By payment provider').nth(1)).toHaveTextContent('Stripe, EUR12€10.00€140.00')
  await expect.element(rows('By tax').nth(1)).toHaveTextContent('19% EUR€117.65€22.35')
})

test('opens with the current month, and changes the period through the URL', async () => {
  const [month, previous] = presets()
  await openReports({}, '/staff/reports')
  const period = page.getByRole('group', { name: 'Period' })
  await expect.element(period.getByRole('button', { name: month!.label })).toHaveAttribute('aria-pressed', 'true')
  await period.getByRole('button', { name: previous!.label }).click()
  await expect.poll(currentUrl).toBe(`/staff/reports?from=${previous!.range.from}&to=${previous!.range.to}`)
  const [year, number] = previous!.range.from.split('-').map(Number)
  await expect.poll(() => fakeApi.inputsOf(books.getMonthSheet).at(-1)?.from).toEqual({ day: 1, month: number, year })
})

test('downloads the period as CSV or Excel', async () => {
  await openReports()
  await page.getByRole('button', { name: 'Download Excel' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(books.getBooksFile))
    .toMatchObject([
      { format: 'excel', from: { day: 1, month: 10, year: 2026 }, to: { day: 31, month: 10, year: 2026 } },
    ])
})

test('does not offer files whose totals differ from the ledger', async () => {
  await openReports({ balance_error: '2026-00012 has no invoice' })
  await expect.element(page.getByRole('alert')).toHaveTextContent('2026-00012 has no invoice')
  await expect.element(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Download Excel' })).toBeDisabled()
})

test('says that a period has no transactions, and leaves out the churn of no members', async () => {
  await openReports({ sums: [], members: { at_start: 0, joined: 0, left: 0, at_end: 0 } })
  await expect.element(page.getByRole('heading', { name: 'No transactions' })).toBeVisible()
  await expect.element(section('Paying members')).toHaveTextContent(/–Churn/)
  await expect.element(page.getByRole('button', { name: 'Download CSV' })).toBeDisabled()
})

test('requests nothing for reversed or missing dates', async () => {
  await openReports({}, '/staff/reports?from=2026-10-31&to=2026-10-01')
  await expect.element(page.getByRole('heading', { name: 'Invalid date range' })).toBeVisible()
  await page.getByLabelText('To', { exact: true }).fill('')
  await expect.element(page.getByRole('heading', { name: 'Select a period' })).toBeVisible()
  expect(fakeApi.inputsOf(books.getMonthSheet)).toEqual([])
})
