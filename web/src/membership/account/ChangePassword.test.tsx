import { account } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'

const NEW_PASSWORD = 'amber ferry 12 organist'

const form = page.getByRole('form', { name: 'Change password' })
const current = form.getByLabelText('Current password', { exact: true })
const next = form.getByLabelText('New password', { exact: true })
const confirmation = form.getByLabelText('Confirm password', { exact: true })

test('names blank fields and passwords that differ', async () => {
  signInAs(makeProfile())
  await openApp('/account/change-password')
  await press(form, 'Change password')
  for (const message of [
    'current password cannot be blank!',
    'password cannot be blank!',
    'confirm password cannot be blank!',
  ])
    await expect.element(form.getByText(message, { exact: true })).toBeVisible()
  await next.fill(NEW_PASSWORD)
  await confirmation.fill('a different value')
  await expect.element(form.getByText('password mismatch')).toBeVisible()
  expect(fakeApi.inputsOf(account.changePassword)).toEqual([])
})

test('keeps the new password when the current one is wrong, then clears the form and renews the session', async () => {
  fakeApi.rejectWith(account.changePassword, {
    code: 'incorrect_password',
    message: 'Incorrect password.',
    fields: { current_password: 'Incorrect password.' },
  })
  signInAs(makeProfile())
  await openApp('/account/change-password')
  await current.fill('not this one')
  await next.fill(NEW_PASSWORD)
  await confirmation.fill(NEW_PASSWORD)
  await press(form, 'Change password')
  await expect.element(form.getByText('Incorrect password.')).toBeVisible()
  await expect.element(current).toHaveFocus()
  await expect.element(next).toHaveValue(NEW_PASSWORD)

  fakeApi.reply(account.changePassword, { customerSuccess: 'Password successfully changed.', token: 'renewed' })
  await current.fill('the right one')
  await press(form, 'Change password')
  await expect.element(form.getByText('Password successfully changed.')).toBeVisible()
  await expect.element(next).toHaveValue('')
  expect(localStorage.getItem('dubplate.token')).toBe('renewed')
})
