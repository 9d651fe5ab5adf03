import { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, searchBox } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const alert = page.getByRole('banner').getByRole('alert')

test('requires at least three characters', async () => {
  await openApp('/')
  await searchBox.fill('ab')
  await userEvent.keyboard('{Enter}')
  await expect.element(alert).toHaveTextContent('Enter at least 3 characters to search.')
  await expect.element(searchBox).toHaveAttribute('aria-invalid', 'true')
  await expect.element(searchBox).toHaveValue('ab')
  expect(currentUrl()).toBe('/')
  await userEvent.keyboard('c')
  await expect.element(alert).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(catalogue.searchSongs)).toEqual([])
})

test('searches for what was typed and keeps it in the box', async () => {
  await openApp('/')
  await searchBox.fill('harbour lights')
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe('/search/result/harbour%20lights')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Results for “harbour lights”')
  await expect.element(searchBox).toHaveValue('harbour lights')
  expect(fakeApi.inputsOf(catalogue.searchSongs)).toMatchObject([{ searchTerm: 'harbour lights' }])
})
