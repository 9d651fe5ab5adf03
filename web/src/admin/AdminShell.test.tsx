import { invoices, members, type membership, staff, staffSongs } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong } from '../../test/samples.ts'
import { makeDashboard, makeInvoice, makeMember } from '../../test/staffSamples.ts'
import { playerActions } from '../player/store.ts'

const navigation = page.getByRole('navigation', { name: 'Back office' })

async function openAs(role: NonNullable<membership.Profile['staff_role']>, url: string) {
  signInAs(makeProfile({ staff_role: role, dj_name: 'Front Desk' }))
  fakeApi.reply(staff.getDashboard, makeDashboard({ tickets_waiting: 2 }))
  await openApp(url)
  await expect.element(navigation).toBeVisible()
}

test('lists only the pages of a role, with the number of items that need attention', async () => {
  await openAs('support', '/staff/announcements')
  const names = ['Dashboard', 'Applications', 'Members', 'Tickets 2 pending', 'Help articles', 'Saved replies']
  for (const name of [...names, 'Announcements', 'Back to site'])
    await expect.element(navigation.getByRole('link', { name, exact: true })).toBeVisible()
  expect(navigation.getByRole('link').elements()).toHaveLength(8)
})

test('keeps a page of another role closed', async () => {
  await openAs('support', '/staff/payments')
  await expect.element(page.getByRole('heading', { name: 'No access' })).toBeVisible()
})

test('does not exist for members, and asks visitors to sign in', async () => {
  signInAs(makeProfile({ staff_role: null }))
  await openApp('/staff/members')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Page not found')
  await expect.element(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect.element(navigation).not.toBeInTheDocument()
})

test('asks visitors to sign in', async () => {
  await openApp('/staff/members')
  await expect.element(page.getByRole('heading', { name: 'Staff only' })).toBeVisible()
})

test('finds pages, songs, members and invoices with Ctrl+K', async () => {
  await openAs('admin', '/staff/jobs')
  fakeApi.reply(members.getMembers, { members: [makeMember({ customer_id: 12, dj_name: 'Payne' })] })
  fakeApi.reply(invoices.getInvoices, { invoices: [makeInvoice({ number: '2026-00007', dj_name: 'Payne' })] })
  fakeApi.reply(staffSongs.getSongs, { songs: [] })
  await userEvent.keyboard('{Control>}k{/Control}')
  const search = page.getByRole('combobox', { name: 'Search pages, songs, members, tickets and invoices' })
  await search.fill('pay')
  const groups = page.getByRole('listbox').getByRole('group')
  await expect
    .poll(() => groups.elements().map((group) => group.getAttribute('aria-label')))
    .toEqual(['Pages', 'Members', 'Invoices', 'Settings'])
  await page.getByRole('option', { name: /^Payne payne|^Payne dj@/ }).click()
  await expect.poll(currentUrl).toBe('/staff/members/12')
})

test('opens a setting from the search', async () => {
  await openAs('admin', '/staff/jobs')
  await navigation.getByRole('button', { name: 'Search' }).click()
  await userEvent.keyboard('logo')
  await expect.element(page.getByRole('option', { name: /^Logo/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe('/staff/appearance')
})

test('collapses the navigation to icons, and remembers it', async () => {
  await openAs('admin', '/staff/jobs')
  await navigation.getByRole('button', { name: 'Collapse navigation' }).click()
  await expect.element(navigation.getByText('Uploads to review')).not.toBeVisible()
  await navigation.getByRole('button', { name: 'Expand navigation' }).click()
  await expect.element(navigation.getByText('Uploads to review')).toBeVisible()
  expect(localStorage.getItem('dubplate.narrow-navigation')).toBe('{"wide":false,"medium":true}')
})

test('opens the navigation in a drawer on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  signInAs(makeProfile({ staff_role: 'admin' }))
  await openApp('/staff/jobs')
  await page.getByRole('button', { name: 'Open navigation' }).click()
  const drawer = page.getByRole('dialog', { name: 'Navigation' })
  await drawer.getByRole('link', { name: 'Members' }).click()
  await expect.poll(currentUrl).toBe('/staff/members')
  await expect.element(drawer).not.toBeInTheDocument()
})

test('shows a small player while staff listen to a song, without crate and favourites', async () => {
  await openAs('admin', '/staff/jobs')
  const player = page.getByRole('region', { name: 'Preview player' })
  await expect.element(player).not.toBeInTheDocument()
  const song = makeSong({ title: 'Preview me' })
  playerActions.play({ song, version: song.version[0]! })
  await expect.element(player.getByRole('link', { name: 'Preview me' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Player', exact: true })).not.toBeInTheDocument()
  await player.getByRole('button', { name: 'Close player' }).click()
  await expect.element(player).not.toBeInTheDocument()
})
