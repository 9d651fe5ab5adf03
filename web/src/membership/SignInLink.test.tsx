import { joining, membership, site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { saveApplicant } from './applicant.ts'

const dialog = dialogNamed('Welcome')

test('signs in with one press and returns to the page of the application', async () => {
  fakeApi.reply(membership.signInWithLink, { token: 't', profile: makeProfile(), return_to: '/charts' })
  await openApp('/welcome#token-of-the-email')
  await expect.element(dialog.getByText('Your DJ application is approved.')).toBeVisible()
  expect(currentUrl() + location.hash, 'the link leaves the address bar').toBe('/?dialog=welcome')
  expect(fakeApi.inputsOf(membership.signInWithLink), 'opening the link does not use it').toEqual([])
  await press(dialog, 'Sign in')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(currentUrl()).toBe('/charts')
  expect(fakeApi.inputsOf(membership.signInWithLink)).toEqual([{ token: 'token-of-the-email' }])
})

test('offers the normal sign-in when the link was used or has expired', async () => {
  fakeApi.rejectWith(membership.signInWithLink, { code: 'link_expired', message: 'This link has expired.' })
  await openApp('/welcome#token-of-the-email')
  await press(dialog, 'Sign in')
  await expect.element(dialog.getByText('This link has expired.')).toBeVisible()
  await press(dialog, 'Sign in with your password')
  await expect.element(dialogNamed('Sign In').getByLabelText('Email')).toBeVisible()
})

test('asks for the second factor', async () => {
  fakeApi.rejectWith(membership.signInWithLink, {
    code: 'two_factor_required',
    message: 'Enter the code.',
    data: { token: 'token-of-the-second-step' },
  })
  fakeApi.reply(membership.secondStep, { token: 't', profile: makeProfile() })
  await openApp('/welcome#token-of-the-email')
  await press(dialog, 'Sign in')
  await dialog.getByLabelText('Code').fill('123456')
  await press(dialog, 'Sign in')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(membership.secondStep)).toEqual([{ token: 'token-of-the-second-step', code: '123456' }])
})

test('keeps a member signed in: the link may belong to someone else', async () => {
  signInAs(makeProfile())
  await openApp('/welcome#token-of-the-email')
  await expect.element(dialog.getByText('You’re already signed in.')).toBeVisible()
  expect(fakeApi.inputsOf(membership.signInWithLink)).toEqual([])
})

test('an application in a pool without email says what happens next, and nothing about email', async () => {
  fakeApi.reply(site.getPool, { can_send_email: false })
  fakeApi.reply(joining.submitApplication, { email: 'ada@joining.test', address_confirmed: true })
  saveApplicant('token-of-an-applicant')
  await openApp('/charts?dialog=apply')
  const application = dialogNamed('Are you a DJ?')
  await application.getByRole('radio', { name: 'Social link' }).click()
  await application.getByLabelText('Link (SoundCloud, Mixcloud, Instagram…)').fill('https://music.example/new')
  await press(application, 'Submit application')
  await expect
    .element(application.getByText('A member of staff reads your application. You can sign in here to see the result.'))
    .toBeVisible()
  await expect.element(application).not.toHaveTextContent(/email/i)
  expect(fakeApi.inputsOf(joining.submitApplication)).toMatchObject([{ return_to: '/charts' }])
})
