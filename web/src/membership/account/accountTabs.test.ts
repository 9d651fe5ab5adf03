import { expect, test } from 'vitest'
import { isTabForPath, tabsFor } from './accountTabs.ts'

const names = (tabs: { text: string }[]) => tabs.map(({ text }) => text)

test('whoever has not paid is offered a subscription, and neither billing nor the rescue of downloads', () => {
  expect(names(tabsFor('unpaid'))).toEqual([
    'Edit Profile',
    'Change Password',
    'Create Subscription',
    'Help Desk',
    'Sign-in & security',
    'Notifications',
    'Display',
    'Your data',
  ])
})

test('whoever has paid sees the subscription, what was billed and what was downloaded', () => {
  expect(names(tabsFor('paid'))).toEqual([
    'Edit Profile',
    'Change Password',
    'Subscription',
    'Billing History',
    'Download Rescue',
    'Help Desk',
    'Sign-in & security',
    'Notifications',
    'Display',
    'Your data',
  ])
})

test('the rescue of downloads is shown to whoever has paid', () => {
  expect(names(tabsFor('paid'))).toContain('Download Rescue')
})

test('every screen of the help desk has its tab', () => {
  const tabOf = (here: string) => names(tabsFor('paid').filter((tab) => isTabForPath(tab, here)))
  for (const here of ['/tickets/all', '/tickets/close', '/ticket/details/12'])
    expect(tabOf(here)).toEqual(['Help Desk'])
  expect(tabOf('/account/billing')).toEqual([])
})
