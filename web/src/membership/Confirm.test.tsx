import { joining, type ReplyOf } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { errorReply, fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, reopenApp } from '../../test/openApp.tsx'

const EMAIL = 'ada@joining.test'
const WRONG_PASSWORD = 'This is not the password of this sign-up.'

const dialog = dialogNamed('Confirm your email')
const application = dialogNamed('Are you a DJ?')
const password = dialog.getByLabelText('Password', { exact: true })

/** Accepts only this password to confirm the sign-up, as the server does. */
const requirePassword = (expectedPassword: string) =>
  fakeApi.reply(joining.confirmAddress, ({ password }): Partial<ReplyOf<typeof joining.confirmAddress>> => {
    if (password === undefined)
      throw errorReply({ code: 'password_required', message: 'Enter the password.', data: { email: EMAIL } })
    if (password !== expectedPassword)
      throw errorReply({ code: 'incorrect_password', message: WRONG_PASSWORD, fields: { password: WRONG_PASSWORD } })
    return { email: EMAIL, kind: 'signed_up', application: 'missing', token: 'token-of-an-applicant' }
  })

test('leads to the application when the address is confirmed before applying', async () => {
  requirePassword('violet tram 77 drummer')
  fakeApi.reply(joining.submitApplication, { email: EMAIL, address_confirmed: true })
  await openApp('/confirm#link-before-applying')
  await expect.element(dialog.getByLabelText('Email')).toHaveValue(EMAIL)
  expect(currentUrl() + location.hash, 'the link leaves the address bar').toBe('/?dialog=confirm')
  await password.fill('violet tram 77 drummer')
  await press(dialog, 'Confirm email')
  await expect.element(application.getByText('Your email is confirmed.')).toBeVisible()
  await application.getByRole('radio', { name: 'Social link' }).click()
  await application.getByLabelText('Link (SoundCloud, Mixcloud, Instagram…)').fill('https://music.example/ada')
  await press(application, 'Submit application')
  await expect.element(application.getByRole('heading', { name: 'Application submitted' })).toBeVisible()
})

test('says that a link has already been used', async () => {
  fakeApi.rejectWith(joining.confirmAddress, {
    code: 'link_expired',
    message: 'This link has already been used. Sign in.',
  })
  await openApp('/confirm#used-link')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This link has already been used. Sign in.')
  await expect.element(dialog.getByRole('link', { name: 'Sign in' })).toBeVisible()
})

test('does not confirm a sign-up without its password', async () => {
  requirePassword('violet tram 77 drummer')
  await openApp('/confirm#link-of-a-stranger')
  await expect.element(dialog.getByLabelText('Email')).toHaveValue(EMAIL)
  await expect.element(password).toHaveFocus()
  await press(dialog, 'Confirm email')
  await expect.element(dialog.getByText('password cannot be blank!')).toBeVisible()
  await password.fill('what someone else would type')
  await press(dialog, 'Confirm email')
  await expect.element(dialog.getByText(WRONG_PASSWORD)).toBeVisible()
  await expect.element(password).toHaveFocus()
  await reopenApp('/?dialog=confirm')
  await expect.element(password).toHaveValue('')
})
