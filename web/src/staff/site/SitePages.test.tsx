import { openings, sitePages, staff } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'
import { toast } from '../../ui/toast.ts'

const makePage = (overrides: Partial<sitePages.StaffPageText> = {}): sitePages.StaffPageText => ({
  slug: 'terms',
  title: 'Terms of use',
  markdown: 'Play it.',
  updated_at: '2026-11-20T10:00:00Z',
  updated_by: 'Front Desk',
  version: 3,
  ...overrides,
})

const OPENING: openings.StaffOpening = {
  job_opening_id: 5,
  title: 'Curator',
  place: 'Berlin',
  hours: 'Full-time',
  markdown: 'Listen to everything.',
  apply_at: '',
  published: true,
}

const text = page.getByRole('textbox', { name: 'Text' })
const save = page.getByRole('button', { name: 'Save' })

async function openPages(pages: sitePages.StaffPageText[], url = '/staff/pages') {
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(sitePages.getPages, { pages })
  fakeApi.reply(sitePages.previewMarkdown, { html: '<p>Preview</p>' })
  fakeApi.reply(openings.getOpenings, { openings: [OPENING] })
  await openApp(url)
}

test('saves a page once it is changed, and can then be saved again', async () => {
  await openPages([makePage()])
  await expect.element(save).toBeDisabled()
  await text.fill('Play it loud.')
  fakeApi.reply(sitePages.savePage, { page: makePage({ markdown: 'Play it loud.', version: 4 }) })
  await save.click()
  await expect.element(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect.element(save).toBeDisabled()
  await text.fill('Play it louder.')
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(sitePages.savePage))
    .toMatchObject([
      { slug: 'terms', markdown: 'Play it loud.', version: 3 },
      { slug: 'terms', markdown: 'Play it louder.', version: 4 },
    ])
})

test('publishes a starting text without a change, and names what has to be filled in', async () => {
  const draft = makePage({ version: 0, updated_at: null, markdown: 'In force since [date], by [company].' })
  await openPages([draft, makePage({ slug: 'privacy' })])
  await expect.element(page.getByRole('button', { name: /Terms · Draft/ })).toBeVisible()
  await expect.element(page.getByText(/\[date\].*1 more/)).toBeVisible()
  await expect.element(save).toBeEnabled()
})

test('discards changes', async () => {
  await openPages([makePage()])
  await text.fill('Nonsense')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.element(text).toHaveValue('Play it.')
})

test('keeps the text when someone else changed the page, and overwrites it only on request', async () => {
  await openPages([makePage()])
  await text.fill('Mine')
  fakeApi.rejectWith(sitePages.savePage, { code: 'conflict', message: 'Someone else changed this page.' })
  fakeApi.reply(sitePages.getPages, { pages: [makePage({ markdown: 'Theirs', version: 8 })] })
  await save.click()
  await expect.element(page.getByText('Their version: Theirs')).toBeVisible()
  await expect.element(text).toHaveValue('Mine')
  fakeApi.reply(sitePages.savePage, { page: makePage({ markdown: 'Mine', version: 9 }) })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => fakeApi.inputsOf(sitePages.savePage).at(-1)).toMatchObject({ markdown: 'Mine', version: 8 })
})

test('opens the careers page for an old link to it', async () => {
  await openPages([makePage({ slug: 'careers' })], '/staff/pages?open=careers')
  await expect.poll(currentUrl).toBe('/staff/careers')
})

test('edits a job opening beside the careers page', async () => {
  await openPages([makePage({ slug: 'careers' })], '/staff/careers')
  await page.getByRole('button', { name: /^Curator/ }).click()
  await expect.poll(currentUrl).toBe('/staff/careers?open=5')
  const panel = page.getByRole('complementary', { name: 'Curator' })
  await panel.getByRole('textbox', { name: 'How to apply' }).fill('come by')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect
    .element(panel.getByRole('textbox', { name: 'How to apply' }))
    .toHaveAccessibleDescription(/Enter an email address or a URL\./)
  await panel.getByRole('textbox', { name: 'How to apply' }).fill('jobs@pool.example')
  fakeApi.reply(openings.saveOpening, { opening: OPENING })
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(openings.saveOpening))
    .toEqual([{ ...OPENING, apply_at: 'jobs@pool.example' }])
})

test('shows toasts away from the buttons of a side panel', async () => {
  await openPages([makePage({ slug: 'careers' })], '/staff/careers')
  await page.getByRole('button', { name: /^Curator/ }).click()
  const panel = page.getByRole('complementary', { name: 'Curator' })
  await panel.getByRole('textbox', { name: 'How to apply' }).fill('jobs@pool.example')
  await toast({ message: 'Terms of use published' })
  await expect.element(page.getByText('Terms of use published')).toBeVisible()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => fakeApi.inputsOf(openings.saveOpening)).toHaveLength(1)
})

test('deletes a job opening after asking', async () => {
  await openPages([makePage({ slug: 'careers' })], '/staff/careers')
  fakeApi.reply(openings.removeOpening, {})
  await page.getByRole('button', { name: 'Actions for Curator' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fakeApi.inputsOf(openings.removeOpening)).toEqual([{ job_opening_id: 5 }])
})
