import { invoices, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeInvoice } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Invoices' })
const row = (name: string) => table.getByRole('row', { name, exact: true })

async function openInvoices(found: invoices.StaffInvoice[], url = '/staff/invoices') {
  signInAs(makeProfile({ staff_role: 'billing' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(invoices.getInvoices, {
    invoices: found,
    pagination: { page: 1, perPageLimit: 50, totalCount: found.length },
  })
  await openApp(url)
}

test('lists invoices with their buyer, tax and total', async () => {
  await openInvoices([
    makeInvoice({ number: '2026-00002', kind: 'credit_note', corrects: '2026-00001' }),
    makeInvoice({ number: '2026-00001', buyer: 'Vinyl GmbH', dj_name: 'DJ Wax', total: '17.85', tax: '2.85' }),
  ])
  await expect.element(row('2026-00002')).toHaveTextContent('Credit note for 2026-00001')
  await expect.element(row('2026-00001')).toHaveTextContent(/DJ Wax.*Vinyl GmbH.*\$2\.85.*\$17\.85/)
  await row('2026-00002').getByRole('link', { name: '2026-00001' }).click()
  await expect.poll(currentUrl).toBe('/staff/invoices?find=2026-00001')
})

test('downloads one invoice as PDF with the O key, and all matching ones as Excel', async () => {
  await openInvoices([makeInvoice({ invoice_id: 5, number: '2026-00005' })], '/staff/invoices?member=7')
  fakeApi.rejectWith(invoices.getInvoiceFile, { code: 'no_invoices', message: 'No invoices match.' })
  await expect.element(row('2026-00005')).toBeVisible()
  row('2026-00005').element().focus()
  await userEvent.keyboard('o')
  await expect.poll(() => fakeApi.inputsOf(invoices.getInvoiceFile)).toEqual([{ invoice_id: 5, format: 'pdf' }])
  await expect.element(page.getByText('No invoices match.')).toBeVisible()
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Download 1 as Excel' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(invoices.getInvoiceFile).at(-1))
    .toMatchObject({ customer_id: 7, format: 'excel' })
})

test('resends an invoice after confirmation, except to a deleted account', async () => {
  const invoice = makeInvoice({ invoice_id: 5, number: '2026-00005', dj_name: 'DJ Wax' })
  await openInvoices([invoice, makeInvoice({ number: '2026-00006', can_mail: false })])
  fakeApi.reply(invoices.mailInvoice, { invoice })
  await table.getByRole('button', { name: 'Actions for 2026-00006' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Download PDF' })).toBeVisible()
  await expect.element(page.getByRole('menuitem', { name: 'Resend' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  row('2026-00005').element().focus()
  await userEvent.keyboard('m')
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect.poll(() => fakeApi.inputsOf(invoices.mailInvoice)).toEqual([{ invoice_id: 5 }])
})
