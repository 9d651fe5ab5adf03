import { type ReplyOf, staff, support } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeTicket } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Tickets' })
const row = (name: string) => table.getByRole('row', { name, exact: true })

async function openTickets(
  tickets: support.QueuedTicket[],
  { url = '/staff/tickets', ...reply }: Partial<ReplyOf<typeof support.getQueue>> & { url?: string } = {},
) {
  signInAs(makeProfile({ staff_role: 'support', customer_id: 5 }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(support.getQueue, {
    tickets,
    counts: { waiting: 4, answered: 9, close: 120, all: 133, late: 2 },
    response_times: { median_seconds: 3 * 3600, first_reply_seconds: 2 * 3600 },
    pagination: { page: 1, perPageLimit: 24, totalCount: tickets.length },
    ...reply,
  })
  await openApp(url)
}

const slow = () =>
  makeTicket({
    ...{ ticket_number: 41, subject: 'Slow', department: 'Billing', priority: 'High', is_overdue: true },
    assigned_to: { customer_id: 6, dj_name: 'Night Desk' },
  })

test('lists tickets with what staff need to choose the next one', async () => {
  await openTickets([slow(), makeTicket({ ticket_number: 42, subject: 'Grey' })])
  await expect.element(row('41: Slow')).toHaveTextContent(/Slow.*#41 · DJ Marlow.*Paid.*Billing.*High.*Night Desk/)
  await expect.element(row('41: Slow').getByText('Overdue · Waiting')).toBeVisible()
  await expect.element(row('42: Grey')).not.toHaveTextContent('Overdue')
  await expect.element(page.getByText('2 overdue')).toBeVisible()
  await expect.element(page.getByText('Median wait 3 h · median first reply 2 h (30 days)')).toBeVisible()
})

test('filters by state, assignment and search through the URL', async () => {
  await openTickets([slow()])
  await page.getByRole('button', { name: 'Replied 9' }).click()
  await table.getByRole('button', { name: 'Assigned to me' }).click()
  await expect.poll(currentUrl).toBe('/staff/tickets?state=answered&mine=1')
  await page.getByRole('searchbox').fill('grey')
  await expect
    .poll(() => fakeApi.inputsOf(support.getQueue).at(-1))
    .toMatchObject({ state: 'answered', mine: true, search: 'grey', page: 1 })
  await table.getByRole('button', { name: 'Assigned to me' }).click()
  await expect.poll(currentUrl).toBe('/staff/tickets?state=answered&find=grey')
})

test('assigns a ticket to the current user with a key, and unassigns it again', async () => {
  await openTickets([slow()])
  await expect.element(row('41: Slow')).toBeVisible()
  row('41: Slow').element().focus()
  fakeApi.reply(support.getQueue, {
    tickets: [{ ...slow(), assigned_to: { customer_id: 5, dj_name: 'Front Desk' } }],
  })
  await userEvent.keyboard('m')
  await expect.element(row('41: Slow')).toHaveTextContent('Front Desk')
  await userEvent.keyboard('m')
  await expect
    .poll(() => fakeApi.inputsOf(support.changeTicket))
    .toEqual([
      { ticket_number: 41, assigned_to: 5 },
      { ticket_number: 41, assigned_to: 0 },
    ])
})

test('cannot assign a closed ticket', async () => {
  await openTickets([{ ...slow(), status: 'close' }], { url: '/staff/tickets?state=close' })
  await expect.element(row('41: Slow')).toHaveTextContent('Closed')
  row('41: Slow').element().focus()
  await userEvent.keyboard('m')
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe('/staff/tickets/41')
  expect(fakeApi.inputsOf(support.changeTicket)).toEqual([])
})

test('explains an empty queue and an empty search', async () => {
  await openTickets([])
  await expect.element(table.getByRole('heading', { name: 'No tickets need a reply' })).toBeVisible()
  await table.getByRole('button', { name: 'Assigned to me' }).click()
  await expect.element(table.getByRole('heading', { name: 'No matching tickets' })).toBeVisible()
})
