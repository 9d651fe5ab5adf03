import { joining, library, membership, site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { banner, currentUrl, dialogNamed, follow, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const dialog = dialogNamed('Sign In')
const createAccount = dialogNamed('Create An Account')
const recover = dialogNamed('Recover Password')
const email = dialog.getByLabelText('Email')
const password = dialog.getByLabelText('Password', { exact: true })
const openFromHeader = () => press(banner, 'Sign in')

async function submit(emailText: string, passwordText: string) {
  await email.fill(emailText)
  await password.fill(passwordText)
  await userEvent.keyboard('{Enter}')
}

test('keeps what was typed when the password is wrong, and the email address after closing', async () => {
  fakeApi.rejectWith(membership.signIn, { code: 'invalid_credentials', message: 'Wrong email or password.' })
  await openApp('/charts')
  await openFromHeader()
  await submit('dj@pool.test', 'not this one')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Wrong email or password.')
  await expect.element(email).toHaveValue('dj@pool.test')
  await expect.element(password).toHaveValue('not this one')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await openFromHeader()
  await expect.element(email).toHaveValue('dj@pool.test')
  await reopenApp('/charts?dialog=sign-in')
  await expect.element(email).toHaveValue('dj@pool.test')
})

test('marks blank and mistyped fields, and checks again while typing', async () => {
  await openApp('/')
  await openFromHeader()
  await expect.element(email).toHaveFocus()
  await press(dialog, 'Sign in')
  await expect.element(dialog.getByText('Invalid Email')).toBeVisible()
  await expect.element(dialog.getByText('Password is required field *')).toBeVisible()
  await expect.element(email).toHaveAttribute('aria-invalid', 'true')
  await email.fill('somebody')
  await expect.element(dialog.getByText('Invalid Email')).toBeVisible()
  await email.fill('somebody@demo.test')
  await expect.element(dialog.getByText('Invalid Email')).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(membership.signIn)).toEqual([])
})

test('closes and shows the member once signed in', async () => {
  fakeApi.reply(membership.signIn, { token: 't', profile: makeProfile() })
  fakeApi.reply(membership.getProfile, { profile: makeProfile() })
  await openApp('/charts?dialog=sign-in')
  await submit('dj@pool.test', 'dubplate')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(banner.getByRole('button', { name: 'DJ Marlow, account menu' })).toBeVisible()
  expect(fakeApi.inputsOf(membership.signIn)).toEqual([{ email: 'dj@pool.test', password: 'dubplate' }])
})

test('returns to the members’ page it was opened on', async () => {
  fakeApi.reply(membership.signIn, { token: 't', profile: makeProfile() })
  fakeApi.reply(membership.getProfile, { profile: makeProfile() })
  await openApp('/favourite-songs')
  const main = page.getByRole('main')
  await press(main, 'Sign in')
  await submit('dj@pool.test', 'dubplate')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(main.getByRole('heading', { name: 'No favourites yet' })).toBeVisible()
  expect(currentUrl()).toBe('/favourite-songs')
})

test('asks a member to sign in again, over the page, when the server has ended the session', async () => {
  fakeApi.rejectWith(library.favouriteIndex, { code: 'session_expired', message: 'Your session deactivated' })
  signInAs(makeProfile())
  await openApp('/')
  await follow(page.getByRole('navigation', { name: 'Main' }), 'Favourites')
  await expect.element(dialog.getByText('You’ve been signed out.')).toBeVisible()
  expect(currentUrl()).toBe('/favourite-songs?dialog=sign-in')
  expect(localStorage.getItem('dubplate.token')).toBeNull()

  fakeApi.reply(library.favouriteIndex, {})
  fakeApi.reply(membership.signIn, { token: 't', profile: makeProfile() })
  await submit('dj@pool.test', 'dubplate')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'No favourites yet' })).toBeVisible()
  expect(currentUrl()).toBe('/favourite-songs')
})

