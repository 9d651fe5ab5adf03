import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, follow, press } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const dialog = dialogNamed('Reset Password')
const password = dialog.getByLabelText('Password', { exact: true })
const confirmation = dialog.getByLabelText('Confirm password')

test('checks both passwords, and offers another link when this one has expired', async () => {
  fakeApi.rejectWith(joining.resetPassword, {
    code: 'invalid_reset_link',
    message: 'This link has expired. Request a new one.',
  })
  await openApp('/reset-password/ada@joining.test/old-link')
  await press(dialog, 'Set password')
  expect(currentUrl()).toBe('/?dialog=reset')
  await expect.element(dialog.getByText('password cannot be blank!', { exact: true })).toBeVisible()
  await expect.element(dialog.getByText('confirm password cannot be blank!')).toBeVisible()
  await password.fill('violet tram 77 drummer')
  await confirmation.fill('a different value')
  await expect.element(dialog.getByText('password mismatch')).toBeVisible()
  await password.fill('a different value')
  await expect.element(dialog.getByText('password mismatch')).not.toBeInTheDocument()
  await press(dialog, 'Set password')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This link has expired.')
  expect(fakeApi.inputsOf(joining.resetPassword)).toEqual([
    {
      email: 'ada@joining.test',
      token: 'old-link',
      password: 'a different value',
      confirm_password: 'a different value',
    },
  ])
  await follow(dialog, 'Request a new link')
  await expect.element(dialogNamed('Recover Password')).toBeVisible()
})
