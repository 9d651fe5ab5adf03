import { staff, support } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const REPLY: support.SavedReply = {
  saved_reply_id: 3,
  title: 'Refund',
  answer: '<p>We have <b>refunded</b> you.</p>',
  used: 14,
  last_used_at: '2026-11-20T10:00:00Z',
  written_by: 'Front Desk',
  updated_at: '2026-11-20T10:00:00Z',
  version: 2,
}

const table = page.getByRole('region', { name: 'Saved replies' })
const name = page.getByRole('textbox', { name: 'Name' })
const save = page.getByRole('button', { name: 'Save', exact: true })

async function openReplies(answers: support.SavedReply[], url = '/staff/saved-replies') {
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(support.getSavedReplies, { answers })
  await openApp(url)
}

test('finds replies by every word, also without accents', async () => {
  await openReplies([REPLY, { ...REPLY, saved_reply_id: 4, title: 'Café', answer: '<p>Opening hours</p>', used: 0 }])
  await expect.element(table.getByRole('row', { name: 'Refund' })).toHaveTextContent(/refunded you.*Used 14 times/)
  await expect.element(table.getByRole('row', { name: 'Café' })).toHaveTextContent('Not used yet')
  await page.getByRole('searchbox').fill('cafe hours')
  await expect.poll(currentUrl).toBe('/staff/saved-replies?find=cafe+hours')
  await expect.element(table.getByRole('row', { name: 'Café' })).toBeVisible()
  expect(table.getByRole('row', { name: 'Refund' }).elements()).toEqual([])
  await page.getByRole('searchbox').fill('nothing')
  await expect.element(page.getByText('No matching saved replies')).toBeVisible()
})

test('saves a new reply', async () => {
  await openReplies([])
  fakeApi.reply(support.saveSavedReply, { answer: REPLY })
  await page.getByRole('button', { name: 'New saved reply' }).first().click()
  await expect.element(name).toHaveFocus()
  await name.fill('Refund')
  await page.getByRole('textbox', { name: 'Reply' }).fill('Done.')
  await userEvent.keyboard('{Control>}s{/Control}')
  await expect.poll(() => fakeApi.inputsOf(support.saveSavedReply)).toHaveLength(1)
  expect(fakeApi.inputsOf(support.saveSavedReply)[0]).toMatchObject({ title: 'Refund', answer: '<p>Done.</p>' })
  await expect.poll(currentUrl).toBe('/staff/saved-replies')
  expect(Object.keys(sessionStorage).filter((key) => key.startsWith('dubplate.draft.'))).toEqual([])
})

test('checks the fields before it saves, and again with every change', async () => {
  await openReplies([REPLY], '/staff/saved-replies?open=3')
  await name.fill('')
  await save.click()
  await expect.element(name).toHaveAccessibleDescription('Enter a name.')
  await expect.element(name).toHaveFocus()
  expect(fakeApi.inputsOf(support.saveSavedReply)).toEqual([])
  await name.fill('R')
  await expect.element(name).not.toHaveAttribute('aria-invalid', 'true')
})

test('shows the server’s error at its field, and another above the buttons', async () => {
  await openReplies([REPLY], '/staff/saved-replies?open=3')
  fakeApi.rejectWith(support.saveSavedReply, {
    code: 'name_taken',
    message: 'There is a reply with this name.',
    fields: { title: 'There is a reply with this name.' },
  })
  await name.fill('Taken')
  await save.click()
  await expect.element(name).toHaveAccessibleDescription('There is a reply with this name.')
  expect(page.getByRole('alert').elements()).toEqual([])
  fakeApi.rejectWith(support.saveSavedReply, { code: 'unknown_saved_reply', message: 'This reply has been deleted.' })
  await save.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('This reply has been deleted.')
  await expect.element(name).toHaveValue('Taken')
})

test('keeps what was typed over a reload, until it is discarded', async () => {
  await openReplies([REPLY], '/staff/saved-replies?open=3')
  await name.fill('Refund, half')
  await reopenApp('/staff/saved-replies?open=3')
  await expect.element(name).toHaveValue('Refund, half')
  await expect.element(page.getByText(/^Unsaved draft from \d\d:\d\d$/)).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(currentUrl).toBe('/staff/saved-replies')
  await table.getByRole('row', { name: 'Refund' }).click()
  await expect.element(name).toHaveValue('Refund')
})

test('asks when someone else saved first', async () => {
  await openReplies([REPLY], '/staff/saved-replies?open=3')
  await name.fill('Mine')
  fakeApi.rejectWith(support.saveSavedReply, { code: 'conflict', message: 'Someone else changed this reply.' })
  fakeApi.reply(support.getSavedReplies, { answers: [{ ...REPLY, title: 'Theirs', version: 5 }] })
  await save.click()
  await expect.element(page.getByText('Someone else saved changes first')).toBeVisible()
  await expect.element(name).toHaveValue('Mine')
  await expect.element(name).toHaveAccessibleDescription('Their version: Theirs')
  fakeApi.reply(support.saveSavedReply, { answer: REPLY })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => fakeApi.inputsOf(support.saveSavedReply).at(-1)).toMatchObject({ title: 'Mine', version: 5 })
})

test('takes over what someone else saved', async () => {
  await openReplies([REPLY], '/staff/saved-replies?open=3')
  await name.fill('Mine')
  fakeApi.rejectWith(support.saveSavedReply, { code: 'conflict', message: 'Someone else changed this reply.' })
  fakeApi.reply(support.getSavedReplies, { answers: [{ ...REPLY, title: 'Theirs', version: 5 }] })
  await save.click()
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await expect.element(name).toHaveValue('Theirs')
  expect(page.getByText('Someone else saved changes first').elements()).toEqual([])
})

test('asks before it deletes', async () => {
  await openReplies([REPLY])
  fakeApi.reply(support.removeSavedReply, {})
  await page.getByRole('button', { name: 'Actions for Refund' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fakeApi.inputsOf(support.removeSavedReply)).toEqual([{ saved_reply_id: 3 }])
})
