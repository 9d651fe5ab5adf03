import { billing, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, singlePage } from '../../test/samples.ts'

const table = page.getByRole('table', { name: 'Billing history' })

test('lists the payments of the chosen year, and shows an empty state when there are none', async () => {
  fakeApi.reply(
    billing.getBilling,
    ({ start_date }): Partial<ReplyOf<typeof billing.getBilling>> => ({
      billing_history: start_date
        ? []
        : [
            {
              history_id: 1,
              payment_date: '2026-11-01T10:00:00Z',
              plan_name: 'Standard',
              payment_method: 'credit_card',
              amount: '14.99',
              currency: 'USD',
              status: 'paid',
              invoice_number: 'INV-1',
            },
          ],
      pagination: singlePage(start_date ? 0 : 1),
    }),
  )
  signInAs(makeProfile())
  await openApp('/account/billing')
  await expect.element(table).toHaveTextContent('$14.99')
  const year = new Date().getFullYear() - 2
  await page.getByRole('group', { name: 'Year' }).getByText(`${year}`).click()
  await expect.element(page.getByText('No payments in this period')).toBeVisible()
  await expect.element(table).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(billing.getBilling).at(-1)).toMatchObject({
    start_date: { day: 1, month: 1, year },
    end_date: { day: 31, month: 12, year },
  })
})
