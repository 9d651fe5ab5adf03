import { helpdesk, notices, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, singlePage } from '../../test/samples.ts'

const TEXT = 'You have a reply to “For the bell”.'

test('counts unread notifications, opens the subject of one and marks it as read', async () => {
  let unread = 1
  fakeApi.reply(notices.countUnread, () => ({ unread }))
  fakeApi.reply(
    notices.getNotices,
    (): ReplyOf<typeof notices.getNotices> => ({
      notices: [
        {
          notification_id: 5,
          kind: 'reply',
          text: TEXT,
          address: '/ticket/details/41',
          created_at: '2026-11-22T10:00:00Z',
          is_read: unread === 0,
        },
      ],
      unread,
      pagination: singlePage(1),
    }),
  )
  fakeApi.reply(notices.readNotices, () => {
    unread = 0
    return { unread }
  })
  fakeApi.reply(helpdesk.getTicket, { replies: [makeReply('<p>Here it is.</p>')] })
  signInAs(makeProfile())
  await openApp('/news')
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('dialog', { name: 'Notifications' }).getByText(TEXT).click()
  await expect.element(page.getByText('Here it is.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  expect(fakeApi.inputsOf(notices.readNotices)).toEqual([{ notification_ids: [5] }])
})

const makeReply = (details: string): helpdesk.Reply => ({
  id: 1,
  admin_id: 2,
  author: 'Staff',
  details,
  quoted: '',
  via: 'page',
  created_at: '2026-11-22T10:00:00Z',
  attachments: [],
})
