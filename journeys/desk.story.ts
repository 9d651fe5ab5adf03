import { desk, helpdesk, support } from '@dubplate/contract'
import { aMember } from './members.ts'
import { ask, enterAs, expect, test, tokenOf } from './support.ts'

test('the desk says what waits and how the pool does, and its charts are read by keyboard', async ({ page }) => {
  await aMember('DJ Counted In')
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff')
  const waits = page.getByRole('list', { name: 'Needs attention', exact: true })
  await waits.getByRole('link', { name: /applications?/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Applications' })).toBeVisible()
  await page.goBack()

  const members = page.getByRole('article', { name: 'New members' })
  await expect(members.getByText(/ in the last 7 days, .* · peak /)).toBeVisible()
  const chart = members.getByRole('group', { name: 'New members by day' })
  const days = chart.getByRole('img')
  await expect(days).toHaveCount(7)
  // One step of Tab leads into it, the arrows along its points.
  await days.last().focus()
  await page.keyboard.press('ArrowLeft')
  await expect(days.nth(5)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(days.first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(days.last()).toBeFocused()
  await expect(days.last()).toHaveAccessibleName(/^[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}: [1-9]\d*, \d+ in the previous period$/)

  await members.getByText('Table').click()
  const table = members.getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'Day (UTC)' })).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(8)

  // The period is part of the address.
  await page.getByRole('button', { name: '12 months' }).click()
  await expect(page).toHaveURL(/period=year/)
  await expect(members.getByText(/ in the last 12 months/)).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^metrics-\d{4}-\d\d-\d\d\.csv$/)
})

test('a saved answer is written once, found by / and filled in for the ticket', async ({ page }) => {
  const member = await aMember('DJ Echo & Sons')
  const [{ departments }, { priorities }] = await Promise.all([
    ask(helpdesk.getDepartments, {}, member.token),
    ask(helpdesk.getPriorities, {}, member.token),
  ])
  const { ticket_number } = await ask(
    helpdesk.submitTicket,
    {
      HelpdeskTickets: {
        department_id: departments[0]!.id,
        priority_id: priorities[0]!.id,
        subject: 'It broke off',
        details: 'At 40 %.',
        attachments: [],
      },
    },
    member.token,
  )
  await ask(support.saveSavedAnswer, { title: 'This name is taken', answer: 'Hi' }, await tokenOf('staff@demo.test'))
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/answers')
  await page.getByRole('button', { name: 'New saved reply' }).click()
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('This name is taken')
  const words = page.getByRole('textbox', { name: 'Reply' })
  await words.fill('Hello {dj_nam}, go to your history and resume it.')
  await page.getByRole('button', { name: 'Save' }).click()
  // Only the server knows both; each is said at its field, and together below.
  const [taken, unknown] = ['A saved reply named “This name is taken” already exists.', 'Unknown placeholder {dj_nam}.']
  await expect(name).toBeFocused()
  await expect(name).toHaveAccessibleDescription(new RegExp(taken))
  await expect(words).toHaveAccessibleDescription(new RegExp(unknown.replace(/[{}]/g, '.')))
  await expect(page.getByRole('alert').filter({ hasText: taken }).filter({ hasText: unknown })).toBeVisible()
  await name.fill('A download broke off')
  await words.fill('Hello {dj_name}, go to your history and resume it. It is about ticket {ticket_number}.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('article', { name: 'A download broke off' }).getByText('Not used yet')).toBeVisible()

  await page.goto(`/staff/tickets/${ticket_number}`)
  const answer = page.getByRole('textbox', { name: 'Reply' })
  // The editor, not the plain field that stands in for it.
  await expect(page.getByRole('button', { name: 'Saved replies' })).toBeVisible()
  await answer.click()
  await page.keyboard.press('/')
  const picker = page.getByRole('dialog', { name: 'Saved replies' })
  await expect(picker.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('broke RESUME')
  await expect(picker.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(picker).toBeHidden()
  await expect(answer).toHaveText(
    `Hello DJ Echo & Sons, go to your history and resume it. It is about ticket ${ticket_number}.`,
  )
  await expect(answer).toBeFocused()
  await page.getByRole('button', { name: 'Send reply', exact: true }).click()
  await expect(page.getByRole('article').filter({ hasText: 'Hello DJ Echo & Sons' })).toBeVisible()
  const { answers } = await ask(support.getSavedAnswers, {}, await tokenOf('staff@demo.test'))
  expect(answers.find(({ title }) => title === 'A download broke off')?.used).toBe(1)

  // Who thought better of it has typed a slash.
  await answer.click()
  await page.keyboard.press('/')
  await expect(picker).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(answer).toHaveText('/')
})

test('what the pool holds is measured by a worker when it is asked for', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/storage')
  await page.getByRole('button', { name: 'Measure now' }).click()
  const kinds = page.getByRole('table', { name: 'By type' })
  await expect(kinds.getByRole('row', { name: /^Originals [1-9]/ })).toBeVisible({ timeout: 30_000 })
  // Without BACKUP_DIR it says how else one is made.
  await expect(page.getByText('npm run pool -- backup FOLDER')).toBeVisible()
  await page.route(`**/api/${desk.getStorage.path}*`, (route) => route.abort())
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Couldn’t load storage' })).toBeVisible()
})
