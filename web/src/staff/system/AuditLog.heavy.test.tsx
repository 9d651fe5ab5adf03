import { operations, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeAuditEntry, makeDashboard } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Audit log entries' })

async function openAuditLog(url = '/staff/audit') {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(operations.getAudit, {
    entries: [
      makeAuditEntry({ audit_id: 1, action: 'plan updated', subject: 'plan 3', subject_name: 'Standard' }),
      makeAuditEntry({
        audit_id: 2,
        action: 'setting changed',
        subject: 'settings name',
        subject_name: null,
        staff: null,
      }),
    ],
    people: [{ customer_id: 5, dj_name: 'Front Desk' }],
    actions: ['plan updated', 'setting changed'],
    pagination: { page: 1, perPageLimit: 50, totalCount: 2 },
  })
  await openApp(url)
}

test('shows what changed beside the log, entry by entry', async () => {
  await openAuditLog()
  await table.getByRole('row', { name: 'plan updated, Standard' }).getByText('plan updated').click()
  const panel = page.getByRole('complementary', { name: 'plan updated' })
  await expect.element(panel.getByRole('deletion')).toHaveTextContent('before 10.00')
  await expect.element(panel.getByRole('insertion')).toHaveTextContent('after 12.00')
  await expect.poll(currentUrl).toBe('/staff/audit?open=1')
  await panel.getByRole('button', { name: 'Next row' }).click()
  const next = page.getByRole('complementary', { name: 'setting changed' })
  await expect.element(next.getByText('Former staff member')).toBeVisible()
  await next.getByRole('button', { name: 'Close panel' }).click()
  await expect.element(next).not.toBeInTheDocument()
  expect(currentUrl()).toBe('/staff/audit')
})

test('shows an applied filter that is no longer listed, and removes it with “Show all”', async () => {
  await openAuditLog('/staff/audit?action=ticket merged&from=2026-05-01&to=2026-04-01')
  await expect.element(table.getByRole('button', { name: 'Action ticket merged' })).toBeVisible()
  await expect.element(table.getByRole('heading', { name: 'Invalid date range' })).toBeVisible()
  expect(fakeApi.inputsOf(operations.getAudit)).toEqual([])
  await table.getByRole('button', { name: 'Show all' }).click()
  await expect.element(table.getByRole('row', { name: 'plan updated, Standard' })).toBeVisible()
})

test('filters by staff member, action and subject through the URL', async () => {
  await openAuditLog()
  await table.getByRole('button', { name: 'Staff member' }).click()
  await page.getByRole('menuitemradio', { name: 'Front Desk' }).click()
  await table.getByRole('button', { name: 'Action', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'plan updated' }).click()
  await page.getByRole('searchbox').fill('plan 3')
  await expect
    .poll(() => fakeApi.inputsOf(operations.getAudit).at(-1))
    .toMatchObject({ staff_id: 5, action: 'plan updated', subject: 'plan 3' })
})

test('opens the changed thing from its subject', async () => {
  await openAuditLog()
  await table.getByRole('link', { name: 'settings name' }).click()
  await expect.poll(currentUrl).toBe('/staff/settings')
})

test('opens an entry with Enter', async () => {
  await openAuditLog()
  const row = table.getByRole('row', { name: 'plan updated, Standard' })
  await expect.element(row).toBeVisible()
  row.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('complementary', { name: 'plan updated' })).toBeVisible()
})
