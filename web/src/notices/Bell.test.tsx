import { helpdesk, notices } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { follow, press } from '../../test/locators.ts'
import { makeNotification, makeReply } from '../../test/memberSamples.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, singlePage } from '../../test/samples.ts'

const TEXT = 'You have a reply to “For the bell”.'
const panel = page.getByRole('dialog', { name: 'Notifications' })
const bell = (name: string) => page.getByRole('banner').getByRole('button', { name, exact: true })

/** Opens a page with these notifications; `readNotices` marks them as read. */
async function openWith(shown: notices.Notice[], { unread = 1, url = '/news' } = {}) {
  let count = unread
  fakeApi.reply(notices.countUnread, () => ({ unread: count }))
  fakeApi.reply(notices.getNotices, () => ({
    notices: count === 0 ? shown.map((each) => ({ ...each, is_read: true })) : shown,
    unread: count,
    pagination: singlePage(shown.length),
  }))
  fakeApi.reply(notices.readNotices, () => {
    count = 0
    return { unread: 0 }
  })
  signInAs(makeProfile())
  await openApp(url)
}

test('counts unread notifications, opens the subject of one and marks it as read', async () => {
  await openWith([makeNotification({ text: TEXT })])
  fakeApi.reply(helpdesk.getTicket, { replies: [makeReply({ details: '<p>Here it is.</p>' })] })
  await bell('Notifications, 1 unread').click()
  await panel.getByText(TEXT).click()
  await expect.element(page.getByText('Here it is.')).toBeVisible()
  await expect.element(bell('Notifications')).toBeVisible()
  expect(fakeApi.inputsOf(notices.readNotices)).toEqual([{ notification_ids: [5] }])
})

test('keeps the focus in the panel, and closes it with Escape', async () => {
  await openWith([makeNotification({ text: TEXT })])
  await bell('Notifications, 1 unread').click()
  await expect.element(panel).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(panel.getByRole('link', { name: 'See all notifications' })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(panel.getByRole('button', { name: 'Mark all as read' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(bell('Notifications, 1 unread')).toHaveFocus()
})

test('marks all as read, and shows them as unread again when that fails', async () => {
  await openWith([makeNotification({ text: TEXT })], { url: '/notices', unread: 3 })
  await expect.element(page.getByText('3 unread', { exact: true })).toBeVisible()
  fakeApi.setOffline(true)
  await press(page.getByRole('main'), 'Mark all as read')
  await expect.element(page.getByText('Couldn’t mark notifications as read')).toBeVisible()
  await expect.element(page.getByText('3 unread', { exact: true })).toBeVisible()
  await expect.element(page.getByText('(unread)')).toBeInTheDocument()
  fakeApi.setOffline(false)
  await press(page.getByRole('main'), 'Mark all as read')
  await expect.element(page.getByText('All read')).toBeVisible()
  await expect.element(bell('Notifications')).toBeVisible()
  await expect.element(page.getByRole('main').getByRole('button', { name: 'Mark all as read' })).toBeDisabled()
})

test('says that there are none yet, on the page and in the panel', async () => {
  await openWith([], { url: '/notices', unread: 0 })
  await expect.element(page.getByRole('link', { name: 'See new releases' })).toBeVisible()
  await bell('Notifications').click()
  await expect.element(panel.getByText('No notifications yet')).toBeVisible()
})

test('leads from a page without notifications to the first one', async () => {
  await openWith([], { url: '/notices?page=3', unread: 0 })
  await expect.element(page.getByText('There are no notifications on this page.')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Go to first page' })).toHaveAttribute('href', '/notices')
})

test('loads again after an error, on the page and in the panel', async () => {
  await openWith([makeNotification({ text: TEXT })], { url: '/news' })
  const release = fakeApi.holdReply(notices.getNotices)
  await bell('Notifications, 1 unread').click()
  await expect.element(panel.getByRole('list', { name: 'Loading notifications…' })).toBeInTheDocument()
  fakeApi.rejectWith(notices.getNotices, { code: 'internal_error', message: 'Something went wrong.' })
  release()
  await expect.element(panel.getByText('Couldn’t load notifications.')).toBeVisible()
  await follow(panel, 'Notification settings')
  await expect.element(panel).not.toBeInTheDocument()
})

test('asks visitors to sign in', async () => {
  await openApp('/notices')
  await expect.element(page.getByText('Sign in to see updates on your tickets')).toBeVisible()
})
