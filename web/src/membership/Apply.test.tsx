import { joining } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, follow, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { saveApplicant } from './applicant.ts'

const dialog = dialogNamed('Are you a DJ?')
const option = (name: string) => dialog.getByRole('radio', { name })
const comment = dialog.getByLabelText('Comment (optional)')

test('requires one of two ways to apply, then its details', async () => {
  saveApplicant('token-of-an-applicant')
  await openApp('/?dialog=apply')
  await press(dialog, 'Submit application')
  await expect.element(dialog.getByText('Please select one option from Member Reference or Social link!')).toBeVisible()
  await expect.element(option('Member reference')).toHaveFocus()
  await option('Member reference').click()
  await expect.element(dialog.getByText('Member Reference Detail cannot be blank!')).toBeVisible()
  await option('Social link').click()
  await expect.element(dialog.getByText('Reference Detail cannot be blank!', { exact: true })).toBeVisible()
  expect(fakeApi.inputsOf(joining.submitApplication)).toEqual([])
})

test('keeps what was typed until it is sent', async () => {
  fakeApi.reply(joining.submitApplication, { email: 'ada@joining.test', address_confirmed: false })
  saveApplicant('token-of-an-applicant')
  await openApp('/?dialog=apply')
  await option('Social link').click()
  await dialog.getByLabelText('Link (SoundCloud, Mixcloud, Instagram…)').fill('https://music.example/new')
  await comment.fill('Fridays at the harbour')
  await reopenApp('/?dialog=apply')
  await expect
    .element(dialog.getByLabelText('Link (SoundCloud, Mixcloud, Instagram…)'))
    .toHaveValue('https://music.example/new')
  await expect.element(comment).toHaveValue('Fridays at the harbour')
  await press(dialog, 'Submit application')
  await expect.element(dialog.getByRole('heading', { name: 'Almost done: confirm your email' })).toHaveFocus()
  await expect.element(dialog.getByText('ada@joining.test')).toBeVisible()
  expect(fakeApi.inputsOf(joining.submitApplication)).toEqual([
    { referred_by: '', dj_website: 'https://music.example/new', comment: 'Fridays at the harbour', return_to: '/' },
  ])
})

test('asks a visitor to sign in first', async () => {
  await openApp('/charts?dialog=apply')
  await follow(dialog, 'Sign in')
  await expect.element(dialogNamed('Sign In')).toBeVisible()
  expect(currentUrl()).toBe('/charts?dialog=sign-in')
})

test('tells a member that they do not need to apply', async () => {
  signInAs(makeProfile())
  await openApp('/?dialog=apply')
  await expect.element(dialog.getByText('You’re already a member.')).toBeVisible()
})
