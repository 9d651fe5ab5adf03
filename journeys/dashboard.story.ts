import { helpdesk, support } from '@dubplate/contract'
import { createMember } from './members.ts'
import { callApi, expect, getToken, signInAs, test } from './support.ts'

test('leads to what needs attention, and counts a new member in the metrics and their export', async ({ page }) => {
  await createMember('DJ Counted In')
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff')
  const pending = page.getByRole('list', { name: 'Needs attention', exact: true })
  await pending.getByRole('link', { name: /applications?/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: /^New members/ }).click()
  const members = page.getByRole('region', { name: 'New members by day' })
  const days = members.getByRole('img')
  await expect(days).toHaveCount(7)
  await expect(days.last()).toHaveAccessibleName(
    /^[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}: [1-9]\d*, \d+ in the previous period$/,
  )
  await page.getByText('12 months', { exact: true }).click()
  await expect(page).toHaveURL(/period=year/)
  await expect(page.getByText(/ in the last 12 months/)).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^metrics-\d{4}-\d\d-\d\d\.csv$/)
})

test('creates a saved reply, and inserts it into a ticket with its placeholders filled in', async ({ page }) => {
  const member = await createMember('DJ Echo & Sons')
  const [{ departments }, { priorities }] = await Promise.all([
    callApi(helpdesk.getDepartments, {}, member.token),
    callApi(helpdesk.getPriorities, {}, member.token),
  ])
  const { ticket_number } = await callApi(
    helpdesk.submitTicket,
    {
      HelpdeskTickets: {
        department_id: departments[0]!.id,
        priority_id: priorities[0]!.id,
        subject: 'Download interrupted',
        details: 'At 40 %.',
        attachments: [],
      },
    },
    member.token,
  )
  await callApi(
    support.saveSavedReply,
    { title: 'This name is taken', answer: 'Hi' },
    await getToken('staff@demo.test'),
  )
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/saved-replies')
  await page.getByRole('button', { name: 'New saved reply' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('This name is taken')
  const text = page.getByRole('textbox', { name: 'Reply' })
  await text.fill('Hello {dj_nam}, go to your history and resume it.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // Only the server can check these: each error is shown at its field.
  const [takenName, unknown] = [
    'A saved reply named “This name is taken” already exists.',
    'Unknown placeholder {dj_nam}.',
  ]
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(new RegExp(takenName))
  await expect(text).toHaveAccessibleDescription(new RegExp(unknown.replace(/[{}]/g, '.')))
  await name.fill('Stalled transfer')
  await text.fill('Hello {dj_name}, go to your history and resume it. It is about ticket {ticket_number}.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('row', { name: 'Stalled transfer' }).getByText('Not used yet')).toBeVisible()

  await page.goto(`/staff/tickets/${ticket_number}`)
  const reply = page.getByRole('textbox', { name: 'Reply' })
  // The editor has loaded and replaced the plain field.
  await expect(page.getByRole('button', { name: 'Saved replies' })).toBeVisible()
  await reply.click()
  await page.keyboard.press('/')
  const picker = page.getByRole('dialog', { name: 'Saved replies' })
  await expect(picker.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('stalled RESUME')
  await expect(picker.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(picker).toBeHidden()
  await expect(reply).toHaveText(
    `Hello DJ Echo & Sons, go to your history and resume it. It is about ticket ${ticket_number}.`,
  )
  await expect(reply).toBeFocused()
  await page.getByRole('button', { name: 'Send reply', exact: true }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Hello DJ Echo & Sons' })).toBeVisible()
  const { answers } = await callApi(support.getSavedReplies, {}, await getToken('staff@demo.test'))
  expect(answers.find(({ title }) => title === 'Stalled transfer')?.used).toBe(1)
})

test('measures storage on request', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/storage')
  await page.getByRole('button', { name: 'Measure now' }).click()
  const kinds = page.getByRole('table', { name: 'By type' })
  await expect(kinds.getByRole('row', { name: /^Originals [1-9]/ })).toBeVisible({ timeout: 30_000 })
})
