import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { dialogNamed, follow, press } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'

const dialog = dialogNamed('Recover Password')
const signIn = dialogNamed('Sign In')
const email = dialog.getByLabelText('Email')

test('names a missing email address and focuses its field', async () => {
  await openApp('/?dialog=recover')
  await press(dialog, 'Send link')
  await expect.element(dialog.getByText('Invalid Email')).toBeVisible()
  await expect.element(email).toHaveFocus()
  expect(fakeApi.inputsOf(joining.forgetPassword)).toEqual([])
})

test('keeps the email address and shows an error while offline', async () => {
  await openApp('/?dialog=recover')
  await email.fill('ada@joining.test')
  fakeApi.setOffline(true)
  await press(dialog, 'Send link')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('You’re offline.')
  await expect.element(email).toHaveValue('ada@joining.test')
  await follow(dialog, 'Back to sign in')
  await expect.element(signIn.getByLabelText('Email')).toHaveValue('ada@joining.test')
})