test('closes with the browser’s back button and leaves the page unchanged', async () => {
  await openApp('/newRelease')
  await openFromHeader()
  await expect.element(dialog).toBeVisible()
  expect(currentUrl()).toBe('/newRelease?dialog=sign-in')
  history.back()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(currentUrl()).toBe('/newRelease')
  await expect.element(page.getByRole('heading', { level: 1, name: 'New releases' })).toBeVisible()
})

test('fills in a demo member, who sees that their application is pending', async () => {
  fakeApi.reply(site.getPool, {
    demo_members: [{ email: 'pending@demo.test', password: 'dubplate', description: 'Waiting' }],
  })
  fakeApi.rejectWith(membership.signIn, {
    code: 'dj_application_pending',
    message: 'Your DJ application is being read.',
  })
  await openApp('/?dialog=sign-in')
  await dialog.getByRole('button', { name: 'pending@demo.test' }).click()
  await press(dialog, 'Sign in')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Your DJ application is being read.')
  await expect.element(email).toHaveValue('pending@demo.test')
  expect(fakeApi.inputsOf(membership.signIn)).toEqual([{ email: 'pending@demo.test', password: 'dubplate' }])
})

test('leads a member who has not applied to the application', async () => {
  fakeApi.rejectWith(membership.signIn, {
    code: 'dj_application_missing',
    message: 'You have not submitted DJ Application.',
    data: { token: 'token-of-an-applicant' },
  })
  await openApp('/')
  await openFromHeader()
  await submit('new@pool.test', 'dubplate')
  const application = dialogNamed('Are you a DJ?')
  await expect.element(application.getByText('You have not submitted DJ Application.')).toBeVisible()
  await expect.element(application.getByRole('radio', { name: 'Social link' })).toBeVisible()
  history.back()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('sends the confirmation email again to an address that is not confirmed', async () => {
  fakeApi.rejectWith(membership.signIn, {
    code: 'email_not_verified',
    message: 'Confirm your address first.',
    data: { token: 'token-of-an-applicant' },
  })
  fakeApi.reply(joining.sendConfirmation, { email: 'cleo@pool.test' })
  await openApp('/?dialog=sign-in')
  await submit('cleo@pool.test', 'dubplate')
  await press(dialog, 'Resend email')
  await expect.element(dialog.getByRole('status')).toHaveTextContent('cleo@pool.test')
  expect(fakeApi.inputsOf(joining.sendConfirmation)).toHaveLength(1)
})

test('passes the email address to the next dialog but not the password, and closes with one “back”', async () => {
  await openApp('/newRelease')
  await openFromHeader()
  await email.fill('ada@joining.test')
  await password.fill('not to be kept')
  await follow(dialog, 'Create account')
  await expect.element(createAccount.getByLabelText('Email')).toHaveValue('ada@joining.test')
  expect(currentUrl()).toBe('/newRelease?dialog=create-account')
  await expect.element(createAccount.getByLabelText('Password', { exact: true })).toHaveValue('')
  await createAccount.getByLabelText('DJ Name').fill('DJ Ada')
  await follow(createAccount, 'Sign in')
  await follow(dialog, 'Forgot password?')
  await expect.element(recover.getByLabelText('Email')).toHaveValue('ada@joining.test')
  expect(JSON.stringify(sessionStorage)).not.toContain('not to be kept')

  history.back()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(currentUrl()).toBe('/newRelease')
  await press(banner, 'Join free')
  await expect.element(createAccount.getByLabelText('DJ Name')).toHaveValue('DJ Ada')
})

test('shows the password on request, also by keyboard', async () => {
  await openApp('/?dialog=sign-in')
  await password.fill('seen by nobody')
  await expect.element(password).toHaveAttribute('type', 'password')
  await userEvent.keyboard('{Tab}{Enter}')
  await expect.element(password).toHaveAttribute('type', 'text')
  await expect.element(dialog).toBeVisible()
})
