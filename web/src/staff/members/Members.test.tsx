import { members, staff } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeMember } from '../../../test/staffSamples.ts'

const table = page.getByRole('region', { name: 'Members' })
const row = (name: string) => table.getByRole('row', { name, exact: true })

async function openMembers(found: members.ListedMember[], url = '/staff/members') {
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(members.getMembers, {
    members: found,
    counts: { all: 120, paid: 90, unpaid: 30, suspended: 2, staff: 3 },
    pagination: { page: 1, perPageLimit: 50, totalCount: 120 },
  })
  await openApp(url)
}

test('lists members with their status, plan and country', async () => {
  await openMembers([
    makeMember({ dj_name: 'DJ Marlow', plan_name: 'Pro', country_id: 'DE' }),
    makeMember({ dj_name: 'DJ Nobody', application: 'pending', payment_profile_status: 'unpaid', plan_name: null }),
  ])
  await expect.element(row('DJ Marlow')).toHaveTextContent(/Active.*Pro/)
  await expect.element(row('DJ Nobody')).toHaveTextContent(/Pending approval.*Unpaid/)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Members 120')
  await expect.element(table.getByText('1–50 of 120')).toBeVisible()
})

test('sorts, filters and searches through the URL', async () => {
  await openMembers([makeMember({ dj_name: 'DJ Marlow' })])
  await table.getByRole('button', { name: 'Member', exact: true }).click()
  await expect.poll(currentUrl).toBe('/staff/members?sort=name')
  await expect.element(table.getByRole('columnheader', { name: 'Member' })).toHaveAttribute('aria-sort', 'ascending')
  await table.getByRole('button', { name: 'Member', exact: true }).click()
  await expect.poll(currentUrl).toBe('/staff/members?sort=-name')
  await page.getByRole('button', { name: 'Unpaid 30' }).click()
  await expect.poll(currentUrl).toBe('/staff/members?sort=-name&state=unpaid')
  await page.getByRole('searchbox').fill('marlow')
  await expect
    .poll(() => fakeApi.inputsOf(members.getMembers).at(-1))
    .toMatchObject({
      search: 'marlow',
      sort: '-name',
      state: 'unpaid',
      page: 1,
    })
})

test('moves between rows with j and k, and opens one with Enter', async () => {
  await openMembers([
    makeMember({ customer_id: 7, dj_name: 'First' }),
    makeMember({ customer_id: 8, dj_name: 'Second' }),
  ])
  await expect.element(row('First')).toBeVisible()
  row('First').element().focus()
  await userEvent.keyboard('j')
  await expect.element(row('Second')).toHaveFocus()
  await userEvent.keyboard('k')
  await expect.element(row('First')).toHaveFocus()
  await userEvent.keyboard('j{Enter}')
  await expect.poll(currentUrl).toBe('/staff/members/8')
})

test('hides columns that the user does not want, also after a reload', async () => {
  await openMembers([makeMember({ dj_name: 'DJ Marlow' })])
  await table.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Plan' }).click()
  await expect.element(table.getByRole('columnheader', { name: 'Plan' })).not.toBeInTheDocument()
  expect(localStorage.getItem('dubplate.hidden-columns.Members')).toBe('["plan"]')
})

test('shows two lines per member on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openMembers([makeMember({ dj_name: 'DJ Marlow', plan_name: 'Pro' })])
  await expect.element(table.getByRole('listitem', { name: 'DJ Marlow' })).toHaveTextContent(/Active.*Pro/)
  await expect.element(table.getByRole('table')).not.toBeInTheDocument()
})

test('explains an empty search', async () => {
  await openMembers([], '/staff/members?find=nobody')
  await expect.element(table.getByRole('heading', { name: 'No matching members' })).toBeVisible()
})
