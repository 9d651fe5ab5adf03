import { account } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { banner, currentUrl, press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

test('deletes the account only after its DJ name is typed, in any case, and signs out', async () => {
  signInAs(makeProfile())
  await openApp('/account/data')
  await press(page, 'Delete account')
  const form = page.getByRole('form', { name: 'Delete account' })
  const name = form.getByLabelText(/^Enter your DJ name/)
  await name.fill('someone else')
  await form.getByLabelText('Current password', { exact: true }).fill('dubplate')
  await press(form, 'Delete account')
  await expect.element(form.getByText('Enter DJ Marlow to delete your account.')).toBeVisible()
  expect(fakeApi.inputsOf(account.deleteAccount)).toEqual([])
  await name.fill('dj marlow')
  await press(form, 'Delete account')
  await expect.element(page.getByText('Your account has been deleted.')).toBeVisible()
  await expect.element(banner.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(currentUrl()).toBe('/')
  expect(fakeApi.inputsOf(account.deleteAccount)).toEqual([{ password: 'dubplate' }])
})
