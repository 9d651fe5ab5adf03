import { expect, test } from 'vitest'
import { isTabForPath, tabsFor } from './accountTabs.ts'

const names = (tabs: { text: string }[]) => tabs.map(({ text }) => text)

test('offers unpaid members a subscription, and neither billing nor Download Rescue', () => {
  expect(names(tabsFor('unpaid', { hasCloud: false }))).toEqual([
    'Edit Profile',
    'Change Password',
    'Create Subscription',
    'Download profiles',
    'Help Desk',
    'Sign-in & security',
    'Notifications',
    'Display',
    'Muted',
    'Your data',
  ])
})

test('shows paid members their subscription, billing and downloads', () => {
  expect(names(tabsFor('paid', { hasCloud: false }))).toEqual([
    'Edit Profile',
    'Change Password',
    'Subscription',
    'Billing History',
    'Download Rescue',
    'Download profiles',
    'Help Desk',
    'Sign-in & security',
    'Notifications',
    'Display',
    'Muted',
    'Your data',
  ])
})

test('shows Download Rescue to paid members', () => {
  expect(names(tabsFor('paid', { hasCloud: false }))).toContain('Download Rescue')
})

test('offers cloud storage only if the pool sends to it', () => {
  expect(names(tabsFor('paid', { hasCloud: true }))).toContain('Cloud storage')
  expect(names(tabsFor('paid', { hasCloud: false }))).not.toContain('Cloud storage')
})

test('has a tab for every help desk screen', () => {
  const tabOf = (here: string) => names(tabsFor('paid', { hasCloud: false }).filter((tab) => isTabForPath(tab, here)))
  for (const here of ['/tickets/all', '/tickets/close', '/ticket/details/12'])
    expect(tabOf(here)).toEqual(['Help Desk'])
  expect(tabOf('/account/billing')).toEqual([])
})
