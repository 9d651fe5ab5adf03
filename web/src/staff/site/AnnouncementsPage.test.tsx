import { announcements, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const makeAnnouncement = (
  overrides: Partial<announcements.StaffAnnouncement> = {},
): announcements.StaffAnnouncement => ({
  message_id: 7,
  page_name: 'mp3_home',
  message: '<p>Charts are <b>back</b></p>',
  audience: 'paid',
  state: 'current',
  published_at: '2026-03-01T10:00:42.123Z',
  ended_at: null,
  written_by: 'Front Desk',
  hidden_by: 3,
  version: 4,
  ...overrides,
})

const row = page.getByRole('row', { name: 'Charts are back' })
const panel = page.getByRole('complementary', { name: 'Edit announcement' })
const text = panel.getByRole('textbox', { name: 'Announcement' })

async function openAnnouncements(list: announcements.StaffAnnouncement[], url = '/staff/announcements') {
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(announcements.getAnnouncements, {
    announcements: list,
    counts: { current: 1, scheduled: 2, ended: 3 },
    pagination: { page: 1, perPageLimit: 24, totalCount: list.length },
  })
  await openApp(url)
}

async function chooseAction(name: string) {
  await page.getByRole('button', { name: 'Actions for Charts are back' }).click()
  await page.getByRole('menuitem', { name }).click()
}

test('lists active announcements first, and the others by state', async () => {
  await openAnnouncements([makeAnnouncement()])
  await expect.element(row).toHaveTextContent(/Since .*no end date.*Home/)
  await page.getByRole('button', { name: 'Scheduled 2' }).click()
  await expect.poll(currentUrl).toBe('/staff/announcements?state=scheduled')
  await expect
    .poll(() => fakeApi.inputsOf(announcements.getAnnouncements).at(-1))
    .toMatchObject({ state: 'scheduled', page: 1 })
})

test('explains an empty list of each state', async () => {
  await openAnnouncements([], '/staff/announcements?state=ended')
  await expect.element(page.getByText('No ended announcements')).toBeVisible()
})

test('ends an announcement, and takes that back', async () => {
  await openAnnouncements([makeAnnouncement()])
  fakeApi.reply(announcements.endAnnouncement, {})
  fakeApi.reply(announcements.saveAnnouncement, { announcement: makeAnnouncement() })
  await chooseAction('End now')
  await expect.poll(() => fakeApi.inputsOf(announcements.endAnnouncement)).toEqual([{ message_id: 7 }])
  await page.getByRole('button', { name: 'Undo' }).click()
  // Ending it has increased its version; it has no end again, and its start stays to the millisecond.
  await expect
    .poll(() => fakeApi.inputsOf(announcements.saveAnnouncement))
    .toEqual([
      {
        message_id: 7,
        version: 5,
        page_name: 'mp3_home',
        audience: 'paid',
        message: '<p>Charts are <b>back</b></p>',
        show_again: false,
        ended_at: null,
      },
    ])
})

test('deletes a scheduled announcement, and creates it again', async () => {
  await openAnnouncements([makeAnnouncement({ state: 'scheduled' })], '/staff/announcements?state=scheduled')
  fakeApi.reply(announcements.endAnnouncement, {})
  fakeApi.reply(announcements.saveAnnouncement, { announcement: makeAnnouncement() })
  await chooseAction('Delete')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(announcements.saveAnnouncement))
    .toMatchObject([{ published_at: '2026-03-01T10:00:42.123Z', message: '<p>Charts are <b>back</b></p>' }])
  expect(fakeApi.inputsOf(announcements.saveAnnouncement)[0]).not.toHaveProperty('message_id')
})

test('publishes an ended announcement again, from now on and for everyone', async () => {
  const ended = makeAnnouncement({ state: 'ended', ended_at: '2026-03-08T10:00:30.000Z' })
  await openAnnouncements([ended], '/staff/announcements?state=ended')
  fakeApi.reply(announcements.saveAnnouncement, { announcement: makeAnnouncement() })
  await chooseAction('Publish again')
  await expect.element(panel.getByRole('checkbox', { name: /Show again to 3 members/ })).toBeChecked()
  await panel.getByRole('button', { name: 'Publish' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(announcements.saveAnnouncement))
    .toMatchObject([{ message_id: 7, published_at: null, ended_at: null, show_again: true }])
  await expect.poll(currentUrl).toBe('/staff/announcements')
})

test('requires a text, and an end after the start', async () => {
  await openAnnouncements([makeAnnouncement()], '/staff/announcements?open=7')
  await text.fill('')
  await panel.getByLabelText('Ends').fill('2026-02-01T10:00')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect.element(text).toHaveAccessibleDescription('Enter the announcement text.')
  await expect.element(panel.getByLabelText('Ends')).toHaveAccessibleDescription(/end must be after the start/)
  expect(fakeApi.inputsOf(announcements.saveAnnouncement)).toEqual([])
})
