import { staff, support } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const makeArticle = (faq_id: number, question: string): support.StaffFaq => ({
  faq_id,
  question,
  answer: '<p>Yes.</p>',
  published: true,
  updated_at: '2026-11-20T10:00:00Z',
})

const list = page.getByRole('list', { name: 'Help articles' })
const questions = () =>
  list
    .getByRole('listitem')
    .elements()
    .map((item) => item.textContent?.slice(0, 3))

async function openArticles(faqs: support.StaffFaq[]) {
  signInAs(makeProfile({ staff_role: 'support' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(support.getFaqs, { faqs })
  await openApp('/staff/help-articles')
}

test('puts articles in order with the keyboard, announces it, and saves the order', async () => {
  await openArticles([makeArticle(1, 'One'), makeArticle(2, 'Two'), makeArticle(3, 'Six')])
  fakeApi.reply(support.orderFaqs, {})
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Six' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.poll(() => fakeApi.inputsOf(support.orderFaqs)).toEqual([{ faq_ids: [1, 3, 2] }])
  await expect.element(page.getByText('Six moved to 2 of 3')).toBeInTheDocument()
  await expect.element(list.getByRole('button', { name: 'Move Six' })).toHaveFocus()
})

test('saves one move after the other, and loads the list again after the last', async () => {
  await openArticles([makeArticle(1, 'One'), makeArticle(2, 'Two'), makeArticle(3, 'Six')])
  fakeApi.reply(support.orderFaqs, {})
  const release = fakeApi.holdReply(support.orderFaqs)
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Six' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}')
  await expect.element(page.getByText('Six moved to 1 of 3')).toBeInTheDocument()
  const loaded = fakeApi.inputsOf(support.getFaqs).length
  expect(fakeApi.inputsOf(support.orderFaqs)).toEqual([{ faq_ids: [1, 3, 2] }])
  release()
  await expect.poll(() => fakeApi.inputsOf(support.orderFaqs).at(1)).toEqual({ faq_ids: [3, 1, 2] })
  await expect.poll(() => fakeApi.inputsOf(support.getFaqs).length).toBe(loaded + 1)
})

test('shows the order of the server again if it could not be saved', async () => {
  await openArticles([makeArticle(1, 'One'), makeArticle(2, 'Two')])
  fakeApi.rejectWith(support.orderFaqs, { code: 'unknown_faq', message: 'An article has been deleted.' })
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Two' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect.element(page.getByText('An article has been deleted.')).toBeVisible()
  await expect.poll(questions).toEqual(['One', 'Two'])
})

test('publishes with the switch of a row, and says if that fails', async () => {
  await openArticles([makeArticle(1, 'One')])
  fakeApi.rejectWith(support.saveFaq, { code: 'unknown_faq', message: 'This article has been deleted.' })
  const published = list.getByRole('switch', { name: 'One, published' })
  await published.click()
  expect(fakeApi.inputsOf(support.saveFaq)).toEqual([
    { faq_id: 1, question: 'One', answer: '<p>Yes.</p>', published: false },
  ])
  await expect.element(page.getByText('This article has been deleted.')).toBeVisible()
  await expect.element(published).toBeChecked()
})

test('edits an article beside the list', async () => {
  await openArticles([makeArticle(1, 'One')])
  fakeApi.reply(support.saveFaq, { faq: makeArticle(1, 'Only') })
  await list.getByRole('button', { name: /^One/ }).click()
  await expect.poll(currentUrl).toBe('/staff/help-articles?open=1')
  await page.getByRole('textbox', { name: 'Question' }).fill('Only')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => fakeApi.inputsOf(support.saveFaq)).toMatchObject([{ faq_id: 1, question: 'Only' }])
  await expect.poll(currentUrl).toBe('/staff/help-articles')
})

test('deletes an article after asking', async () => {
  await openArticles([makeArticle(1, 'One')])
  fakeApi.reply(support.removeFaq, {})
  await list.getByRole('button', { name: 'Actions for One' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fakeApi.inputsOf(support.removeFaq)).toEqual([{ faq_id: 1 }])
})

test('closes the form with Escape, and keeps what was typed', async () => {
  await openArticles([makeArticle(1, 'One')])
  await list.getByRole('button', { name: /^One/ }).click()
  await page.getByRole('textbox', { name: 'Question' }).fill('Two')
  await userEvent.keyboard('{Escape}')
  await expect.poll(currentUrl).toBe('/staff/help-articles')
  await list.getByRole('button', { name: /^One/ }).click()
  await expect.element(page.getByRole('textbox', { name: 'Question' })).toHaveValue('Two')
})
